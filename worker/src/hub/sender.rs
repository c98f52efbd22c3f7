//! Sends one event after the other, at least once each, and keeps GitHub's pace. An event is gone from the store only once
//! GitHub took it; what GitHub refuses for good is told where people look.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use pager_answers::github::{Call, Failure, GitHub, RepositoryName};
use pager_bot::render::replies;
use serde_json::json;

use super::{PART, payload};
use crate::service::{Service, effects};
use crate::store::{Dispatch, DispatchKind, JobKind, Stored, Write};
use crate::{clock, crash};

/// It looks again by itself, should a ring have been missed.
const LOOKS_AGAIN: Duration = Duration::from_secs(30);
/// GitHub asks for a second between calls that make something.
const BETWEEN: Duration = Duration::from_secs(1);
/// The pauses after tries with an unknown outcome: doubling, up to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(60);
/// How long an event is tried that GitHub refuses for a reason that somebody can mend, and how often.
const MENDED_WITHIN_MILLIS: i64 = 24 * 60 * 60 * 1000;
const MENDED_PAUSE_MILLIS: i64 = 5 * 60 * 1000;

/// Sends until the service ends; a call that is under way then is finished first.
pub(super) async fn run(service: Arc<Service>, github: Arc<GitHub>, repository: RepositoryName) {
    let mut failures: u32 = 0;
    while !service.ending.is_cancelled() {
        let (wait, rings) = match step(&service, &github, &repository, &mut failures).await {
            Ok(next) => next,
            Err(error) => {
                tracing::error!(%error, "the events for GitHub could not be worked on");
                (FIRST_PAUSE, false)
            }
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = service.outlet.rung.notified(), if rings => {}
            () = service.ending.cancelled() => {}
        }
    }
}

/// Sends what is next; how long nothing is done after that, and whether a ring ends this wait.
async fn step(service: &Service, github: &GitHub, repository: &RepositoryName, failures: &mut u32) -> Stored<(Duration, bool)> {
    let now = clock::now();
    let Some(dispatch) = service.store.next_dispatch(now).await? else {
        let due = service.store.next_dispatch_due().await?;
        let wait = due.map(|due| Duration::from_millis(u64::try_from(due.as_millis() - now.as_millis()).unwrap_or(0).max(1)));
        return Ok((wait.unwrap_or(LOOKS_AGAIN).min(LOOKS_AGAIN), true));
    };
    let Some(payload) = payload::of(service, &dispatch).await? else {
        service.store.commit(vec![Write::FinishDispatch { id: dispatch.id }]).await?;
        return Ok((Duration::ZERO, false));
    };
    crash::point("dispatch.taken");
    let event = dispatch.kind.event_type();
    let call = Call::new(Method::POST, format!("{}/dispatches", repository.route()));
    let outcome = github.call(repository, call.body(json!({"event_type": event, "client_payload": payload}))).await;
    crash::point("dispatch.called");
    let failure = match outcome {
        Ok(reply) if reply.status == 204 => None,
        Ok(reply) => Some(reply.failure()),
        Err(failure) => Some(failure),
    };
    let Some(failure) = failure else {
        *failures = 0;
        service.metrics.dispatched(event, "taken");
        service.health.well(PART);
        service.store.commit(taken(dispatch)).await?;
        crash::point("dispatch.stored");
        service.outbox.notify_one();
        return Ok((BETWEEN, false));
    };
    service.health.trouble(PART, failure.reason());
    tracing::warn!(event, id = dispatch.id, reason = failure.reason(), "an event was not taken");
    let (outcome, wait, write) = match &failure {
        Failure::Limited { pause, .. } => ("limited", *pause, again(&dispatch, *pause, dispatch.attempts)),
        Failure::Unknown { .. } => {
            let pause = FIRST_PAUSE.saturating_mul(1 << (*failures).min(10)).min(LAST_PAUSE);
            *failures = failures.saturating_add(1);
            ("unknown", pause, again(&dispatch, pause, dispatch.attempts + 1))
        }
        Failure::Refused { status, reason } => ("refused", BETWEEN, refused(service, &dispatch, *status, reason).await?),
    };
    service.metrics.dispatched(event, outcome);
    service.store.commit(write).await?;
    service.outbox.notify_one();
    Ok((wait, false))
}

/// What follows once GitHub took it: the owner sees 👀.
fn taken(dispatch: Dispatch) -> Vec<Write> {
    let mut writes = vec![Write::FinishDispatch { id: dispatch.id }];
    if let DispatchKind::Text { request, reply, chat: Some(chat), message: Some(message), .. } = dispatch.kind {
        let named = reply.map_or_else(|| request.to_string(), |reply| reply.to_string());
        writes.push(Write::AddJob(effects::job_about_none(format!("{named}-see"), JobKind::See { chat, message })));
    }
    writes
}

fn again(dispatch: &Dispatch, pause: Duration, attempts: u32) -> Vec<Write> {
    let due_at = clock::now().plus_millis(i64::try_from(pause.as_millis()).unwrap_or(i64::MAX));
    vec![Write::RetryDispatch { id: dispatch.id.clone(), due_at, attempts }]
}

/// What follows from a refusal. What somebody can mend is tried for a day. The writer of a text is told at the first refusal,
/// once, and it stays stored as a request; nobody looks at a run that was not woken until it is given up.
async fn refused(service: &Service, dispatch: &Dispatch, status: u16, reason: &str) -> Stored<Vec<Write>> {
    let id = dispatch.id.clone();
    let age = clock::now().as_millis() - dispatch.made_at.as_millis();
    let may_be_mended = matches!(status, 401 | 403 | 404) && age < MENDED_WITHIN_MILLIS;
    // Those behind it go their way; and a text in a line of its own is one whose writer was told.
    let outcome = if may_be_mended {
        let (due_at, attempts) = (clock::now().plus_millis(MENDED_PAUSE_MILLIS), dispatch.attempts + 1);
        Write::SetAsideDispatch { id, due_at, attempts }
    } else {
        Write::FailDispatch { id, reason: reason.to_owned() }
    };
    match &dispatch.kind {
        DispatchKind::Text { .. } if dispatch.line == dispatch.id => {
            if !may_be_mended {
                tracing::error!(id = dispatch.id, reason, "GitHub refuses a text for good; it is given up");
            }
            Ok(vec![outcome])
        }
        DispatchKind::Text { request, chat: None, .. } => {
            // Nobody has a message to reply to: it stands in the list of requests, and the log says what became of it.
            tracing::error!(id = dispatch.id, %request, reason, "GitHub refuses a text that was written on the page");
            Ok(vec![outcome])
        }
        DispatchKind::Text { request, reply, chat: Some(chat), topic, message, .. } => {
            let named = reply.as_ref().map_or_else(|| request.to_string(), |reply| reply.to_string());
            let words = if may_be_mended { replies::not_passed_on_yet } else { replies::not_passed_on };
            let say = JobKind::Say { chat: *chat, thread: *topic, to: *message, text: words(request.as_str(), reason) };
            Ok(vec![outcome, Write::AddJob(effects::job_about_none(format!("{named}-refused"), say))])
        }
        DispatchKind::Answered { .. } if may_be_mended => Ok(vec![outcome]),
        DispatchKind::Answered { incarnation, .. } => {
            tracing::error!(id = dispatch.id, reason, "GitHub refuses a wake-up for good; it is given up");
            let mut writes = vec![outcome];
            if let Some(record) = service.store.record_of(incarnation).await?.filter(|_| service.has_telegram) {
                let reply = JobKind::Reply { thread: None, to: None, text: replies::not_woken(reason) };
                writes.push(Write::AddJob(effects::job(format!("{}-not-woken", dispatch.id), &record, reply)));
            }
            Ok(writes)
        }
    }
}
