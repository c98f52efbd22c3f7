//! The bot's own commands. In a question's topic they are about that question; elsewhere a key names it; the others are
//! about none. Nothing here is ever an answer but what stands behind `/answer`.

use pager_bot::commands::{Command, keyed as split};
use pager_bot::intake::{Place, Text};
use pager_bot::key;
use pager_bot::render::{replies, toasts};
use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::{Author, By, Outcome, Party, Record, State};

use super::keyed::{self, Meant};
use super::{Door, handler, mute, private, text, threads};
use crate::secrets;
use crate::service::{ServiceError, effects};
use crate::store::{JobKind, Write};

/// How many questions `/open` lists.
const LISTED: u32 = 10;

/// A command as it was written.
pub(super) struct Said {
    /// In which chat.
    pub(super) chat: i64,
    /// Where and by whom.
    pub(super) at: Place,
    /// Which.
    pub(super) command: Command,
    /// What stands behind it.
    pub(super) rest: String,
    /// It came by editing an older message.
    pub(super) edited: bool,
    /// Words in it are private: nothing is made of them that is stored.
    pub(super) is_private: bool,
}

/// Handles it.
pub(super) async fn handle(door: &Door, update: i64, said: &Said) -> Result<(), ServiceError> {
    if is_repetition(door, said).await? {
        return handler::done(door, update).await;
    }
    let mut also = vec![Write::Handled { update }];
    also.extend(name(said).filter(|_| !said.is_private).map(|name| Write::Keep { name, value: content(said) }));
    match said.command {
        Command::Decline => end(door, update, said, Resolution::Declined, also).await,
        Command::Cancel => end(door, update, said, Resolution::Cancelled(CancelReason::OwnerCancelled), also).await,
        Command::Answer => answer(door, update, said, also).await,
        Command::Help => {
            let help = if is_configured(door, said) { replies::help(door.kind()) } else { replies::help_in_private() };
            tell(door, update, said, help, also).await
        }
        Command::Open => {
            let listed = door.service.store.open(LISTED, None).await?;
            let records: Vec<_> = listed.into_iter().map(|listed| listed.record).collect();
            let count = door.service.store.count_open().await?;
            tell(door, update, said, replies::open(&records, count, door.kind()), also).await
        }
        Command::Status => {
            let unanswered = door.service.unanswered(&Party::Owner).await?;
            let count = door.service.store.count_open().await?;
            tell(door, update, said, replies::status(count, &unanswered), also).await
        }
        Command::Mute => {
            let (reply, write) = mute::command(door, &said.rest).await?;
            also.extend(write);
            tell(door, update, said, reply, also).await
        }
        Command::Login if said.chat == said.at.user => {
            let kind = JobKind::SendLogin { chat: said.chat, thread: said.at.thread, to: said.at.message_id, user: said.at.user };
            also.push(Write::AddJob(effects::job_about_none(format!("update-{update}"), kind)));
            text::store(door, also).await
        }
        Command::Login => tell(door, update, said, replies::login_in_private(&door.seat.bot_username), also).await,
    }
}

/// `/decline` and `/cancel`: of the topic's question, else of the one that is named.
async fn end(door: &Door, update: i64, said: &Said, resolution: Resolution, also: Vec<Write>) -> Result<(), ServiceError> {
    if let Some(record) = text::question_of(door, said.at.thread).await? {
        let late = text::settle(door, &record, &said.at, resolution, None, &also).await?;
        return or_tell(door, update, said, late, also).await;
    }
    match split(&said.rest) {
        None => tell(door, update, said, replies::no_question_here(door.kind()), also).await,
        Some((typed, _)) => match keyed::find(door, typed).await? {
            Meant::Open(record) if resolution == Resolution::Declined && record.question.put_to.is_some() => {
                tell(door, update, said, put_to(&record), also).await
            }
            Meant::Open(record) => {
                let late = text::settle(door, &record, &said.at, resolution, None, &also).await?;
                or_tell(door, update, said, late, also).await
            }
            Meant::None(reply) | Meant::Late(_, reply) => tell(door, update, said, reply, also).await,
        },
    }
}

/// `/answer KEY words`.
async fn answer(door: &Door, update: i64, said: &Said, mut also: Vec<Write>) -> Result<(), ServiceError> {
    let Some((typed, words)) = split(&said.rest).filter(|(typed, words)| key::read(typed).is_none() || !words.is_empty()) else {
        return tell(door, update, said, replies::how_to_answer(), also).await;
    };
    if let Some(record) = private::meant(door, typed).await? {
        return private::answer(door, update, &record, &said.at, words).await;
    }
    if said.is_private && key::read(typed).is_none() {
        // What stands where a key should be may be one of the words.
        return match text::question_of(door, said.at.thread).await?.filter(|record| record.question.secret) {
            Some(record) => private::refuse(door, update, &record, &said.at, replies::how_to_answer()).await,
            None => tell(door, update, said, replies::how_to_answer(), also).await,
        };
    }
    match keyed::find(door, typed).await? {
        Meant::Open(record) if record.question.put_to.is_some() => {
            also.push(text::begins_tail(&said.at));
            tell(door, update, said, put_to(&record), also).await
        }
        Meant::Open(record) => match text::answer(door, update, &record, &said.at, words, &also).await? {
            Some(newest) if pick_late(door, update, said, words, &newest).await? => Ok(()),
            late => or_tell(door, update, said, late, also).await,
        },
        Meant::Late(record, reply) => match pick_late(door, update, said, words, &record).await? {
            true => Ok(()),
            false => tell(door, update, said, reply, also).await,
        },
        Meant::None(reply) => {
            // Its tail, should a client have split it, is no text of its own.
            also.push(text::begins_tail(&said.at));
            tell(door, update, said, reply, also).await
        }
    }
}

/// To what only the agent may settle that it is put to: an owner can call it off.
fn put_to(record: &Record) -> String {
    let agent = record.question.put_to.as_ref().map(Author::as_str).unwrap_or_default();
    replies::put_to(agent, key::key(&record.question.incarnation))
}

/// Keeps these words as a late pick. False when they are not about an offer whose default holds.
async fn pick_late(door: &Door, update: i64, said: &Said, words: &str, record: &Record) -> Result<bool, ServiceError> {
    let at = said.at.clone();
    let words = Text { at, text: words.to_owned(), edited: said.edited, has_media: false, album: None };
    threads::words_late(door, update, &words, record).await
}

/// A question that was settled before stays as it is, and the command is told so: of all that happened nothing else shows it.
async fn or_tell(door: &Door, update: i64, said: &Said, late: Option<Record>, mut also: Vec<Write>) -> Result<(), ServiceError> {
    let Some(newest) = late else { return Ok(()) };
    if is_done_already(said, &newest) {
        return text::store(door, also).await;
    }
    // Nor is what a client split off it a text of its own.
    also.extend((said.command == Command::Answer).then(|| text::begins_tail(&said.at)));
    tell(door, update, said, replies::no_longer_open(&toasts::ended(&newest, &door.zone)), also).await
}

/// Did the same person decide the same before? Telegram may give an edited command ahead of the one that it was.
fn is_done_already(said: &Said, record: &Record) -> bool {
    let answer = match &record.state {
        State::Answering(claim) => Some(&claim.answer),
        State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => record.answer(),
    };
    let wanted = match said.command {
        Command::Cancel => Some(Outcome::Cancelled),
        Command::Decline => Some(Outcome::Declined),
        _ => None,
    };
    answer.is_some_and(|answer| Some(answer.outcome) == wanted && answer.by == By::telegram(said.at.user))
}

/// Replies to the command.
async fn tell(door: &Door, update: i64, said: &Said, reply: String, mut also: Vec<Write>) -> Result<(), ServiceError> {
    let (thread, to) = (said.at.thread, said.at.message_id);
    let id = format!("update-{update}");
    // In a question's topic it belongs to the question, and follows it should the topic be closed or deleted.
    let about = if is_configured(door, said) { text::question_of(door, thread).await? } else { None };
    also.push(Write::AddJob(match about {
        Some(record) => {
            effects::job(format!("{}-{id}", record.question.incarnation), &record, JobKind::Reply { thread, to, text: reply })
        }
        None => effects::job_about_none(id, JobKind::Say { chat: said.chat, thread, to, text: reply }),
    }));
    text::store(door, also).await
}

fn is_configured(door: &Door, said: &Said) -> bool {
    said.chat == door.seat.chat_id
}

/// Telegram reports edits that changed nothing, as at the first reaction. Only a command that differs counts again.
async fn is_repetition(door: &Door, said: &Said) -> Result<bool, ServiceError> {
    let (true, Some(name)) = (said.edited, name(said)) else { return Ok(false) };
    Ok(text::is_old(&said.at) || door.service.store.kept(&name).await?.is_some_and(|seen| seen == content(said)))
}

fn name(said: &Said) -> Option<String> {
    said.at.message_id.map(|message| format!("text:{}:{message}", said.chat))
}

fn content(said: &Said) -> String {
    secrets::hash(&format!("{:?} {}", said.command, said.rest))
}
