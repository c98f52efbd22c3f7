//! The test question: asked through the real service, shown in a topic of its own, pressed by the owner, saved for good.

use std::time::Duration;

use anyhow::{Context, bail};
use pager_questions::{Author, By, DeliveryState, Record, State, Via};
use serde_json::json;
use tokio::time::Instant;

use crate::clock;
use crate::commands::running::Running;
use crate::commands::token;
use crate::secrets;
use crate::service::{Actor, Named, Service};
use crate::store::{Role, Write};

/// How long the topic and the message may take.
const SHOWN_WITHIN: Duration = Duration::from_secs(60);
/// How long the owner may take.
const PRESSED_WITHIN: Duration = Duration::from_secs(600);
/// How long the end may take to be told in the topic.
const TOLD_WITHIN: Duration = Duration::from_secs(10);
const LOOKS_EVERY: Duration = Duration::from_millis(100);

/// Asks, waits for the press and shows the answer with its commit. What was asked in vain is taken back.
pub(super) async fn ask(running: &mut Running, answers: &str) -> anyhow::Result<()> {
    let service = running.service.clone();
    let secret = token::create(service.store.as_ref(), Role::Agent, "setup").await?;
    let stored = service.store.token(&secrets::hash(&secret)).await?.context("the token that was just made is gone")?;
    let agent = Author::parse(&stored.name)?;
    let body = json!({
        "text": "Does pager reach you here?",
        "options": [{"id": "yes", "label": "Yes, it does"}, {"id": "no", "label": "Not quite"}],
        "reversibility": "reversible",
        "waiting_on": "the end of the set-up",
    });
    let record = service.ask(&agent, &stored.id, None, body).await?.record().context("the trial question was not asked")?;
    let outcome = tokio::select! {
        outcome = answered(&service, record.clone(), answers) => outcome,
        () = running.told() => Err(anyhow::anyhow!("interrupted; nothing was written")),
    };
    if outcome.is_err() {
        let actor = Actor { by: By::agent(agent.as_str(), Via::Cli), token: Some(stored.id.clone()) };
        let named = Named::Incarnation(record.question.incarnation.clone());
        // It may have been answered this very moment; then there is nothing to take back.
        let _ = service.withdraw(&actor, &agent, &named, Some("the set-up ended without an answer".to_owned())).await;
    }
    service.store.commit(vec![Write::RevokeToken { id: stored.id, at: clock::now() }]).await?;
    told_in_the_chat(&service, &record).await?;
    outcome
}

/// Lets the end of the question reach its topic, as far as that goes within a moment; the next start does the rest.
async fn told_in_the_chat(service: &Service, record: &Record) -> anyhow::Result<()> {
    let until = Instant::now() + TOLD_WITHIN;
    while Instant::now() < until && !service.store.jobs_of(&record.question.incarnation).await?.is_empty() {
        tokio::time::sleep(LOOKS_EVERY).await;
    }
    Ok(())
}

async fn answered(service: &Service, record: Record, answers: &str) -> anyhow::Result<()> {
    shown(service, &record).await?;
    eprintln!("A question stands in a topic of its own in the group. Press one of its buttons.");
    let record = *service.over(Box::new(record), PRESSED_WITHIN).await?;
    let State::Ended { answer, commit } = &record.state else {
        bail!("nobody pressed a button within ten minutes; run this again when the owner is there");
    };
    let words = answer.recorded.clone().unwrap_or_else(|| answer.outcome.as_str().to_owned());
    eprintln!("You answered: {words}\n{}", saved(answers, &commit.to_string()));
    Ok(())
}

/// Where the answer is. A URL of another machine may hold a password.
fn saved(answers: &str, commit: &str) -> String {
    match (answers.strip_prefix("file:"), answers.strip_prefix("github:")) {
        (Some(folder), _) => format!("Commit {commit}: git -C {folder} show {commit}"),
        (None, Some(name)) => format!("Commit {commit} in {name} on GitHub"),
        (None, None) => format!("Commit {commit} in the answers repository"),
    }
}

async fn shown(service: &Service, record: &Record) -> anyhow::Result<()> {
    let until = Instant::now() + SHOWN_WITHIN;
    loop {
        let newest = service.store.record_of(&record.question.incarnation).await?.context("the test question is gone")?;
        let reason = newest.delivery.reason.unwrap_or_default();
        match newest.delivery.state {
            DeliveryState::Shown => return Ok(()),
            DeliveryState::Undeliverable => {
                bail!("the test question cannot be delivered: {reason}; mend that, then run this again")
            }
            DeliveryState::Stored | DeliveryState::Queued | DeliveryState::Uncertain if Instant::now() > until => {
                let degraded = service.health.degraded().join("; ");
                bail!("the test question was not shown within a minute ({degraded}{reason}); run pagerd doctor");
            }
            DeliveryState::Stored | DeliveryState::Queued | DeliveryState::Uncertain => tokio::time::sleep(LOOKS_EVERY).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::saved;

    #[test]
    fn the_place_of_the_answer_is_told_without_a_password() {
        assert_eq!(saved("file:/a.git", "c0ffee"), "Commit c0ffee: git -C /a.git show c0ffee");
        assert_eq!(saved("github:me/answers", "c0ffee"), "Commit c0ffee in me/answers on GitHub");
        assert_eq!(saved("git+https://me:secret@host/a.git", "c0ffee"), "Commit c0ffee in the answers repository");
    }
}
