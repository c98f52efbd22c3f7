//! From a raw update to what its sender wants. Total: any JSON gives an intent, nothing panics, no owner's words are dropped
//! because something around them is unknown. It does not look at records and decides nothing.

mod content;
mod debug;
mod message;
mod press;
mod sender;
#[cfg(test)]
mod tests;
pub mod withheld;

use serde_json::Value;

use crate::callback::{CallbackData, HeldButton, NotOurs, UpdateButton};
use crate::commands::Command;

/// The updates to ask Telegram for, in polling and webhook mode alike.
pub const ALLOWED_UPDATES: [&str; 4] = ["message", "edited_message", "callback_query", "my_chat_member"];

/// Where the bot sits and who decides there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The configured chat.
    pub chat_id: i64,
    /// Numeric user ids; an empty list is nobody.
    pub owners: Vec<i64>,
    /// The bot's own user id.
    pub bot_id: i64,
    /// The bot's user name, without @.
    pub bot_username: String,
}

/// What an update asks for. Its `Debug` form can be logged: it holds no text and no id.
#[derive(Clone, PartialEq, Eq)]
pub enum Intent {
    /// An owner pressed a button in the configured chat. Answer the query at once, whatever follows.
    Press(Press),
    /// The same with a button of an update.
    UpdatePress(UpdatePress),
    /// The same with the button that sends words which were held back.
    HeldPress(HeldPress),
    /// Anybody else pressed one, or somewhere else. Answer the query with a toast; nothing follows.
    ForeignPress {
        /// For `answerCallbackQuery`.
        callback_id: String,
        /// Why it does not count, for the log.
        why: &'static str,
    },
    /// An owner's own words.
    Text(Text),
    /// One of the bot's own commands, from an owner.
    Command {
        /// Where and by whom.
        at: Place,
        /// Which.
        command: Command,
        /// What stands behind it, trimmed.
        rest: String,
        /// It came by editing an older message.
        edited: bool,
    },
    /// One of the bot's own commands that are about no question, from an owner in their private chat with the bot, which is
    /// not the configured chat.
    PrivateCommand {
        /// Where and by whom. The chat's id is the owner's.
        at: Place,
        /// Which: never `Answer`, `Decline` or `Cancel`.
        command: Command,
        /// What stands behind it, trimmed.
        rest: String,
        /// It came by editing an older message.
        edited: bool,
    },
    /// An owner sent something without words: only a text counts.
    NotText {
        /// Where and by whom.
        at: Place,
        /// Telegram's name of it: `photo`, `voice`, `poll`, …
        kind: &'static str,
        /// The album it is a part of: one reply is enough.
        album: Option<String>,
    },
    /// A topic was made. When `by_bot`, it tells what came of a `createForumTopic` whose outcome is unknown.
    TopicCreated {
        /// The topic.
        thread: i64,
        /// Its name, as Telegram cleaned it.
        name: String,
        /// This bot made it.
        by_bot: bool,
    },
    /// The configured group became a supergroup.
    Migrated {
        /// The new chat id.
        to: i64,
    },
    /// What the bot is in the configured chat has changed: promoted, demoted, thrown out, let in again.
    BotChanged,
    /// Somebody's or something's that does not count here. Logged without its text.
    Foreign {
        /// Why it does not count.
        why: &'static str,
    },
    /// Nothing to do.
    Nothing {
        /// Why.
        why: &'static str,
    },
}

/// Where a message stands and who wrote it.
#[derive(Clone, PartialEq, Eq)]
pub struct Place {
    /// The owner's user id.
    pub user: i64,
    /// The owner's name as Telegram shows it. For people only.
    pub author: String,
    /// The message, above 0. None for one that only one person sees: it has no id to reply to or to react at.
    pub message_id: Option<i64>,
    /// The topic; None in General.
    pub thread: Option<i64>,
    /// Seconds since 1970: when it was written, or edited.
    pub date: i64,
}

/// An owner's own words.
#[derive(Clone, PartialEq, Eq)]
pub struct Text {
    /// Where and by whom.
    pub at: Place,
    /// The words, exactly as they came.
    pub text: String,
    /// They came by editing an older message; perhaps they are the same as before.
    pub edited: bool,
    /// They are the caption of something that is not passed on.
    pub has_media: bool,
    /// The album that something is a part of.
    pub album: Option<String>,
}

/// An owner's press of the button that sends words which were held back.
#[derive(Clone, PartialEq, Eq)]
pub struct HeldPress {
    /// For `answerCallbackQuery`. Not a message id.
    pub callback_id: String,
    /// The owner's user id.
    pub user: i64,
    /// What the button carried.
    pub button: HeldButton,
    /// The message that the button stands under; None when Telegram does not tell it.
    pub message_id: Option<i64>,
}

/// An owner's press.
#[derive(Clone, PartialEq, Eq)]
pub struct Press {
    /// For `answerCallbackQuery`. Not a message id.
    pub callback_id: String,
    /// The owner's user id.
    pub user: i64,
    /// The owner's name as Telegram shows it. For people only.
    pub author: String,
    /// What the button carried.
    pub data: Result<CallbackData, NotOurs>,
    /// The message it hangs on, where Telegram tells.
    pub message_id: Option<i64>,
}

/// An owner's press of a button of an update.
#[derive(Clone, PartialEq, Eq)]
pub struct UpdatePress {
    /// For `answerCallbackQuery`. Not a message id.
    pub callback_id: String,
    /// The owner's user id.
    pub user: i64,
    /// What the button carried.
    pub button: UpdateButton,
    /// The message it hangs on, where Telegram tells.
    pub message_id: Option<i64>,
}

/// The id of an update: once seen, it is not handled again.
pub fn update_id(update: &Value) -> Option<i64> {
    update.get("update_id")?.as_i64()
}

/// Reads an update.
pub fn read(update: &Value, seat: &Seat) -> Intent {
    if let Some(query) = update.get("callback_query") {
        return press::read(query, seat);
    }
    if let Some(message) = update.get("message") {
        return message::read(message, seat, false);
    }
    if let Some(message) = update.get("edited_message") {
        return message::read(message, seat, true);
    }
    if let Some(changed) = update.get("my_chat_member") {
        let is_here = changed.pointer("/chat/id").and_then(Value::as_i64) == Some(seat.chat_id);
        return if is_here { Intent::BotChanged } else { Intent::Nothing { why: "the bot's standing in another chat" } };
    }
    let from_elsewhere = ["channel_post", "edited_channel_post", "business_message", "edited_business_message", "guest_message"];
    if from_elsewhere.iter().any(|kind| update.get(kind).is_some()) {
        return Intent::Foreign { why: "not a message of a member of the chat" };
    }
    Intent::Nothing { why: "no kind of update that is looked at" }
}
