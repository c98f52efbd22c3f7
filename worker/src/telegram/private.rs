//! Texts for secret questions: an owner's words go to the agent alone, the message that carried them is deleted, and nothing of
//! them is kept, whatever becomes of them. Words that a restart lost are asked for once more.

use pager_bot::intake::{self, Intent, Place, Text};
use pager_bot::render::{late, replies};
use pager_bot::{Failure, Kind, key};
use pager_questions::words::own_words;
use pager_questions::{Incarnation, Record, State};
use serde_json::Value;

use super::sender::Outcome;
use super::{Door, handler, text};
use crate::service::{ServiceError, asked_again, effects};
use crate::store::{Job, JobKind, Write};
use crate::{clock, crash};

/// How many questions one key may mean.
const MOST_MEANT: u32 = 10;

/// Handles an owner's text in the topic of a secret question.
pub(super) async fn words(door: &Door, update: i64, written: &Text, record: &Record) -> Result<(), ServiceError> {
    let mut also = settled(door, record, update, &written.at);
    if text::is_tail(door, written).await? {
        return text::store(door, also).await;
    }
    if own_words(&written.text).is_ok() && written.has_media {
        also.extend(written.album.as_deref().map(text::told_of_album));
        also.push(text::reply(door, record, update, &written.at, replies::only_the_caption()));
    }
    take(door, update, record, &written.at, &written.text, &also).await
}

/// Handles `/answer KEY words` for a secret question.
pub(super) async fn answer(door: &Door, update: i64, record: &Record, at: &Place, words: &str) -> Result<(), ServiceError> {
    take(door, update, record, at, words, &settled(door, record, update, at)).await
}

/// The secret question that a key means, if it means one: the only open one, else one whose words were lost, else one that ended.
pub(super) async fn meant(door: &Door, typed: &str) -> Result<Option<Record>, ServiceError> {
    let Some(key) = key::read(typed) else { return Ok(None) };
    let found = door.service.store.with_key(&key, MOST_MEANT).await?;
    let mut open = found.iter().filter(|record| matches!(record.state, State::Open { .. }));
    match (open.next(), open.next()) {
        (Some(one), None) => return Ok(Some(one.clone()).filter(|record| record.question.secret)),
        (Some(_), Some(_)) => return Ok(None),
        (None, _) => {}
    }
    for record in &found {
        if door.service.lost_words(record).await?.is_some() {
            return Ok(Some(record.clone()));
        }
    }
    Ok(found.into_iter().next().filter(|record| record.question.secret))
}

/// Handles a caption behind `/answer`, outside of topics: only a text counts there, and this one may be private.
pub(super) async fn misplaced(door: &Door, update: i64, at: &Place, words: &str) -> Result<(), ServiceError> {
    let typed = words.split_whitespace().nth(1).unwrap_or_default();
    match meant(door, typed).await? {
        Some(record) => refuse(door, update, &record, at, replies::only_text(&record.question)).await,
        None => tell(door, update, at, replies::how_to_answer()).await,
    }
}

/// Handles something that is no answer and was written for a secret question: nothing of it is kept.
pub(super) async fn refuse(door: &Door, update: i64, record: &Record, at: &Place, reply: String) -> Result<(), ServiceError> {
    let mut writes = settled(door, record, update, at);
    writes.push(text::reply(door, record, update, at, reply));
    text::store(door, writes).await
}

/// Handles an update whose words were held in memory when pagerd was restarted.
pub(super) async fn lost(door: &Door, update: i64, bare: &Value, about: Option<Incarnation>) -> Result<(), ServiceError> {
    let Intent::Text(Text { at, .. }) = intake::read(bare, &door.seat) else { return handler::done(door, update).await };
    let record = match about {
        Some(incarnation) => door.service.store.record_of(&incarnation).await?,
        None => None,
    };
    if let Some(record) = record {
        return refuse(door, update, &record, &at, replies::write_it_again()).await;
    }
    tell(door, update, &at, replies::write_it_again()).await
}

/// Replies where it is not known which question is meant.
async fn tell(door: &Door, update: i64, at: &Place, text: String) -> Result<(), ServiceError> {
    let kind = JobKind::Say { chat: door.seat.chat_id, thread: at.thread, to: at.message_id, text };
    let say = Write::AddJob(effects::job_about_none(format!("update-{update}"), kind));
    text::store(door, vec![Write::Handled { update }, say]).await
}

/// Deletes a message that carried private words. Where the bot may not, its owner is asked to.
pub(super) async fn delete(door: &Door, job: &Job, record: &Record, chat: i64, thread: Option<i64>, message: i64) -> Outcome {
    let deleted = door.api.delete(chat, message).await;
    crash::point("delete.called");
    match deleted {
        Ok(()) | Err(Failure::Permanent { kind: Kind::MessageGone, .. }) => Outcome::done(),
        Err(Failure::Permanent { kind: Kind::NotDeletable | Kind::NoRights, .. }) => {
            let (id, text, to) = (format!("{}-by-hand", job.id), replies::delete_by_hand(), Some(message));
            Outcome::Done(vec![Write::AddJob(match thread {
                Some(_) => effects::job(id, record, JobKind::Reply { thread, to, text }),
                None => effects::job_about_none(id, JobKind::Say { chat, thread, to, text }),
            })])
        }
        Err(failure) => Outcome::Failed(failure),
    }
}

/// Asks for private words that a restart lost: once for each loss.
pub(super) async fn ask_again(door: &Door) -> Result<(), ServiceError> {
    for record in door.service.all_lost().await? {
        let name = asked_again(&record.question.incarnation);
        if door.service.store.kept(&name).await?.is_some_and(|asked| !asked.is_empty()) {
            continue;
        }
        let now = clock::now();
        let text = replies::private_words_lost(&record.question, door.kind().has_topics());
        let id = format!("{}-lost-{}", record.question.incarnation, now.as_millis());
        let line = effects::job(id, &record, JobKind::Reply { thread: None, to: None, text });
        text::store(door, vec![Write::AddJob(line), Write::Keep { name, value: now.to_string() }]).await?;
    }
    Ok(())
}

/// Takes words as the answer, or as the lost words of one; or says that they are too late.
async fn take(door: &Door, update: i64, record: &Record, at: &Place, words: &str, also: &[Write]) -> Result<(), ServiceError> {
    match text::answer(door, update, record, at, words, also).await? {
        None => Ok(()),
        Some(newest) => {
            let happened = late::happened(&newest, &door.zone).map(|happened| format!("{happened}\n"));
            let reply = format!("{}{}", happened.unwrap_or_default(), replies::nothing_kept());
            refuse(door, update, record, at, reply).await
        }
    }
}

/// The update is handled, and its message is to be deleted.
fn settled(door: &Door, record: &Record, update: i64, at: &Place) -> Vec<Write> {
    let id = format!("{}-delete-{update}", record.question.incarnation);
    let chat = door.seat.chat_id;
    let kind = |message| JobKind::DeleteMessage { chat, thread: at.thread, message };
    let delete = at.message_id.map(|message| Write::AddJob(effects::job(id, record, kind(message))));
    std::iter::once(Write::Handled { update }).chain(delete).collect()
}
