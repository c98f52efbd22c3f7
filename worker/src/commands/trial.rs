//! `pagerd try`: everything embedded. Prints a login link; into an empty store it asks a first question and shows what
//! came of it, then goes on serving.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use pager_questions::{Author, Record, State};
use serde_json::json;

use super::running::Running;
use super::{configuration, local};
use crate::configuration::Flags;
use crate::secrets;
use crate::service::Service;
use crate::store::Listing;
use crate::web::login;

/// Tries it until it is told to end.
///
/// # Errors
/// Whatever keeps it from starting.
pub async fn run(flags: &Flags) -> anyhow::Result<()> {
    let configuration = configuration(flags)?;
    let data_dir = configuration.general.data_dir.clone();
    let answers = configuration.answers.keeper.url.clone();
    let running = Running::start(configuration).await?;
    let service = running.service.clone();
    let local = local::write(&data_dir, &service.url, service.store.as_ref()).await?;
    let link = login::new_link(service.store.as_ref(), &local.owner_token, &service.url).await?;
    say(&link)?;
    eprintln!("Open the link above to answer; `ask` on this machine finds this service by itself.");
    eprintln!("Everything is in {}; end with Ctrl-C.", data_dir.display());
    let everything = Listing { agent: None, state: None, limit: 1, after: None };
    if service.store.newest(&everything).await?.is_empty() {
        let record = first_question(&service, &local.agent_token).await?;
        tokio::spawn(show_answer(service, record, answers));
    }
    running.until_told().await
}

async fn first_question(service: &Service, agent_token: &str) -> anyhow::Result<Record> {
    let token = service.store.token(&secrets::hash(agent_token)).await?.context("the token that was just made is gone")?;
    let agent = Author::parse(&token.name)?;
    let body = json!({
        "text": "Does pager reach you on this machine?",
        "options": [
            {"id": "yes", "label": "Yes, it does"},
            {"id": "not-yet", "label": "Not yet", "detail": "Then pick this one anyway: it is recorded all the same."},
        ],
        "recommended": "yes",
        "reversibility": "reversible",
        "waiting_on": "the first answer in your answers repository",
    });
    service.ask(&agent, &token.id, None, body).await?.record().context("the first question was not asked")
}

/// Waits for the end of the first question and shows it, with the commit that holds it.
async fn show_answer(service: Arc<Service>, mut record: Record, answers: String) {
    while !record.is_over() && !service.ending.is_cancelled() {
        match service.over(Box::new(record.clone()), Duration::from_secs(3600)).await {
            Ok(newest) => record = *newest,
            Err(error) => return tracing::warn!(%error, "the first question could not be watched"),
        }
    }
    if let State::Ended { answer, commit } = &record.state {
        let words = answer.recorded.clone().unwrap_or_else(|| answer.outcome.as_str().to_owned());
        let repository = answers.strip_prefix("file:").unwrap_or(&answers);
        let shown = say(&format!("You answered: {words}"))
            .and_then(|()| say(&format!("Commit {commit}: git -C {repository} show {commit}")));
        if let Err(error) = shown {
            tracing::warn!(%error, "the first answer could not be shown");
        }
    }
}

/// A line on standard output, seen at once also by a program that reads it.
fn say(line: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).context("standard output cannot be written")
}
