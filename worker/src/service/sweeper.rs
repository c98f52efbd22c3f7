//! At start and on a slow timer: claims whose answer was not saved yet, answers that the repository has lost, and answers
//! that the repository has and the store does not know. While nothing changed the repository is not listed.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use pager_answers::{AnswerFile, AnswerPath, SaveOutcome};
use pager_questions::apply::Event;
use pager_questions::{Answer, Record, State};

use super::keeping::{CALL_ENDS_WITHIN, took_too_long, within};
use super::{Service, decisions, saver};
use crate::clock;
use crate::store::Write;

/// How often it looks.
const EVERY: Duration = Duration::from_secs(300);
/// How far back answers are compared with the repository: whatever a crash of the machine may have taken.
pub(super) const LOOKS_BACK: Duration = Duration::from_secs(3 * 24 * 3600);
/// How many open questions are compared at a time.
const PAGE: u32 = 500;
/// How many lost answers are written at a time.
pub(super) const MOST_TOGETHER: usize = 256;

/// What was compared last: there is nothing to compare while both are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Compared {
    head: Option<String>,
    saved: u64,
}

pub(super) async fn run(service: Arc<Service>) {
    let mut compared = None;
    let mut logged = None;
    let mut is_start = true;
    loop {
        if let Err(reason) = save_claims(&service).await {
            tracing::warn!(reason, "the sweeper could not look for answers that wait to be saved");
        }
        match look(&service, compared.clone(), is_start).await {
            Ok(now) => {
                if logged.as_ref() != Some(&now) && decisions::are_all_entered(&service).await {
                    logged = Some(now.clone());
                }
                (compared, is_start) = (Some(now), false);
                find_well(&service).await;
            }
            Err(reason) => {
                tracing::warn!(reason, "the sweeper could not compare the store with the answers repository");
                service.health.trouble(saver::PART, reason);
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Compares the two, when there is something to compare.
async fn look(service: &Service, compared: Option<Compared>, is_start: bool) -> Result<Compared, String> {
    // The number is read first: what is saved meanwhile is compared the next time.
    let saved = service.saving.saved();
    let head = within(service.keeper.head()).await?;
    let now = Compared { head, saved };
    if compared.as_ref() == Some(&now) {
        return Ok(now);
    }
    // The archive is listed at start, when the store may be an old copy; else only for what `answers/` lacks.
    let listed = if is_start { service.keeper.list() } else { service.keeper.live() };
    let kept: HashSet<String> = within(listed).await?.into_iter().collect();
    write_lost(service, &kept, is_start).await?;
    settle_found(service, &kept).await?;
    Ok(now)
}

/// The repository can be read. When it was in trouble, it is tried whether it can be written to, too.
async fn find_well(service: &Service) {
    if service.health.is_well(saver::PART) {
        return;
    }
    match within(service.keeper.check()).await {
        Ok(()) => {
            if service.saving.unsaved().trouble.is_none() {
                service.health.well(saver::PART);
            }
            service.saving.found_well();
        }
        Err(reason) => service.health.trouble(saver::PART, reason),
    }
}

/// Claims older than this are sent to the saver, which ignores those that it has: whoever had the others is gone.
async fn save_claims(service: &Service) -> Result<(), String> {
    let ripe = clock::now().plus_millis(-millis(EVERY));
    for record in service.store.answering().await.map_err(told)? {
        if matches!(&record.state, State::Answering(claim) if claim.answer.at <= ripe) {
            let _ = service.saves.send(record);
        }
    }
    Ok(())
}

/// Answers that the store has and the repository lacks are written again, with the same bytes.
async fn write_lost(service: &Service, kept: &HashSet<String>, is_all: bool) -> Result<(), String> {
    let ended = service.store.ended_since(clock::now().plus_millis(-millis(LOOKS_BACK))).await.map_err(told)?;
    let mut lost: Vec<AnswerFile> = ended.iter().filter_map(file).filter(|file| !kept.contains(file.path.id())).collect();
    if !lost.is_empty() && !is_all {
        let all: HashSet<String> = within(service.keeper.list()).await?.into_iter().collect();
        lost.retain(|file| !all.contains(file.path.id()));
    }
    if lost.is_empty() {
        return Ok(());
    }
    tracing::warn!(count = lost.len(), "the answers repository lacks answers that the store has; they are written again");
    let mut unwritten = None;
    for batch in lost.chunks(MOST_TOGETHER) {
        let saving = tokio::time::timeout(CALL_ENDS_WITHIN, service.keeper.save(batch.to_vec()));
        for outcome in saving.await.map_err(|_| took_too_long())? {
            match outcome {
                SaveOutcome::Saved { .. } => {}
                SaveOutcome::Taken => {
                    unwritten = Some("the id of an answer that it lacked holds something else".to_owned());
                }
                SaveOutcome::Refused { reason } => unwritten = Some(reason),
                SaveOutcome::Unknown { reason, .. } => return Err(reason),
            }
        }
    }
    // An error, so that it is tried again although nothing changes, and that health shows it until then.
    unwritten.map_or(Ok(()), |reason| Err(format!("an answer that was lost could not be written again: {reason}")))
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
    let Some(bytes) = within(service.keeper.read(&path)).await? else { return Ok(()) };
    let answer = serde_json::from_slice::<Answer>(&bytes).ok();
    let own = answer.filter(|answer| {
        answer.id == *id && answer.incarnation == record.question.incarnation && answer.verify(&[service.key.verifying()]).is_ok()
    });
    let (Some(answer), Some(commit)) = (own, within(service.keeper.head()).await?) else {
        tracing::error!(%id, "the answers repository holds something under the id of an open question that this service did not write");
        return Ok(());
    };
    tracing::warn!(%id, "the answers repository has an answer that the store did not know; it counts");
    let is_private = answer.private == Some(true);
    let found = Event::Found { answer: Box::new(answer), commit };
    // Its private words were in the memory of a process that is gone.
    let lost = is_private.then(|| Write::AwaitPrivate(record.question.incarnation.clone()));
    let also: Vec<Write> = lost.into_iter().collect();
    service.change(record.clone(), None, &found, &also).await.map(|_| ()).map_err(told)
}

/// The file of an ended record; ends without an answer, and the one whose path is somebody else's, have none.
pub(super) fn file(record: &Record) -> Option<AnswerFile> {
    let State::Ended { answer, .. } = &record.state else { return None };
    let path = AnswerPath::new(&answer.id).ok()?;
    let beside = decisions::entry(&record.question, answer);
    Some(AnswerFile { path, bytes: answer.file(), message: answer.commit_message(), beside })
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub(super) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
