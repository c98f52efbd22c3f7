//! Messages: send, edit, reply, react. Never a parse mode, never a link preview.

use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::{
    Sent, Telegram,
    call::{or_so_already, unreadable},
};
use crate::outcome::Failure;
use crate::render::{Document, Message};

impl Telegram {
    /// Sends a message, into a topic or without one; its document is sent with [`Telegram::send_document`].
    /// Compare [`Sent::thread`]: in a chat without topics it is dropped silently. Not idempotent.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn send(&self, chat: i64, thread: Option<i64>, message: &Message) -> Result<Sent, Failure> {
        let mut parameters = content(message);
        parameters["chat_id"] = chat.into();
        if let Some(thread) = thread {
            parameters["message_thread_id"] = thread.into();
        }
        if !message.keyboard.is_empty() {
            parameters["reply_markup"] = json!(message.markup());
        }
        sent("sendMessage", &self.call("sendMessage", &parameters).await?)
    }

    /// Sends a document, as a reply to a message when one is named. Not idempotent.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn send_document(
        &self,
        chat: i64,
        thread: Option<i64>,
        reply_to: Option<i64>,
        document: &Document,
    ) -> Result<Sent, Failure> {
        let file = Part::bytes(document.bytes.clone()).file_name(document.name.clone());
        let mut form = Form::new().text("chat_id", chat.to_string()).text("caption", document.caption.clone());
        if let Some(thread) = thread {
            form = form.text("message_thread_id", thread.to_string());
        }
        if let Some(message) = reply_to {
            form = form.text("reply_parameters", reply_parameters(message).to_string());
        }
        sent("sendDocument", &self.call_with_file("sendDocument", form.part("document", file)).await?)
    }

    /// Replaces a message, keyboard included: without buttons the keyboard goes. Idempotent.
    ///
    /// # Errors
    /// [`Failure`]; never one because it stands so already.
    pub async fn edit(&self, chat: i64, message_id: i64, message: &Message) -> Result<(), Failure> {
        let mut parameters = content(message);
        parameters["chat_id"] = chat.into();
        parameters["message_id"] = message_id.into();
        parameters["reply_markup"] = json!(message.markup());
        or_so_already(self.call("editMessageText", &parameters).await)
    }

    /// Takes the buttons of a message away and leaves its text. Idempotent.
    ///
    /// # Errors
    /// [`Failure`]; never one because it has none already.
    pub async fn take_buttons(&self, chat: i64, message_id: i64) -> Result<(), Failure> {
        let parameters = json!({"chat_id": chat, "message_id": message_id});
        or_so_already(self.call("editMessageReplyMarkup", &parameters).await)
    }

    /// Deletes a message. Telegram lets a bot delete its own ones and those of a private chat for 48 hours; others only where it
    /// is an administrator who may delete messages. Idempotent.
    ///
    /// # Errors
    /// [`Failure`]; `MessageGone` when there is nothing to delete, `NotDeletable` when the bot may not.
    pub async fn delete(&self, chat: i64, message_id: i64) -> Result<(), Failure> {
        self.call("deleteMessage", &json!({"chat_id": chat, "message_id": message_id})).await.map(drop)
    }

    /// Replies with plain text, also when the message it replies to is gone. Not idempotent.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn reply(&self, chat: i64, thread: Option<i64>, to_message: Option<i64>, text: &str) -> Result<Sent, Failure> {
        self.reply_with(chat, thread, to_message, &Message::plain(text)).await
    }

    /// The same with a message that has more than plain text.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn reply_with(
        &self,
        chat: i64,
        thread: Option<i64>,
        to_message: Option<i64>,
        message: &Message,
    ) -> Result<Sent, Failure> {
        let mut parameters = content(message);
        parameters["chat_id"] = chat.into();
        if let Some(thread) = thread {
            parameters["message_thread_id"] = thread.into();
        }
        if let Some(message) = to_message {
            parameters["reply_parameters"] = reply_parameters(message);
        }
        if !message.keyboard.is_empty() {
            parameters["reply_markup"] = json!(message.markup());
        }
        sent("sendMessage", &self.call("sendMessage", &parameters).await?)
    }

    /// Puts the bot's one reaction at a message. Idempotent, cosmetic.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn react(&self, chat: i64, message_id: i64, emoji: &str) -> Result<(), Failure> {
        let reaction = json!([{"type": "emoji", "emoji": emoji}]);
        let parameters = json!({"chat_id": chat, "message_id": message_id, "reaction": reaction});
        self.call("setMessageReaction", &parameters).await.map(drop)
    }
}

fn content(message: &Message) -> Value {
    let mut content = json!({"text": message.text, "link_preview_options": {"is_disabled": true}});
    if !message.entities.is_empty() {
        content["entities"] = json!(message.entities);
    }
    content
}

fn reply_parameters(message: i64) -> Value {
    json!({"message_id": message, "allow_sending_without_reply": true})
}

fn sent(method: &str, message: &Value) -> Result<Sent, Failure> {
    let number = |name: &str| message.get(name).and_then(Value::as_i64).filter(|id| *id > 0);
    let in_topic = message.get("is_topic_message") == Some(&Value::Bool(true));
    let thread = number("message_thread_id").filter(|_| in_topic);
    let message_id = number("message_id").ok_or_else(|| unreadable(method))?;
    Ok(Sent { message_id, thread })
}
