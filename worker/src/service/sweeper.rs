//! At start and on a slow timer: claims whose answer was not saved yet, answers that the repository has lost, and answers
//! that the repository has and the store does not know.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use pager_answers::{AnswerFile, AnswerPath, SaveOutcome};
use pager_questions::apply::Event;
use pager_questions::{Answer, Record, State};

use super::Service;
use crate::clock;

/// How often it looks.
const EVERY: Duration = Duration::from_secs(300);
/// How far back answers are compared with the repository: whatever a crash of the machine may have taken.
const LOOKS_BACK: Duration = Duration::from_secs(3 * 24 * 3600);
/// How many open questions are compared at a time.
const PAGE: u32 = 500;

pub(super) async fn run(service: Arc<Service>) {
    let mut is_start = true;
    loop {
        match look(&service, is_start).await {
            Ok(()) => is_start = false,
            Err(reason) => tracing::warn!(reason, "the sweeper could not look at the store and the answers repository"),
        }
        tokio::time::sleep(EVERY).await;
    }
}

async fn look(service: &Service, is_start: bool) -> Result<(), String> {
    save_claims(service, if is_start { Duration::ZERO } else { EVERY }).await?;
    let kept = service.keeper.list().await.map_err(told)?.into_iter().collect();
    write_lost(service, &kept).await?;
    settle_found(service, &kept).await
}

/// Claims older than this are sent to the saver: whoever had them is gone, or nobody would be waiting that long.
async fn save_claims(service: &Service, age: Duration) -> Result<(), String> {
    let ripe = clock::now().plus_millis(-millis(age));
    for record in service.store.answering().await.map_err(told)? {
        if matches!(&record.state, State::Answering(claim) if claim.answer.at <= ripe) {
            let _ = service.saves.send(record);
        }
    }
    Ok(())
}

/// Answers that the store has and the repository lacks are written again, with the same bytes.
async fn write_lost(service: &Service, kept: &HashSet<String>) -> Result<(), String> {
    let ended = service.store.ended_since(clock::now().plus_millis(-millis(LOOKS_BACK))).await.map_err(told)?;
    let files: Vec<AnswerFile> =
        ended.iter().filter(|record| !kept.contains(record.question.id.as_str())).filter_map(file).collect();
    if files.is_empty() {
        return Ok(());
    }
    tracing::warn!(count = files.len(), "the answers repository lacks answers that the store has; they are written again");
    for outcome in service.keeper.save(files).await {
        if !matches!(outcome, SaveOutcome::Saved { .. }) {
            tracing::error!(?outcome, "an answer that the repository lacked could not be written again");
        }
    }
    Ok(())
}

/// A file settles an open question when id, incarnation and this service's own signature match; nothing else does.
async fn settle_found(service: &Service, kept: &HashSet<String>) -> Result<(), String> {
    let mut after = None;
    loop {
        let page = service.store.open(PAGE, after.take()).await.map_err(told)?;
        for listed in &page {
            if kept.contains(listed.record.question.id.as_str()) {
                settle_one(service, &listed.record).await?;
            }
        }
        match page.last() {
            Some(last) if page.len() == PAGE as usize => after = Some(last.cursor.clone()),
            _ => return Ok(()),
        }
    }
}

async fn settle_one(service: &Service, record: &Record) -> Result<(), String> {
    let id = &record.question.id;
    let path = AnswerPath::new(id).map_err(told)?;
    let Some(bytes) = service.keeper.read(&path).await.map_err(told)? else { return Ok(()) };
    let answer = serde_json::from_slice::<Answer>(&bytes).ok();
    let own = answer.filter(|answer| {
        answer.id == *id && answer.incarnation == record.question.incarnation && answer.verify(&[service.key.verifying()]).is_ok()
    });
    let (Some(answer), Some(commit)) = (own, service.keeper.head().await.map_err(told)?) else {
        tracing::error!(%id, "the answers repository holds something under the id of an open question that this service did not write");
        return Ok(());
    };
    tracing::warn!(%id, "the answers repository has an answer that the store did not know; it counts");
    let found = Event::Found { answer: Box::new(answer), commit };
    service.change(record.clone(), None, &found, &[]).await.map(|_| ()).map_err(told)
}

/// The file of an ended record; ends without an answer, and the one whose path is somebody else's, have none.
fn file(record: &Record) -> Option<AnswerFile> {
    let State::Ended { answer, .. } = &record.state else { return None };
    let path = AnswerPath::new(&answer.id).ok()?;
    Some(AnswerFile { path, bytes: answer.file(), message: answer.commit_message() })
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
