//! What people do: press, write, edit, and meddle with topics by hand. None of it is a call.

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use super::FakeTelegram;
use super::callbacks::CallbackQuery;
use super::chat::ChatKind;
use super::keyboard::Button;
use super::message::Message;
use super::state::{BOT, FORUM, OWNER, State};
use super::writing::Written;

/// Which button to press.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// The one with this label, or else the only one whose label holds it.
    Label(String),
    /// The one at this place, counted from 0 over all rows.
    Index(usize),
}

impl From<&str> for Pick {
    fn from(label: &str) -> Self {
        Self::Label(label.to_owned())
    }
}

impl From<usize> for Pick {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl FakeTelegram {
    /// The owner presses a button of a message in the forum. Gives back the query's id.
    ///
    /// # Errors
    /// When there is no such message or button.
    pub fn press(&self, message: i64, pick: impl Into<Pick>) -> anyhow::Result<String> {
        self.press_as(FORUM, OWNER, message, pick)
    }

    /// Someone presses a button of a message in a chat.
    ///
    /// # Errors
    /// When there is no such message or button.
    pub fn press_as(&self, chat: i64, user: i64, message: i64, pick: impl Into<Pick>) -> anyhow::Result<String> {
        let pick = pick.into();
        self.shared().change(|state| {
            let data = data_of(state, chat, message, &pick)?;
            Ok(press_data(state, chat, user, message, &data))
        })
    }

    /// A press with data that need not be on any button: an old keyboard, or a forged one. The
    /// message may be gone.
    pub fn press_data(&self, chat: i64, user: i64, message: i64, data: &str) -> String {
        self.shared().change(|state| press_data(state, chat, user, message, data))
    }

    /// The owner writes in a topic of the forum. Gives back the message's id.
    ///
    /// # Errors
    /// When the topic is gone.
    pub fn write_in_topic(&self, thread: i64, text: &str) -> anyhow::Result<i64> {
        self.write(Written::text(text).in_topic(thread))
    }

    /// The owner writes in the General topic of the forum.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_in_general(&self, text: &str) -> anyhow::Result<i64> {
        self.write(Written::text(text))
    }

    /// Someone writes something somewhere. Gives back the message's id.
    ///
    /// # Errors
    /// When the chat or topic is not there, the topic is closed to that person, or the text is
    /// longer than a client can send.
    pub fn write(&self, written: Written) -> anyhow::Result<i64> {
        self.shared().change(|state| write(state, written))
    }

    /// The same with a text of any length, split as clients do it. Gives back every part's id.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_long(&self, written: Written) -> anyhow::Result<Vec<i64>> {
        self.shared().change(|state| write_long(state, &written))
    }

    /// A person changes the text of a message, or only seems to.
    ///
    /// # Errors
    /// When there is no such message.
    pub fn edit(&self, chat: i64, message: i64, text: &str) -> anyhow::Result<()> {
        self.shared().change(|state| edit(state, chat, message, text))
    }

    /// A channel the first bot is in gets a post.
    ///
    /// # Errors
    /// When there is no such channel.
    pub fn post_in_channel(&self, chat: i64, text: &str) -> anyhow::Result<i64> {
        self.shared().change(|state| {
            let written = Written::text(text).in_chat(chat).with(json!({ "from": null }));
            write(state, written)
        })
    }

    /// A person closes a topic of the forum by hand, or reopens it.
    ///
    /// # Errors
    /// When there is no such topic.
    pub fn close_topic(&self, thread: i64, closed: bool) -> anyhow::Result<()> {
        self.shared().change(|state| {
            state.chats[&FORUM].topic(thread).context("there is no such topic")?;
            state.set_topic_closed(FORUM, thread, OWNER, closed);
            Ok(())
        })
    }

    /// A person closes the General topic, or opens it.
    pub fn close_general(&self, closed: bool) {
        self.shared().change(|state| {
            if let Some(forum) = state.chats.get_mut(&FORUM) {
                forum.general_is_closed = closed;
            }
        });
    }

    /// A person deletes a topic of the forum with its messages. No update tells it.
    pub fn delete_topic(&self, thread: i64) {
        self.shared().change(|state| state.remove_topic(FORUM, thread));
    }

    /// A person deletes a message. No update tells it.
    pub fn delete_message(&self, chat: i64, message: i64) {
        self.shared().change(|state| {
            if let Some(chat) = state.chats.get_mut(&chat) {
                chat.messages.remove(&message);
            }
        });
    }

    /// The owner makes a topic by hand. Gives back its thread id.
    pub fn open_topic(&self, name: &str) -> i64 {
        self.shared().change(|state| state.open_topic(FORUM, OWNER, name, 7_322_096, ""))
    }

    /// The first bot gets an update it got before, with the same id.
    ///
    /// # Errors
    /// When there never was one with this id.
    pub fn replay(&self, update_id: i64) -> anyhow::Result<()> {
        self.shared().change(|state| replay(state, update_id))
    }

    /// The first bot gets an update just as it is; without `update_id` it gets the next one,
    /// which is given back.
    pub fn inject(&self, update: Value) -> i64 {
        self.shared().change(|state| state.deliver_raw(BOT, update, false))
    }
}

pub(super) fn data_of(state: &State, chat: i64, message: i64, pick: &Pick) -> anyhow::Result<String> {
    let message = state
        .chats
        .get(&chat)
        .and_then(|chat| chat.messages.get(&message))
        .with_context(|| format!("there is no message {message} in chat {chat}"))?;
    let button: Option<&Button> = match pick {
        Pick::Index(index) => message.buttons().nth(*index),
        Pick::Label(label) => message.buttons().find(|button| button.text == *label).or_else(|| {
            let mut holding = message.buttons().filter(|button| button.text.contains(label));
            holding.next().filter(|_| holding.next().is_none())
        }),
    };
    button
        .and_then(|button| button.callback_data.clone())
        .with_context(|| format!("no button {pick:?} to press among {:?}", message.labels()))
}

pub(super) fn press_data(state: &mut State, chat: i64, user: i64, message: i64, data: &str) -> String {
    let id = format!("{}{:06}", 4_000_000_000_000_i64 + user, state.callbacks.len() + 1);
    let sender = state.chats.get(&chat).and_then(|chat| chat.messages.get(&message));
    let bot =
        sender.map(|message| message.from).filter(|from| state.bots.values().any(|bot| bot.user.id == *from)).unwrap_or(BOT);
    let query = json!({
        "id": id,
        "from": state.user_value(user),
        "message": state.message_value(chat, message),
        "chat_instance": format!("{}", 7_000_000_000_i64 + chat.abs() % 1_000_000),
        "data": data,
    });
    let at_ms = state.now_ms();
    state.callbacks.push(CallbackQuery {
        id: id.clone(),
        from: user,
        chat,
        message,
        data: data.to_owned(),
        bot,
        answer: None,
        at_ms,
    });
    state.deliver_callback(bot, query);
    id
}

pub(super) fn write(state: &mut State, mut written: Written) -> anyhow::Result<i64> {
    let (chat_id, user) = (written.chat_id(), written.user_id());
    let chat = state.chats.get(&chat_id).with_context(|| format!("there is no chat {chat_id}"))?;
    ensure!(chat.migrated_to.is_none(), "chat {chat_id} became a supergroup");
    if let Some(thread) = written.thread {
        let topic = chat
            .topic(thread)
            .filter(|_| chat.is_forum)
            .with_context(|| format!("there is no topic {thread} in chat {chat_id}"))?;
        if topic.is_closed && chat.owner != Some(user) {
            bail!("topic {thread} is closed to user {user}");
        }
    }
    let length = written.text.as_deref().unwrap_or_default().chars().count();
    ensure!(length <= 4096, "a client splits a text of {length} characters: use write_long");
    let kind = match chat.kind {
        ChatKind::Channel => "channel_post",
        _ => "message",
    };
    if chat.is_forum && chat.kind == ChatKind::Private && written.thread.is_none() {
        // A private chat with topics has no plain lane: what is outside of one begins one.
        let name: String = written.text.as_deref().unwrap_or("New topic").chars().take(32).collect();
        written.thread = Some(state.open_topic(chat_id, user, &name, 7_322_096, ""));
    }
    let message = Message {
        thread: written.thread,
        from: user,
        entities: command_entity(written.text.as_deref()),
        text: written.text,
        caption: written.caption,
        reply_to: written.reply_to,
        extra: written.extra,
        ..Message::default()
    };
    let id = state.add_message(chat_id, message);
    state.deliver(kind, chat_id, id);
    Ok(id)
}

/// The server marks a command at the beginning by itself.
fn command_entity(text: Option<&str>) -> Vec<Value> {
    let command = text.and_then(|text| text.split_whitespace().next()).unwrap_or_default();
    if text.is_some_and(|text| text.starts_with('/')) && command.len() > 1 {
        return vec![json!({
            "type": "bot_command", "offset": 0, "length": command.encode_utf16().count(),
        })];
    }
    Vec::new()
}

pub(super) fn write_long(state: &mut State, written: &Written) -> anyhow::Result<Vec<i64>> {
    let letters: Vec<char> = written.text.as_deref().unwrap_or_default().chars().collect();
    if letters.is_empty() {
        return Ok(vec![write(state, written.clone())?]);
    }
    letters
        .chunks(4096)
        .map(|part| {
            let text = Some(part.iter().collect());
            write(state, Written { text, ..written.clone() })
        })
        .collect()
}

pub(super) fn edit(state: &mut State, chat: i64, id: i64, text: &str) -> anyhow::Result<()> {
    let now = state.now();
    let message = state
        .chats
        .get_mut(&chat)
        .and_then(|chat| chat.messages.get_mut(&id))
        .with_context(|| format!("there is no message {id} in chat {chat}"))?;
    message.edited = Some(now);
    message.text = Some(text.to_owned());
    message.entities = command_entity(Some(text));
    state.deliver("edited_message", chat, id);
    Ok(())
}

pub(super) fn replay(state: &mut State, update_id: i64) -> anyhow::Result<()> {
    let update = state
        .bot_by_id(BOT)
        .and_then(|bot| bot.updates.history.iter().find(|it| it["update_id"] == update_id))
        .cloned()
        .with_context(|| format!("there never was an update {update_id}"))?;
    state.deliver_raw(BOT, update, true);
    Ok(())
}
