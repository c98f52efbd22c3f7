//! Messages: what is kept of one, and how the server shows it.

use serde_json::{Map, Value, json};

use super::chat::{Chat, ChatKind};
use super::entities::Formatted;
use super::keyboard::{self, Button, Keyboard};
use super::parameters::Upload;
use super::state::State;

/// One message of a chat.
#[derive(Debug, Clone, Default)]
pub struct Message {
    /// Its id, counting up in its chat.
    pub id: i64,
    /// The topic it is in; `None` in General and in chats without topics.
    pub thread: Option<i64>,
    /// The sender's user id.
    pub from: i64,
    /// Seconds since 1970.
    pub date: i64,
    /// When it was edited last.
    pub edited: Option<i64>,
    /// The text; `None` for media and service messages.
    pub text: Option<String>,
    /// The caption of media.
    pub caption: Option<String>,
    /// Entities of the text or caption, offsets in UTF-16 units.
    pub entities: Vec<Value>,
    /// The buttons under it.
    pub keyboard: Keyboard,
    /// The message it replies to in its own words, not the topic's first one.
    pub reply_to: Option<i64>,
    /// The emoji the bot put on it.
    pub reactions: Vec<String>,
    /// The file of a document.
    pub document: Option<Upload>,
    /// Further fields, service messages and media among them; `null` removes a field.
    pub extra: Map<String, Value>,
    pub(super) force_reply: bool,
    pub(super) is_fixed: bool,
}

impl Message {
    /// The labels of its buttons, row by row.
    pub fn labels(&self) -> Vec<&str> {
        self.buttons().map(|button| button.text.as_str()).collect()
    }

    /// Its buttons, row by row.
    pub fn buttons(&self) -> impl Iterator<Item = &Button> {
        self.keyboard.iter().flatten()
    }

    /// Whether it says that something happened rather than holding words.
    pub fn is_service(&self) -> bool {
        self.extra.keys().any(|name| name.starts_with("forum_topic_") || name.starts_with("migrate_"))
    }

    /// The text or caption; empty when it has neither.
    pub fn words(&self) -> &str {
        self.text.as_deref().or(self.caption.as_deref()).unwrap_or_default()
    }

    pub(super) fn set_text(&mut self, formatted: Formatted) {
        self.text = Some(formatted.text);
        self.entities = formatted.entities;
    }
}

impl State {
    /// Puts a message into a chat with a new id and the present time; gives back the id.
    pub(super) fn add_message(&mut self, chat: i64, mut message: Message) -> i64 {
        message.date = self.now();
        let chat = self.chats.get_mut(&chat).expect("messages go to chats that exist");
        chat.last_message += 1;
        message.id = chat.last_message;
        chat.messages.insert(message.id, message);
        chat.last_message
    }

    /// A message as the server shows it.
    pub(super) fn message_value(&self, chat: i64, id: i64) -> Value {
        let Some(chat) = self.chats.get(&chat) else { return Value::Null };
        let Some(message) = chat.messages.get(&id) else {
            return json!({ "chat": chat.value(), "message_id": id, "date": 0 });
        };
        let mut value = self.own_fields(chat, message);
        if let Some(replied) = self.replied_to(chat, message) {
            let mut shown = self.own_fields(chat, replied);
            finish(&mut shown, replied);
            value["reply_to_message"] = shown;
        }
        finish(&mut value, message);
        value
    }

    /// The message replied to: in a supergroup's topic its first one when nothing else is.
    fn replied_to<'chat>(&self, chat: &'chat Chat, message: &Message) -> Option<&'chat Message> {
        let implicit = message.thread.filter(|thread| chat.kind == ChatKind::Supergroup && *thread != message.id);
        chat.messages.get(&message.reply_to.or(implicit)?)
    }

    fn own_fields(&self, chat: &Chat, message: &Message) -> Value {
        let mut value = json!({
            "message_id": message.id,
            "from": self.user_value(message.from),
            "chat": chat.value(),
            "date": message.date,
        });
        if let Some(thread) = message.thread {
            value["message_thread_id"] = thread.into();
            value["is_topic_message"] = true.into();
        } else if chat.kind == ChatKind::Supergroup
            && let Some(root) = reply_root(chat, message)
        {
            // Means nothing, but is there: the root of the chain of replies.
            value["message_thread_id"] = root.into();
        }
        if let Some(edited) = message.edited {
            value["edit_date"] = edited.into();
        }
        for (name, words) in [("text", &message.text), ("caption", &message.caption)] {
            if let Some(words) = words {
                value[name] = words.clone().into();
                if !message.entities.is_empty() {
                    let entities = if name == "text" { "entities" } else { "caption_entities" };
                    value[entities] = message.entities.clone().into();
                }
            }
        }
        if !message.keyboard.is_empty() {
            value["reply_markup"] = keyboard::value_of(&message.keyboard, message.force_reply);
        }
        value
    }
}

fn reply_root(chat: &Chat, message: &Message) -> Option<i64> {
    let mut root = message.reply_to?;
    while let Some(earlier) = chat.messages.get(&root).and_then(|message| message.reply_to) {
        root = earlier;
    }
    Some(root)
}

fn finish(value: &mut Value, message: &Message) {
    let fields = value.as_object_mut().expect("a message is an object");
    for (name, extra) in &message.extra {
        if extra.is_null() {
            fields.remove(name);
        } else {
            fields.insert(name.clone(), extra.clone());
        }
    }
}
