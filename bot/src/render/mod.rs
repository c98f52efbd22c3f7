//! From a record to what stands in the chat. Formatted by entities only: no text can break it, forge its headings or be
//! refused. Nothing here sends.

mod asking;
mod body;
mod builder;
mod display;
mod documents;
pub mod held;
mod keyboard;
pub mod late;
mod question;
pub mod reminder;
pub mod replies;
mod terms;
#[cfg(test)]
mod tests;
pub mod thread;
pub mod toasts;
mod topic;
mod update;

pub use display::{Attached, Display};
pub use question::{current, ended, needs_documents_to_approve, question};
use teloxide::types::{InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity};
pub use topic::{SIGN, SIGN_ENDED, topic_name, topic_name_with_sign};
pub use update::{SIGNS_OF_UPDATES, update, updates_topic_name, updates_topic_name_with_sign};

/// The most UTF-16 units of a message.
pub const MOST_UNITS: usize = 4096;

/// A message, ready to be sent or to replace another one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    /// 1 to 4096 UTF-16 units.
    pub text: String,
    /// Offsets and lengths in UTF-16 units, in order, not overlapping.
    pub entities: Vec<MessageEntity>,
    /// Rows of buttons; none takes the keyboard away.
    pub keyboard: Vec<Vec<Button>>,
    /// What did not fit, whole: to be sent beside the message, in this order.
    pub documents: Vec<Document>,
}

/// One button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Button {
    /// What it shows.
    pub label: String,
    /// What it carries, under 64 bytes.
    pub data: String,
}

/// A file that goes with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// Its content, UTF-8.
    pub bytes: Vec<u8>,
    /// Its caption; that of what counts names the digest.
    pub caption: String,
}

impl Message {
    /// A message of plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The keyboard in Telegram's form; an empty one is sent, too, since leaving it out keeps nothing.
    pub fn markup(&self) -> InlineKeyboardMarkup {
        InlineKeyboardMarkup::new(
            self.keyboard
                .iter()
                .map(|row| row.iter().map(|button| InlineKeyboardButton::callback(button.label.clone(), button.data.clone()))),
        )
    }
}
