//! How intents look in a log: their kind and why, never a text, a name or an id.

use std::fmt;

use super::{Intent, Place, Press, Text};

impl fmt::Debug for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Press(press) => press.fmt(f),
            Self::UpdatePress(press) => write!(f, "UpdatePress({:?})", press.button.mark),
            Self::ForeignPress { why, .. } => write!(f, "ForeignPress({why})"),
            Self::Text(text) => text.fmt(f),
            Self::Command { command, edited, .. } => write!(f, "Command({command:?}, edited: {edited})"),
            Self::PrivateCommand { command, edited, .. } => write!(f, "PrivateCommand({command:?}, edited: {edited})"),
            Self::NotText { kind, .. } => write!(f, "NotText({kind})"),
            Self::TopicCreated { by_bot, .. } => write!(f, "TopicCreated(by_bot: {by_bot})"),
            Self::BotChanged => f.write_str("BotChanged"),
            Self::Migrated { .. } => f.write_str("Migrated"),
            Self::Foreign { why } => write!(f, "Foreign({why})"),
            Self::Nothing { why } => write!(f, "Nothing({why})"),
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place(topic: {})", self.thread.is_some())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = pager_questions::text::length(&self.text);
        write!(f, "Text({length} characters, topic: {}, edited: {})", self.at.thread.is_some(), self.edited)
    }
}

impl fmt::Debug for Press {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Press(ours: {})", self.data.is_ok())
    }
}
