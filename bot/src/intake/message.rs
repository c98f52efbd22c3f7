//! Messages: an owner's words, commands and other things in the configured chat; news of topics; everything else.

use serde_json::Value;

use super::{Intent, Place, Seat, Text, content, sender};
use crate::commands::{self, Command, Slash};

pub(super) fn read(message: &Value, seat: &Seat, edited: bool) -> Intent {
    let chat = message.pointer("/chat/id").and_then(Value::as_i64);
    // A group that became a supergroup tells so in both; either one is enough.
    if chat.is_some() && chat != Some(seat.chat_id) && number(message, "migrate_from_chat_id") == Some(seat.chat_id) {
        return chat.map_or(Intent::Nothing { why: "no chat" }, |to| Intent::Migrated { to });
    }
    if chat != Some(seat.chat_id) {
        return private(message, seat, edited).unwrap_or(Intent::Foreign { why: "another chat" });
    }
    if let Some(to) = number(message, "migrate_to_chat_id") {
        return Intent::Migrated { to };
    }
    if let Some(topic) = message.get("forum_topic_created") {
        return topic_created(message, topic, seat);
    }
    let words = words(message);
    let kind = content::kind(message);
    if words.is_none() && kind.is_none() {
        return Intent::Nothing { why: "a service message, or of a kind without words" };
    }
    let Some(from) = message.get("from") else { return Intent::Foreign { why: "no sender" } };
    if number(from, "id") == Some(seat.bot_id) {
        return Intent::Nothing { why: "the bot's own message" };
    }
    if let Some(why) = sender::not_own_words(message) {
        return Intent::Foreign { why };
    }
    let user = match sender::owner(from, seat) {
        Ok(user) => user,
        Err(why) => return Intent::Foreign { why },
    };
    let at = place(message, user, sender::name(from, user), edited);
    let album = message.get("media_group_id").and_then(Value::as_str).map(str::to_owned);
    match (words, kind) {
        (Some(Words { text, is_caption }), _) => match commands::read(text, &seat.bot_username) {
            Slash::OtherBots if !is_caption => Intent::Nothing { why: "a command for another bot" },
            Slash::Own(command, rest) if !is_caption => Intent::Command { at, command, rest: rest.to_owned(), edited },
            Slash::Own(..) | Slash::OtherBots | Slash::Text => {
                Intent::Text(Text { at, text: text.to_owned(), edited, has_media: is_caption, album })
            }
        },
        (None, Some(_)) if edited => Intent::Nothing { why: "an edit of something without words" },
        (None, Some(kind)) => Intent::NotText { at, kind, album },
        (None, None) => Intent::Nothing { why: "nothing in it" },
    }
}

/// Of an owner's private chat with the bot only the commands that are about no question count, when the bot sits elsewhere.
fn private(message: &Value, seat: &Seat, edited: bool) -> Option<Intent> {
    let from = message.get("from")?;
    let user = sender::owner(from, seat).ok()?;
    let is_theirs = message.pointer("/chat/type").and_then(Value::as_str) == Some("private")
        && message.pointer("/chat/id").and_then(Value::as_i64) == Some(user);
    if !is_theirs || sender::not_own_words(message).is_some() {
        return None;
    }
    let text = message.get("text").and_then(Value::as_str)?;
    let Slash::Own(command, rest) = commands::read(text, &seat.bot_username) else { return None };
    match command {
        Command::Login | Command::Open | Command::Status | Command::Mute | Command::Help => {
            let at = place(message, user, sender::name(from, user), edited);
            Some(Intent::PrivateCommand { at, command, rest: rest.to_owned(), edited })
        }
        Command::Answer | Command::Decline | Command::Cancel => None,
    }
}

struct Words<'message> {
    text: &'message str,
    is_caption: bool,
}

fn words(message: &Value) -> Option<Words<'_>> {
    let field = |name: &str| message.get(name).and_then(Value::as_str);
    let caption = || field("caption").map(|text| Words { text, is_caption: true });
    field("text").map(|text| Words { text, is_caption: false }).or_else(caption)
}

fn place(message: &Value, user: i64, author: String, edited: bool) -> Place {
    let written = number(message, "date").unwrap_or(0);
    let date = if edited { number(message, "edit_date").unwrap_or(written) } else { written };
    let message_id = number(message, "message_id").filter(|id| *id > 0);
    Place { user, author, message_id, thread: thread(message), date }
}

/// The topic. A reply in General has a thread id, too; only `is_topic_message` gives it a meaning.
fn thread(message: &Value) -> Option<i64> {
    let in_topic = message.get("is_topic_message") == Some(&Value::Bool(true));
    number(message, "message_thread_id").filter(|id| in_topic && *id > 0)
}

fn topic_created(message: &Value, topic: &Value, seat: &Seat) -> Intent {
    // The id of a topic in a supergroup is the id of the message that tells of its making.
    let thread = number(message, "message_thread_id").or_else(|| number(message, "message_id")).filter(|id| *id > 0);
    let name = topic.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let by_bot = message.pointer("/from/id").and_then(Value::as_i64) == Some(seat.bot_id);
    thread.map_or(Intent::Nothing { why: "a topic without an id" }, |thread| Intent::TopicCreated { thread, name, by_bot })
}

fn number(value: &Value, name: &str) -> Option<i64> {
    value.get(name).and_then(Value::as_i64)
}
