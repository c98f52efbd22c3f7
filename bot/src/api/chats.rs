//! Who the bot is, where it sits and what it may do there.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Telegram, call::unreadable};
use crate::outcome::Failure;

/// The bot itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Me {
    /// Its user id.
    pub id: i64,
    /// Its user name, without @.
    #[serde(default)]
    pub username: String,
    /// Privacy mode is off. An administrator reads everything anyway.
    #[serde(default)]
    pub can_read_all_group_messages: bool,
    /// Threaded mode is on: its private chats have topics.
    #[serde(default)]
    pub has_topics_enabled: bool,
}

/// A chat.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ChatInfo {
    /// Its id.
    pub id: i64,
    /// `private`, `group`, `supergroup` or `channel`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// It has topics.
    #[serde(default)]
    pub is_forum: bool,
}

/// A member of a chat.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Member {
    /// `creator`, `administrator`, `member`, `restricted`, `left` or `kicked`.
    #[serde(default)]
    pub status: String,
    /// May make and edit topics.
    #[serde(default)]
    pub can_manage_topics: bool,
}

impl Member {
    /// May it make topics, by right or as the creator?
    pub fn makes_topics(&self) -> bool {
        self.status == "creator" || (self.status == "administrator" && self.can_manage_topics)
    }
}

impl Telegram {
    /// The bot itself.
    ///
    /// # Errors
    /// [`Failure`]; `BadToken` when the token is not taken.
    pub async fn get_me(&self) -> Result<Me, Failure> {
        read("getMe", self.call("getMe", &json!({})).await?)
    }

    /// A chat.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn get_chat(&self, chat: i64) -> Result<ChatInfo, Failure> {
        read("getChat", self.call("getChat", &json!({"chat_id": chat})).await?)
    }

    /// What a user is in a chat; the bot itself, by its own id.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn get_chat_member(&self, chat: i64, user: i64) -> Result<Member, Failure> {
        read("getChatMember", self.call("getChatMember", &json!({"chat_id": chat, "user_id": user})).await?)
    }
}

pub(super) fn read<T: DeserializeOwned>(method: &str, result: Value) -> Result<T, Failure> {
    serde_json::from_value(result).map_err(|_| unreadable(method))
}
