//! Topics and their icons.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Telegram,
    call::{or_so_already, unreadable},
    chats::read,
};
use crate::outcome::Failure;

/// An emoji that may be a topic's icon.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Icon {
    /// The emoji, with or without U+FE0F.
    #[serde(default)]
    pub emoji: String,
    /// Its id.
    #[serde(rename = "custom_emoji_id", default)]
    pub id: String,
}

/// The id of the icon of this emoji; the variation selector does not matter.
pub fn icon_of<'icons>(icons: &'icons [Icon], emoji: &str) -> Option<&'icons str> {
    let bare = |text: &str| text.replace('\u{fe0f}', "");
    icons.iter().find(|icon| bare(&icon.emoji) == bare(emoji) && !icon.id.is_empty()).map(|icon| icon.id.as_str())
}

impl Telegram {
    /// The icons that any bot may give a topic.
    ///
    /// # Errors
    /// [`Failure`]; without them the topic's name carries the sign.
    pub async fn icon_stickers(&self) -> Result<Vec<Icon>, Failure> {
        read("getForumTopicIconStickers", self.call("getForumTopicIconStickers", &json!({})).await?)
    }

    /// Makes a topic; gives its id back. Not idempotent: after [`Failure::Unknown`] a second call may make a second topic.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn create_topic(&self, chat: i64, name: &str, icon: Option<&str>) -> Result<i64, Failure> {
        let mut parameters = json!({"chat_id": chat, "name": name});
        if let Some(icon) = icon {
            parameters["icon_custom_emoji_id"] = icon.into();
        }
        let topic = self.call("createForumTopic", &parameters).await?;
        let thread = topic.get("message_thread_id").and_then(Value::as_i64).filter(|id| *id > 0);
        thread.ok_or_else(|| unreadable("createForumTopic"))
    }

    /// Gives a topic another icon. Idempotent.
    ///
    /// # Errors
    /// [`Failure`]; never one because it has this icon already.
    pub async fn edit_topic_icon(&self, chat: i64, thread: i64, icon: &str) -> Result<(), Failure> {
        let parameters = json!({"chat_id": chat, "message_thread_id": thread, "icon_custom_emoji_id": icon});
        or_so_already(self.call("editForumTopic", &parameters).await)
    }

    /// Gives a topic another name. Idempotent.
    ///
    /// # Errors
    /// [`Failure`]; never one because it has this name already.
    pub async fn edit_topic_name(&self, chat: i64, thread: i64, name: &str) -> Result<(), Failure> {
        let parameters = json!({"chat_id": chat, "message_thread_id": thread, "name": name});
        or_so_already(self.call("editForumTopic", &parameters).await)
    }

    /// Closes a topic. Idempotent.
    ///
    /// # Errors
    /// [`Failure`]; never one because it is closed already.
    pub async fn close_topic(&self, chat: i64, thread: i64) -> Result<(), Failure> {
        or_so_already(self.call("closeForumTopic", &json!({"chat_id": chat, "message_thread_id": thread})).await)
    }

    /// Deletes a topic with everything in it; the bot needs the right to delete messages.
    ///
    /// # Errors
    /// [`Failure`]; `ThreadNotFound` when it is gone already.
    pub async fn delete_topic(&self, chat: i64, thread: i64) -> Result<(), Failure> {
        self.call("deleteForumTopic", &json!({"chat_id": chat, "message_thread_id": thread})).await.map(drop)
    }

    /// Opens a topic that was closed by hand. Idempotent.
    ///
    /// # Errors
    /// [`Failure`]; never one because it is open already.
    pub async fn reopen_topic(&self, chat: i64, thread: i64) -> Result<(), Failure> {
        or_so_already(self.call("reopenForumTopic", &json!({"chat_id": chat, "message_thread_id": thread})).await)
    }
}
