//! The kinds of chat that questions can be shown in, told apart by what Telegram says of the chat and of the bot.

use crate::api::{ChatInfo, Me};

/// What a chat offers to questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatKind {
    /// A supergroup with topics: one per question. The bot needs the right to manage them.
    Forum,
    /// A private chat with the bot in threaded mode: one topic per question, no right needed. Topics there are never closed.
    PrivateTopics,
    /// Any chat without topics: a question is a message with buttons, and own words come by command with its key.
    Flat,
}

/// Questions cannot be shown there: nobody's words in it have a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the chat is a channel, where nobody can be told by their words; use a group, or a private chat with the bot")]
pub struct IsChannel;

impl ChatKind {
    /// The kind of this chat for this bot.
    ///
    /// # Errors
    /// [`IsChannel`].
    pub fn of(chat: &ChatInfo, me: &Me) -> Result<Self, IsChannel> {
        match chat.kind.as_str() {
            "channel" => Err(IsChannel),
            "private" if me.has_topics_enabled => Ok(Self::PrivateTopics),
            "private" => Ok(Self::Flat),
            _ if chat.is_forum => Ok(Self::Forum),
            _ => Ok(Self::Flat),
        }
    }

    /// Its name, for the log and the store.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forum => "forum",
            Self::PrivateTopics => "private with topics",
            Self::Flat => "without topics",
        }
    }

    /// Does each question get a topic of its own?
    pub fn has_topics(self) -> bool {
        match self {
            Self::Forum | Self::PrivateTopics => true,
            Self::Flat => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_is_what_telegram_says_of_chat_and_bot() {
        let kind = |kind: &str, is_forum: bool, has_topics_enabled: bool| {
            let chat = ChatInfo { id: 1, kind: kind.to_owned(), is_forum };
            let me = Me { id: 2, username: String::new(), can_read_all_group_messages: false, has_topics_enabled };
            ChatKind::of(&chat, &me)
        };
        assert_eq!(kind("supergroup", true, false), Ok(ChatKind::Forum));
        assert_eq!(kind("supergroup", false, true), Ok(ChatKind::Flat), "threaded mode is about private chats");
        assert_eq!(kind("group", false, false), Ok(ChatKind::Flat));
        assert_eq!(kind("private", false, true), Ok(ChatKind::PrivateTopics));
        assert_eq!(kind("private", false, false), Ok(ChatKind::Flat));
        assert_eq!(kind("channel", false, false), Err(IsChannel));
    }
}
