//! An owner's text in the topic of an open question is its answer. What cannot be one gets a reply; nothing is lost.

use pager_bot::commands::Command;
use pager_bot::intake::{Place, Text};
use pager_bot::render::replies;
use pager_questions::apply::{Refusal, Resolution};
use pager_questions::words::{MOST_CHARACTERS, own_words};
use pager_questions::{By, Record, State, text};

use super::{Door, Origin, handler, request};
use crate::secrets;
use crate::service::{Actor, Named, ServiceError, effects};
use crate::store::{JobKind, Write};

/// Texts this many seconds after one that was too long are its split tail: never an answer.
const SPLIT_TAIL_SECONDS: i64 = 2;

/// Handles an owner's words.
pub(super) async fn words(door: &Door, update: i64, written: Text) -> Result<(), ServiceError> {
    let found = question_of(door, written.at.thread).await?;
    if is_repetition(door, &written).await? || is_tail(door, &written).await? {
        return handler::done(door, update).await;
    }
    let Some(record) = found.as_ref().filter(|record| matches!(record.state, State::Open { .. })) else {
        return request::store(door, update, &written, found.as_ref()).await;
    };
    let mut also = vec![Write::Handled { update }];
    also.extend(remember(door, &written));
    match own_words(&written.text) {
        Ok(resolution) => {
            if let Some(album) = &written.album {
                also.push(Write::Keep { name: album_name(album), value: String::new() });
            }
            if written.has_media {
                also.push(reply(record, update, &written.at, replies::only_the_caption()));
            }
            let origin = written.at.message_id.map(|message| Origin { chat: door.seat.chat_id, message }.write());
            match settle(door, record, &written.at, resolution, origin, &also).await? {
                None => Ok(()),
                // Somebody else was first: then these words answer nothing.
                Some(newest) => request::store(door, update, &written, Some(&newest)).await,
            }
        }
        Err(_) if text::length(&written.text) > MOST_CHARACTERS => {
            also.push(Write::Keep { name: tail_name(&written.at), value: written.at.date.to_string() });
            also.push(reply(record, update, &written.at, replies::too_long(text::length(&written.text))));
            store(door, also).await
        }
        Err(_) => {
            also.push(reply(record, update, &written.at, replies::blank()));
            store(door, also).await
        }
    }
}

/// Handles one of the bot's commands.
pub(super) async fn command(door: &Door, update: i64, at: &Place, command: Command) -> Result<(), ServiceError> {
    let also = vec![Write::Handled { update }];
    let Some(record) = question_of(door, at.thread).await? else { return handler::done(door, update).await };
    let resolution = match command {
        Command::Decline => Resolution::Declined,
        Command::Cancel => Resolution::Cancelled,
        Command::Help => {
            return store(door, [also, vec![reply(&record, update, at, replies::help())]].concat()).await;
        }
    };
    match settle(door, &record, at, resolution, None, &also).await? {
        None => Ok(()),
        Some(_) => store(door, also).await,
    }
}

/// Handles a photo, a voice message, a sticker and the like: only words count. An album gets one reply.
pub(super) async fn without_words(door: &Door, update: i64, at: &Place, album: Option<String>) -> Result<(), ServiceError> {
    let open = question_of(door, at.thread).await?.filter(|record| matches!(record.state, State::Open { .. }));
    let Some(record) = open else { return handler::done(door, update).await };
    let mut writes = vec![Write::Handled { update }];
    let told = match &album {
        Some(album) => {
            let name = album_name(album);
            let told = door.service.store.kept(&name).await?.is_some();
            writes.push(Write::Keep { name, value: String::new() });
            told
        }
        None => false,
    };
    if !told {
        writes.push(reply(&record, update, at, replies::only_text()));
    }
    store(door, writes).await
}

async fn question_of(door: &Door, thread: Option<i64>) -> Result<Option<Record>, ServiceError> {
    let Some(thread) = thread else { return Ok(None) };
    match door.service.store.place_in(door.seat.chat_id, thread).await? {
        Some(place) => Ok(door.service.store.record_of(&place.incarnation).await?),
        None => Ok(None),
    }
}

/// Claims it, with what is to be stored together with that. When it was settled before, nothing is stored and the record
/// given back.
async fn settle(
    door: &Door,
    record: &Record,
    at: &Place,
    resolution: Resolution,
    origin: Option<String>,
    also: &[Write],
) -> Result<Option<Record>, ServiceError> {
    let actor = Actor { by: By::telegram(at.user), token: None };
    let named = Named::Incarnation(record.question.incarnation.clone());
    match door.service.decide(&actor, &named, |_| Ok(resolution.clone()), origin, also).await {
        Ok(_) => Ok(None),
        Err(ServiceError::Refused(Refusal::Answering | Refusal::AlreadyAnswered | Refusal::Withdrawn, newest)) => {
            Ok(Some(*newest))
        }
        Err(error) => Err(error),
    }
}

fn reply(record: &Record, update: i64, at: &Place, text: String) -> Write {
    let id = format!("{}-update-{update}", record.question.incarnation);
    Write::AddJob(effects::job(id, record, JobKind::Reply { thread: at.thread, to: at.message_id, text }))
}

pub(super) async fn store(door: &Door, writes: Vec<Write>) -> Result<(), ServiceError> {
    door.service.store.commit(writes).await?;
    door.service.outbox.notify_one();
    Ok(())
}

/// Telegram reports edits that changed nothing. Only words that differ from the last ones of that message count again.
async fn is_repetition(door: &Door, written: &Text) -> Result<bool, ServiceError> {
    Ok(written.edited && remembered(door, written).await?.is_some_and(|seen| seen == secrets::hash(&written.text)))
}

/// The hash of the last words of that message.
pub(super) async fn remembered(door: &Door, written: &Text) -> Result<Option<String>, ServiceError> {
    let Some(name) = text_name(door, written) else { return Ok(None) };
    Ok(door.service.store.kept(&name).await?)
}

/// Keeps the hash of these words.
pub(super) fn remember(door: &Door, written: &Text) -> Option<Write> {
    text_name(door, written).map(|name| Write::Keep { name, value: secrets::hash(&written.text) })
}

fn text_name(door: &Door, written: &Text) -> Option<String> {
    written.at.message_id.map(|message| format!("text:{}:{message}", door.seat.chat_id))
}

async fn is_tail(door: &Door, written: &Text) -> Result<bool, ServiceError> {
    let began = door.service.store.kept(&tail_name(&written.at)).await?;
    let began = began.and_then(|date| date.parse::<i64>().ok());
    Ok(!written.edited && began.is_some_and(|began| (0..=SPLIT_TAIL_SECONDS).contains(&(written.at.date - began))))
}

fn album_name(album: &str) -> String {
    format!("album:{album}")
}

fn tail_name(at: &Place) -> String {
    format!("too-long:{}:{}", at.user, at.thread.unwrap_or_default())
}
