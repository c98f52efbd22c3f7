//! Messages of bots: sent, edited, deleted, with every check the server makes before.

use serde_json::{Value, json};

use super::chat::{Chat, ChatKind};
use super::entities::{self, Formatted};
use super::errors::{Answer, NOT_MODIFIED, Refusal, THREAD_NOT_FOUND, bad};
use super::keyboard::{self, Keyboard, Markup};
use super::message::Message;
use super::parameters::{Parameters, Upload};
use super::state::{Rules, State};

const LONGEST_DELETABLE_SECONDS: i64 = 48 * 3600;
const BIGGEST_FILE: usize = 50 << 20;

pub(super) fn send_message(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let formatted = entities::message_text(call)?;
    let mut message = addressed(chat, bot, call, &state.rules)?;
    message.set_text(formatted);
    Ok(state.put(chat.id, message))
}

pub(super) fn send_document(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let document = read_document(call)?;
    let caption = entities::caption(call)?;
    let mut message = addressed(chat, bot, call, &state.rules)?;
    let chat = chat.id;
    if !caption.text.is_empty() {
        message.caption = Some(caption.text);
        message.entities = caption.entities;
    }
    let mut described = state.new_file();
    described["file_name"] = document.name.clone().into();
    described["mime_type"] = document.media_type.clone().into();
    described["file_size"] = document.content.len().into();
    message.extra.insert("document".into(), described);
    message.document = Some(document);
    Ok(state.put(chat, message))
}

fn read_document(call: &Parameters) -> Result<Upload, Refusal> {
    let document = call.file("document").ok_or_else(|| match call.text("document") {
        "" => bad("there is no document in the request"),
        _ => bad("wrong file identifier/HTTP URL specified"),
    })?;
    if document.content.is_empty() {
        return Err(bad("file must be non-empty"));
    }
    if document.content.len() > BIGGEST_FILE {
        return Err(Refusal::new(413, "Request Entity Too Large"));
    }
    Ok(document.clone())
}

/// Checks everything about a new message but its content: markup, reply, topic.
fn addressed(chat: &Chat, bot: i64, call: &Parameters, rules: &Rules) -> Result<Message, Refusal> {
    let mut message = Message { from: bot, ..Message::default() };
    match keyboard::read(call, chat.is_group())? {
        Markup::None => {}
        Markup::Inline { rows, force_reply } => {
            message.keyboard = rows;
            message.force_reply = force_reply;
        }
        Markup::Other => message.is_fixed = true,
    }
    message.reply_to = read_reply(chat, call)?;
    message.thread = read_thread(chat, call)?;
    if message.thread.is_none() && chat.is_forum {
        // A reply goes where the message it replies to is.
        let replied = message.reply_to.and_then(|id| chat.messages.get(&id));
        message.thread = replied.and_then(|replied| replied.thread);
    }
    if let Some(topic) = message.thread.and_then(|thread| chat.topic(thread)) {
        let may_write = rules.closed_topics_take_managers && (topic.creator == bot || chat.manages_topics(bot));
        if topic.is_closed && !may_write {
            return Err(bad("TOPIC_CLOSED"));
        }
    } else if chat.is_forum && chat.general_is_closed {
        return Err(bad("TOPIC_CLOSED"));
    }
    Ok(message)
}

/// The topic asked for. Dropped without a word where the chat has no topics; the General
/// topic has no number that can be sent to.
fn read_thread(chat: &Chat, call: &Parameters) -> Result<Option<i64>, Refusal> {
    let thread = call.integer("message_thread_id").unwrap_or_default();
    if thread == 0 || !chat.is_forum {
        return Ok(None);
    }
    if chat.topic(thread).is_none() {
        return Err(bad(THREAD_NOT_FOUND));
    }
    Ok(Some(thread))
}

fn read_reply(chat: &Chat, call: &Parameters) -> Result<Option<i64>, Refusal> {
    let wrong = || bad("can't parse reply parameters JSON object");
    let (id, may_miss) = match call.json("reply_parameters").map_err(|_| wrong())? {
        Some(reply @ Value::Object(_)) => {
            let may_miss = reply["allow_sending_without_reply"].as_bool().unwrap_or_default();
            (reply["message_id"].as_i64().unwrap_or_default(), may_miss)
        }
        Some(_) => return Err(wrong()),
        None => (call.integer("reply_to_message_id").unwrap_or_default(), call.flag("allow_sending_without_reply")),
    };
    if id == 0 {
        return Ok(None);
    }
    match chat.messages.contains_key(&id) {
        true => Ok(Some(id)),
        false if may_miss => Ok(None),
        false => Err(bad("message to be replied not found")),
    }
}

pub(super) fn edit_text(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let formatted = entities::message_text(call)?;
    let keyboard = inline_only(call, chat.is_group())?;
    let message = editable(chat, bot, call)?;
    if message.text.is_none() {
        return Err(bad("there is no text in the message to edit"));
    }
    state.edit(chat.id, message.id, Some(formatted), keyboard)
}

pub(super) fn edit_markup(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let keyboard = inline_only(call, chat.is_group())?;
    let message = editable(chat, bot, call)?;
    state.edit(chat.id, message.id, None, keyboard)
}

fn inline_only(call: &Parameters, in_group: bool) -> Result<Keyboard, Refusal> {
    match keyboard::read(call, in_group)? {
        Markup::None => Ok(Keyboard::new()),
        Markup::Inline { rows, .. } => Ok(rows),
        Markup::Other => Err(bad("inline keyboard expected")),
    }
}

fn editable<'chat>(chat: &'chat Chat, bot: i64, call: &Parameters) -> Result<&'chat Message, Refusal> {
    let id = call.integer("message_id").filter(|id| *id > 0).ok_or_else(|| bad("message identifier is not specified"))?;
    let message = chat.messages.get(&id).ok_or_else(|| bad("message to edit not found"))?;
    if message.from != bot || message.is_fixed || message.is_service() {
        return Err(bad("message can't be edited"));
    }
    Ok(message)
}

pub(super) fn delete(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let id = call.integer("message_id").filter(|id| *id > 0).ok_or_else(|| bad("message identifier is not specified"))?;
    let message = chat.messages.get(&id).ok_or_else(|| bad("message to delete not found"))?;
    let is_first_of_topic = message.thread == Some(id);
    // In a private chat a bot deletes what came to it, too.
    let is_in_reach = message.from == bot || chat.kind == ChatKind::Private;
    let may_delete = chat.deletes_messages(bot) || (is_in_reach && state.now() - message.date < LONGEST_DELETABLE_SECONDS);
    if is_first_of_topic || !may_delete {
        return Err(bad("message can't be deleted"));
    }
    let chat = chat.id;
    if let Some(chat) = state.chats.get_mut(&chat) {
        chat.messages.remove(&id);
    }
    Ok(json!(true))
}

impl State {
    fn put(&mut self, chat: i64, message: Message) -> Value {
        let id = self.add_message(chat, message);
        self.message_value(chat, id)
    }

    /// An edit without buttons takes the buttons away; one that changes nothing is refused.
    fn edit(&mut self, chat: i64, id: i64, text: Option<Formatted>, keyboard: Keyboard) -> Answer {
        let now = self.now();
        let message = self
            .chats
            .get_mut(&chat)
            .and_then(|chat| chat.messages.get_mut(&id))
            .ok_or_else(|| bad("message to edit not found"))?;
        let before = (message.text.clone(), message.entities.clone(), message.keyboard.clone());
        if let Some(text) = text {
            message.set_text(text);
        }
        message.keyboard = keyboard;
        if before == (message.text.clone(), message.entities.clone(), message.keyboard.clone()) {
            return Err(bad(NOT_MODIFIED));
        }
        message.edited = Some(now);
        Ok(self.message_value(chat, id))
    }
}
