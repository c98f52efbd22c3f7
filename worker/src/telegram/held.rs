//! Words that look like a secret are held back: the question stays open, and a button sends them all the same. What it sends is
//! the update that brought them, as it was stored; the button itself and what is kept of it hold no word of them. It is taken away
//! when its time is over, when a press comes too late and when the question has ended.

use pager_bot::commands::{Command, keyed as split};
use pager_bot::intake::{self, HeldPress, Intent, Place};
use pager_bot::render::{held, toasts};
use pager_questions::words::own_words;
use pager_questions::{By, Record, State};

use super::sender::Outcome;
use super::{Door, Origin, handler, press, text};
use crate::clock;
use crate::service::{Actor, Named, ServiceError, Spoken, Words, effects};
use crate::store::{Job, JobKind, JobState, Write};

/// For how long the button is good.
const GOOD_FOR_MILLIS: i64 = held::MINUTES * 60 * 1000;

/// Stores that words are held back: the reply with the button, and that these are the newest words of their message. Of `also`
/// goes what was to be said had the words counted.
pub(super) async fn hold(
    door: &Door,
    record: &Record,
    update: i64,
    at: &Place,
    looks: &str,
    also: &[Write],
) -> Result<(), ServiceError> {
    let incarnation = &record.question.incarnation;
    let kind = JobKind::HoldBack { thread: at.thread, to: at.message_id, update, looks: looks.to_owned() };
    let mut writes: Vec<Write> = also.iter().filter(|write| !matches!(write, Write::AddJob(_))).cloned().collect();
    writes.push(Write::AddJob(effects::job(format!("{incarnation}-held-{update}"), record, kind)));
    writes.push(Write::Keep { name: name(door, at, update), value: format!("{incarnation}:{update}") });
    text::store(door, writes).await
}

/// Handles a press of the button.
pub(super) async fn pressed(door: &Door, update: i64, pressed: HeldPress) -> Result<(), ServiceError> {
    let toast = match send(door, update, &pressed).await? {
        Some(toast) => {
            handler::done(door, update).await?;
            toast
        }
        None => String::new(),
    };
    press::toast(door, pressed.callback_id, toast);
    Ok(())
}

/// Claims the question for the words, or says why not.
async fn send(door: &Door, update: i64, pressed: &HeldPress) -> Result<Option<String>, ServiceError> {
    let store = &door.service.store;
    let Some(record) = store.record_of(&pressed.button.incarnation).await? else {
        return Ok(Some(toasts::unknown_button()));
    };
    let taken = taken_now(door, &record, pressed.message_id);
    if !matches!(record.state, State::Open { .. }) {
        // Should an answer that is being saved be refused, the button is of use again.
        if record.is_over() {
            text::store(door, taken).await?;
        }
        return Ok(Some(toasts::ended(&record, &door.zone)));
    }
    let Some((at, words)) = words(door, pressed.button.update).await? else {
        text::store(door, taken).await?;
        return Ok(Some(held::too_late()));
    };
    if at.user != pressed.user {
        tracing::info!(update, "somebody else than their author wants to send words that were held back");
        return Ok(Some(held::not_your_words()));
    }
    let expected = format!("{}:{}", pressed.button.incarnation, pressed.button.update);
    let (Ok(resolution), true) =
        (own_words(&words), store.kept(&name(door, &at, pressed.button.update)).await? == Some(expected))
    else {
        text::store(door, taken).await?;
        return Ok(Some(held::too_late()));
    };
    let origin = at.message_id.map(|message| Origin { chat: door.seat.chat_id, message }.write());
    // The press counts, not when the words were written.
    let spoken = Spoken { origin, ..Spoken::by_press() };
    let actor = Actor { by: By::telegram(at.user), token: None };
    let named = Named::Incarnation(pressed.button.incarnation.clone());
    let also = [Write::Handled { update }];
    match door.service.decide(&actor, &named, Words::Meant, |_| Ok(resolution.clone()), spoken, &also).await {
        Ok(_) => Ok(None),
        Err(ServiceError::Refused(_, newest)) => Ok(Some(toasts::ended(&newest, &door.zone))),
        Err(error) => Err(error),
    }
}

/// The words of an update that came within the time, read as they were the first time.
async fn words(door: &Door, update: i64) -> Result<Option<(Place, String)>, ServiceError> {
    let since = clock::now().plus_millis(-GOOD_FOR_MILLIS);
    let received = door.service.store.updates_with("update_id", since).await?;
    let Some(body) = received.into_iter().find(|received| received.id == update).map(|received| received.body) else {
        return Ok(None);
    };
    let raw = serde_json::from_str(&body).map_err(|error| ServiceError::Unusable(error.to_string()))?;
    Ok(match intake::read(&raw, &door.seat) {
        Intent::Text(written) => Some((written.at, written.text)),
        Intent::Command { at, command: Command::Answer, rest, .. } => split(&rest).map(|(_, words)| (at, words.to_owned())),
        _ => None,
    })
}

/// Sends the reply with the button, where the words stand.
pub(super) async fn reply(door: &Door, record: &Record, place: (Option<i64>, Option<i64>), update: i64, looks: &str) -> Outcome {
    let button = pager_bot::callback::HeldButton { incarnation: record.question.incarnation.clone(), update };
    let message = held::held_back(looks, &button);
    let chat = door.seat.chat_id;
    match door.api.reply_with(chat, place.0, place.1, &message).await {
        Ok(sent) => {
            let mut job = take_button(record, chat, sent.message_id);
            job.due_at = job.due_at.plus_millis(GOOD_FOR_MILLIS);
            Outcome::Done(vec![Write::AddJob(job)])
        }
        Err(failure) => Outcome::Failed(failure),
    }
}

/// What takes the buttons of an ended question away now, and not only once their time is over.
pub(super) async fn of_no_use(door: &Door, record: &Record) -> Result<Vec<Write>, ServiceError> {
    let jobs = door.service.store.jobs_of(&record.question.incarnation).await?;
    let takes = |job: &Job| matches!(job.kind, JobKind::TakeButton { .. }) && job.state == JobState::Waiting;
    let now = clock::now();
    let hurried = |job: Job| Write::Retry { job: job.id, due_at: now, attempts: job.attempts };
    Ok(jobs.into_iter().filter(takes).map(hurried).collect())
}

/// The same for the one button that was pressed, also when nobody told us of its message.
fn taken_now(door: &Door, record: &Record, message: Option<i64>) -> Vec<Write> {
    let Some(message) = message else { return Vec::new() };
    let job = take_button(record, door.seat.chat_id, message);
    let hurry = Write::Retry { job: job.id.clone(), due_at: job.due_at, attempts: 0 };
    vec![Write::AddJob(job), hurry]
}

fn take_button(record: &Record, chat: i64, message: i64) -> Job {
    let id = format!("{}-button-{chat}-{message}", record.question.incarnation);
    effects::job(id, record, JobKind::TakeButton { chat, message })
}

/// Under which it is kept what was held back last of a message: edited, its earlier words count no more.
fn name(door: &Door, at: &Place, update: i64) -> String {
    match at.message_id {
        Some(message) => format!("held:{}:{message}", door.seat.chat_id),
        None => format!("held:update:{update}"),
    }
}
