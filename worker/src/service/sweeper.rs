//! At start and on a slow timer: claims whose answer was not saved yet, and answers that the repository has lost.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use pager_answers::{AnswerFile, AnswerPath, SaveOutcome};
use pager_questions::{Answer, Record};

use super::Service;
use crate::clock;

/// How often it looks.
const EVERY: Duration = Duration::from_secs(300);
/// How far back answers are compared with the repository after the first look.
const LOOKS_BACK: Duration = Duration::from_secs(3600);
/// How far back they are compared at start: whatever a crash of the machine may have taken.
const LOOKS_BACK_AT_START: Duration = Duration::from_secs(3 * 24 * 3600);

pub(super) async fn run(service: Arc<Service>) {
    let mut back = LOOKS_BACK_AT_START;
    let mut in_flight_before_start = true;
    loop {
        if let Err(reason) = look(&service, back, in_flight_before_start).await {
            tracing::warn!(reason, "the sweeper could not look at the store and the answers repository");
        } else {
            back = LOOKS_BACK;
            in_flight_before_start = false;
        }
        tokio::time::sleep(EVERY).await;
    }
}

async fn look(service: &Service, back: Duration, at_start: bool) -> Result<(), String> {
    let unusable = |error: &dyn std::fmt::Display| error.to_string();
    let patience = if at_start { Duration::ZERO } else { EVERY };
    let ripe = clock::now().plus_millis(-millis(patience));
    for record in service.store.answering().await.map_err(|error| unusable(&error))? {
        if claimed_before(&record, ripe) {
            let _ = service.saves.send(record);
        }
    }
    let since = clock::now().plus_millis(-millis(back));
    let ended = service.store.ended_since(since).await.map_err(|error| unusable(&error))?;
    if ended.is_empty() {
        return Ok(());
    }
    let kept: HashSet<String> = service.keeper.list().await.map_err(|error| unusable(&error))?.into_iter().collect();
    let lost: Vec<AnswerFile> = ended
        .iter()
        .filter(|record| !kept.contains(record.question.id.as_str()))
        .filter_map(|record| record.answer().and_then(file))
        .collect();
    if lost.is_empty() {
        return Ok(());
    }
    tracing::warn!(count = lost.len(), "the answers repository lacks answers that the store has; they are written again");
    for outcome in service.keeper.save(lost).await {
        match outcome {
            SaveOutcome::Saved { .. } => {}
            other => tracing::error!(?other, "an answer that the repository lacked could not be written again"),
        }
    }
    Ok(())
}

fn claimed_before(record: &Record, moment: pager_questions::Time) -> bool {
    match &record.state {
        pager_questions::State::Answering(claim) => claim.answer.at <= moment,
        _ => false,
    }
}

fn file(answer: &Answer) -> Option<AnswerFile> {
    let path = AnswerPath::new(&answer.id).ok()?;
    Some(AnswerFile { path, bytes: answer.file(), message: answer.commit_message() })
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
