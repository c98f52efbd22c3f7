//! Writes claimed answers into the answers repository. What waits while a commit is under way goes into the next one.

use std::sync::Arc;
use std::time::Duration;

use pager_answers::{AnswerFile, AnswerPath, SaveOutcome};
use pager_questions::apply::{Event, Refusal};
use pager_questions::{Answer, Record, State};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::{Service, ServiceError};
use crate::crash;

/// The most answers of one commit.
const MOST_TOGETHER: usize = 256;
/// The pauses before an uncertain write is tried again: doubling, up to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LAST_PAUSE: Duration = Duration::from_secs(60);

/// Its part in the health of pagerd.
const PART: &str = "answers";

/// A claim with its file, ready to be written.
struct Ready {
    record: Record,
    number: u64,
    signed: Answer,
}

/// Saves whatever is sent, until the service ends.
pub(super) async fn run(service: Arc<Service>, mut to_save: mpsc::UnboundedReceiver<Record>) {
    let mut batch = Vec::new();
    let mut failures: u32 = 0;
    while to_save.recv_many(&mut batch, MOST_TOGETHER).await > 0 {
        let prepared = batch.drain(..).filter_map(|record| prepare(&service, record));
        let (ready, files): (Vec<Ready>, Vec<AnswerFile>) = prepared.unzip();
        crash::point("save.begun");
        let began = Instant::now();
        let outcomes = service.keeper.save(files).await;
        service.metrics.saved(began.elapsed(), &outcomes);
        crash::point("save.written");
        let uncertain = outcomes.iter().any(|outcome| matches!(outcome, SaveOutcome::Unknown { .. }));
        failures = if uncertain { failures.saturating_add(1) } else { 0 };
        for (ready, outcome) in ready.into_iter().zip(outcomes) {
            let pause = FIRST_PAUSE.saturating_mul(1 << failures.saturating_sub(1).min(10)).min(LAST_PAUSE);
            tokio::spawn(settle(service.clone(), ready, outcome, pause));
        }
    }
}

fn prepare(service: &Service, record: Record) -> Option<(Ready, AnswerFile)> {
    let State::Answering(claim) = &record.state else { return None };
    let (number, signed) = (claim.number, claim.answer.signed(&service.key));
    let path = AnswerPath::new(&signed.id).ok()?;
    let file = AnswerFile { path, bytes: signed.file(), message: signed.commit_message() };
    Some((Ready { record, number, signed }, file))
}

async fn settle(service: Arc<Service>, ready: Ready, outcome: SaveOutcome, pause: Duration) {
    let claim = ready.number;
    let id = ready.signed.id.clone();
    let event = match outcome {
        SaveOutcome::Saved { commit } => {
            service.health.well(PART);
            let signature = ready.signed.signature.unwrap_or_default();
            Event::Saved { claim, signature, commit }
        }
        SaveOutcome::Taken => {
            tracing::error!(%id, "the answers repository holds something else under this id; the question is cancelled");
            Event::Taken { claim }
        }
        SaveOutcome::Refused { reason } => {
            tracing::error!(%id, reason, "the answers repository refused an answer; the question is open again");
            service.health.trouble(PART, reason.clone());
            Event::Refused { claim, reason }
        }
        SaveOutcome::Unknown { reason, .. } => {
            tracing::warn!(%id, reason, "it is not known whether an answer was saved; it is written again");
            service.health.trouble(PART, reason.clone());
            Event::Uncertain { claim, reason }
        }
    };
    let again = matches!(event, Event::Uncertain { .. });
    match service.change(ready.record.clone(), None, &event, &[]).await {
        Ok(record) => {
            crash::point("save.stored");
            if again {
                tokio::time::sleep(pause).await;
                let _ = service.saves.send(record);
            }
        }
        Err(ServiceError::Refused(Refusal::Stale, _)) => {}
        Err(error) => {
            tracing::error!(%id, %error, "the outcome of a save could not be stored; it is tried again");
            tokio::time::sleep(LAST_PAUSE).await;
            let _ = service.saves.send(ready.record);
        }
    }
}
