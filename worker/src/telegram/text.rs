//! An owner's text in the topic of an open question is its answer. What cannot be one gets a reply; nothing is lost.

use pager_bot::intake::{Place, Text};
use pager_bot::render::replies;
use pager_questions::apply::{Refusal, Resolution};
use pager_questions::words::{MOST_CHARACTERS, own_words};
use pager_questions::{By, Record, State, text};

use super::{Door, Origin, handler, held, private, request, threads};
use crate::service::{Actor, Named, ServiceError, Spoken, Words, effects};
use crate::store::{JobKind, Write};
use crate::{clock, secrets};

/// Texts this many seconds after one that was too long are its split tail: never an answer.
const SPLIT_TAIL_SECONDS: i64 = 2;

/// Telegram lets people edit for two days.
const EDITS_TAKE_MILLIS: i64 = 2 * 24 * 60 * 60 * 1000;

/// Handles an owner's words.
pub(super) async fn words(door: &Door, update: i64, written: Text) -> Result<(), ServiceError> {
    let found = question_of(door, written.at.thread).await?;
    if let Some(record) = found.as_ref().filter(|record| record.question.secret) {
        return private::words(door, update, &written, record).await;
    }
    if is_repetition(door, &written).await? || is_tail(door, &written).await? {
        return handler::done(door, update).await;
    }
    if let Some(of) = threads::request_in(door, written.at.thread).await? {
        return threads::words(door, update, &written, &of).await;
    }
    let Some(record) = found.as_ref().filter(|record| matches!(record.state, State::Open { .. })) else {
        if let Some(record) = &found
            && threads::words_late(door, update, &written, record).await?
        {
            return Ok(());
        }
        return request::store(door, update, &written, found.as_ref()).await;
    };
    let mut also = vec![Write::Handled { update }];
    also.extend(remember(door, &written));
    let takes_words = record.question.purpose.rules().takes_words;
    if own_words(&written.text).is_ok() || !takes_words {
        if let Some(album) = &written.album {
            also.push(told_of_album(album));
        }
        if written.has_media && takes_words {
            also.push(reply(door, record, update, &written.at, replies::only_the_caption()));
        }
    }
    match answer(door, update, record, &written.at, &written.text, &also).await? {
        None => Ok(()),
        // It ended meanwhile: then these words answer nothing.
        Some(newest) if threads::words_late(door, update, &written, &newest).await? => Ok(()),
        Some(newest) => request::store(door, update, &written, Some(&newest)).await,
    }
}

/// Takes these words as the answer of an open question, or says why they cannot be one. When it was settled before,
/// nothing is stored and the record given back.
pub(super) async fn answer(
    door: &Door,
    update: i64,
    record: &Record,
    at: &Place,
    words: &str,
    also: &[Write],
) -> Result<Option<Record>, ServiceError> {
    let mut refused = also.to_vec();
    if !record.question.purpose.rules().takes_words {
        // One reply is enough also for what a client split.
        refused.extend((text::length(words) > MOST_CHARACTERS).then(|| begins_tail(at)));
        refused.push(reply(door, record, update, at, replies::takes_no_words(&record.question, at.thread.is_some())));
        return store(door, refused).await.map(|()| None);
    }
    match own_words(words) {
        Ok(resolution) => {
            // A message with private words is deleted: nothing is put on it.
            let origin = at
                .message_id
                .filter(|_| !record.question.secret)
                .map(|message| Origin { chat: door.seat.chat_id, message }.write());
            return match settle(door, record, at, resolution, origin, also).await {
                Err(ServiceError::LooksSecret(looks)) => held::hold(door, record, update, at, looks, also).await.map(|()| None),
                outcome => outcome,
            };
        }
        Err(_) if text::length(words) > MOST_CHARACTERS => {
            refused.push(begins_tail(at));
            refused.push(reply(door, record, update, at, replies::too_long(text::length(words))));
        }
        Err(_) => refused.push(reply(door, record, update, at, replies::blank())),
    }
    store(door, refused).await.map(|()| None)
}

/// Keeps the moment of a text that was not taken: what its client split off it is none of its own.
pub(super) fn begins_tail(at: &Place) -> Write {
    Write::Keep { name: tail_name(at), value: at.date.to_string() }
}

/// Handles a photo, a voice message, a sticker and the like: only words count. An album gets one reply.
pub(super) async fn without_words(door: &Door, update: i64, at: &Place, album: Option<String>) -> Result<(), ServiceError> {
    let open = question_of(door, at.thread).await?.filter(|record| matches!(record.state, State::Open { .. }));
    let said = match open {
        Some(record) => reply(door, &record, update, at, replies::only_text(&record.question)),
        None if threads::request_in(door, at.thread).await?.is_some() => {
            threads::say(door, update, at, replies::only_text_in_thread())
        }
        None => return handler::done(door, update).await,
    };
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
        writes.push(said);
    }
    store(door, writes).await
}

/// The question whose topic this is.
pub(super) async fn question_of(door: &Door, thread: Option<i64>) -> Result<Option<Record>, ServiceError> {
    let Some(thread) = thread else { return Ok(None) };
    match door.service.store.place_in(door.seat.chat_id, thread).await? {
        Some(place) => Ok(door.service.store.record_of(&place.incarnation).await?),
        None => Ok(None),
    }
}

/// Claims a question for what its owner decided, with what is to be stored together with that. When it was settled
/// before, nothing is stored and the record given back.
pub(super) async fn settle(
    door: &Door,
    record: &Record,
    at: &Place,
    resolution: Resolution,
    origin: Option<String>,
    also: &[Write],
) -> Result<Option<Record>, ServiceError> {
    let actor = Actor { by: By::telegram(at.user), token: None };
    let named = Named::Incarnation(record.question.incarnation.clone());
    let spoken = Spoken::in_message(at.date, origin);
    match door.service.decide(&actor, &named, Words::Checked, |_| Ok(resolution.clone()), spoken, also).await {
        Ok(_) => Ok(None),
        Err(ServiceError::Refused(Refusal::Answering | Refusal::AlreadyAnswered | Refusal::Withdrawn, newest)) => {
            Ok(Some(*newest))
        }
        Err(error) => Err(error),
    }
}

/// A reply about a question, where the text stands that it replies to.
pub(super) fn reply(door: &Door, record: &Record, update: i64, at: &Place, text: String) -> Write {
    let id = format!("{}-update-{update}", record.question.incarnation);
    let (thread, to) = (at.thread, at.message_id);
    Write::AddJob(match thread {
        Some(_) => effects::job(id, record, JobKind::Reply { thread, to, text }),
        None => effects::job_about_none(id, JobKind::Say { chat: door.seat.chat_id, thread, to, text }),
    })
}

/// Stores, and rings the outbox.
pub(super) async fn store(door: &Door, writes: Vec<Write>) -> Result<(), ServiceError> {
    door.service.store.commit(writes).await?;
    door.service.outbox.notify_one();
    Ok(())
}

/// Telegram reports edits that changed nothing. Only words that differ from the last ones of that message count again.
async fn is_repetition(door: &Door, written: &Text) -> Result<bool, ServiceError> {
    Ok(written.edited
        && (is_old(&written.at) || remembered(door, written).await?.is_some_and(|seen| seen == secrets::hash(&written.text))))
}

/// Nobody can have edited that lately; what was kept of the message may be forgotten.
pub(super) fn is_old(at: &Place) -> bool {
    clock::now().as_millis() - at.date.saturating_mul(1000) > EDITS_TAKE_MILLIS
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

pub(super) async fn is_tail(door: &Door, written: &Text) -> Result<bool, ServiceError> {
    let began = door.service.store.kept(&tail_name(&written.at)).await?;
    let began = began.and_then(|date| date.parse::<i64>().ok());
    Ok(!written.edited && began.is_some_and(|began| (0..=SPLIT_TAIL_SECONDS).contains(&(written.at.date - began))))
}

/// Keeps that a part of this album was replied to.
pub(super) fn told_of_album(album: &str) -> Write {
    Write::Keep { name: album_name(album), value: String::new() }
}

fn album_name(album: &str) -> String {
    format!("album:{album}")
}

fn tail_name(at: &Place) -> String {
    format!("too-long:{}:{}", at.user, at.thread.unwrap_or_default())
}
