//! What people write: a text or something else, where, by whom, with raw fields merged in.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::state::{FORUM, OWNER};

/// A message that a person is about to send. Without more it goes from [`OWNER`] to the General
/// topic of [`FORUM`].
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The chat; [`FORUM`] when `None`.
    pub chat: Option<i64>,
    /// The topic; `None` for General.
    pub thread: Option<i64>,
    /// The sender; [`OWNER`] when `None`.
    pub user: Option<i64>,
    /// The text.
    pub text: Option<String>,
    /// The caption of what `extra` holds.
    pub caption: Option<String>,
    /// The message it replies to.
    pub reply_to: Option<i64>,
    /// Raw fields of the message over all others; `null` takes a field away, `from` too.
    #[serde(default)]
    pub extra: Map<String, Value>,
}

impl Written {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// In a topic.
    #[must_use]
    pub fn in_topic(mut self, thread: i64) -> Self {
        self.thread = Some(thread);
        self
    }

    /// In another chat.
    #[must_use]
    pub fn in_chat(mut self, chat: i64) -> Self {
        self.chat = Some(chat);
        self
    }

    /// By someone else.
    #[must_use]
    pub fn by(mut self, user: i64) -> Self {
        self.user = Some(user);
        self
    }

    /// In reply to a message.
    #[must_use]
    pub fn replying_to(mut self, message: i64) -> Self {
        self.reply_to = Some(message);
        self
    }

    /// With a caption.
    #[must_use]
    pub fn captioned(mut self, caption: impl Into<String>) -> Self {
        self.caption = Some(caption.into());
        self
    }

    /// With raw fields; anything but an object adds none.
    #[must_use]
    pub fn with(mut self, fields: Value) -> Self {
        if let Value::Object(fields) = fields {
            self.extra.extend(fields);
        }
        self
    }

    pub(super) fn chat_id(&self) -> i64 {
        self.chat.unwrap_or(FORUM)
    }

    pub(super) fn user_id(&self) -> i64 {
        self.user.unwrap_or(OWNER)
    }
}

/// Messages that are no plain text of a plain person.
pub mod media {
    use serde_json::{Value, json};

    use super::{FORUM, Written};

    fn file(name: &str) -> Value {
        json!({ "file_id": format!("person-{name}"), "file_unique_id": format!("unique-{name}") })
    }

    /// A photo.
    pub fn photo() -> Written {
        let mut size = file("photo");
        size["width"] = 320.into();
        size["height"] = 240.into();
        Written::default().with(json!({ "photo": [size] }))
    }

    /// A voice message.
    pub fn voice() -> Written {
        let mut voice = file("voice");
        voice["duration"] = 3.into();
        voice["mime_type"] = "audio/ogg".into();
        Written::default().with(json!({ "voice": voice }))
    }

    /// Someone else's text passed on.
    pub fn forwarded(text: &str) -> Written {
        Written::text(text).with(json!({ "forward_origin": {
            "type": "hidden_user", "date": 1_700_000_000, "sender_user_name": "Somebody",
        } }))
    }

    /// An album of photos, the caption on the first.
    pub fn album(photos: usize, caption: &str) -> Vec<Written> {
        let part = |number| {
            let part = photo().with(json!({ "media_group_id": "13370000000000001" }));
            if number == 0 { part.captioned(caption) } else { part }
        };
        (0..photos).map(part).collect()
    }

    /// A text by an administrator who hides behind the forum.
    pub fn by_anonymous_admin(text: &str) -> Written {
        Written::text(text).with(json!({
            "from": { "id": 1_087_968_824, "is_bot": true, "first_name": "Group",
                      "username": "GroupAnonymousBot" },
            "sender_chat": { "id": FORUM, "type": "supergroup", "title": "Pager test",
                             "is_forum": true },
        }))
    }

    /// A text posted in the name of a channel.
    pub fn by_channel(text: &str) -> Written {
        Written::text(text).with(json!({
            "from": { "id": 136_817_688, "is_bot": true, "first_name": "Channel",
                      "username": "Channel_Bot" },
            "sender_chat": { "id": -1_003_000_000_001_i64, "type": "channel", "title": "News" },
        }))
    }

    /// A text of another bot.
    pub fn by_bot(text: &str) -> Written {
        Written::text(text).with(json!({
            "from": { "id": 555, "is_bot": true, "first_name": "Other", "username": "other_bot" },
        }))
    }

    /// A text without any sender.
    pub fn by_nobody(text: &str) -> Written {
        Written::text(text).with(json!({ "from": null }))
    }
}
