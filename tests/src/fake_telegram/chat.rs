//! Chats, their topics, and who is in them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};

use super::message::Message;

/// A person or a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The user's id.
    pub id: i64,
    /// Whether it is a bot.
    pub is_bot: bool,
    /// First name.
    pub first_name: String,
    /// Last name, may be empty.
    pub last_name: String,
    /// Username without the at sign.
    pub username: Option<String>,
}

impl User {
    pub(super) fn person(id: i64, first_name: &str, last_name: &str) -> Self {
        Self { id, is_bot: false, first_name: first_name.to_owned(), last_name: last_name.to_owned(), username: None }
    }

    pub(super) fn bot(id: i64, first_name: &str, username: &str) -> Self {
        Self { is_bot: true, username: Some(username.to_owned()), ..Self::person(id, first_name, "") }
    }

    /// First and last name.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name).trim().to_owned()
    }

    pub(super) fn value(&self) -> Value {
        let mut value = json!({
            "id": self.id, "is_bot": self.is_bot, "first_name": self.first_name,
        });
        if !self.last_name.is_empty() {
            value["last_name"] = self.last_name.clone().into();
        }
        if let Some(username) = &self.username {
            value["username"] = username.clone().into();
        }
        value
    }
}

/// The kinds of chats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatKind {
    /// One person and the bot.
    Private,
    /// A basic group: never with topics.
    Group,
    /// A supergroup, with or without topics.
    Supergroup,
    /// A channel.
    Channel,
}

/// What a bot is in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// An administrator with these rights.
    Administrator {
        /// May make topics and edit those of others.
        can_manage_topics: bool,
        /// May delete messages and topics of others.
        can_delete_messages: bool,
    },
    /// A plain member.
    Member,
    /// Left by itself.
    Left,
    /// Thrown out.
    Kicked,
    /// Blocked by the person of a private chat.
    Blocked,
}

impl Standing {
    /// An administrator with every right.
    pub fn administrator() -> Self {
        Self::Administrator { can_manage_topics: true, can_delete_messages: true }
    }

    pub(super) fn is_present(self) -> bool {
        matches!(self, Self::Administrator { .. } | Self::Member)
    }
}

/// A forum topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// The id of its `forum_topic_created` message.
    pub thread: i64,
    /// Its name.
    pub name: String,
    /// Its colour, chosen at creation for ever.
    pub icon_color: i64,
    /// The custom emoji of its icon; empty for none.
    pub icon: String,
    /// Whether it is closed.
    pub is_closed: bool,
    /// Whether it was deleted, with all its messages.
    pub is_deleted: bool,
    /// The user id of its maker.
    pub creator: i64,
}

/// One chat.
#[derive(Debug, Clone)]
pub struct Chat {
    /// The chat's id.
    pub id: i64,
    /// Its kind.
    pub kind: ChatKind,
    /// Its title; the person's name in a private chat.
    pub title: String,
    /// Whether it has topics.
    pub is_forum: bool,
    /// Topics by thread id, deleted ones too.
    pub topics: BTreeMap<i64, Topic>,
    /// Messages by id, without deleted ones.
    pub messages: BTreeMap<i64, Message>,
    /// Bots by id.
    pub bots: BTreeMap<i64, Standing>,
    /// The supergroup it became.
    pub migrated_to: Option<i64>,
    pub(super) username: Option<String>,
    pub(super) owner: Option<i64>,
    pub(super) members: BTreeSet<i64>,
    pub(super) general_is_closed: bool,
    pub(super) reactions: Option<Vec<String>>,
    pub(super) last_message: i64,
    /// When writing calls were carried out, for the budget; milliseconds of the fake's clock.
    pub(super) spent: VecDeque<i64>,
}

impl Chat {
    pub(super) fn new(id: i64, kind: ChatKind, title: &str) -> Self {
        Self {
            id,
            kind,
            title: title.to_owned(),
            is_forum: false,
            topics: BTreeMap::new(),
            messages: BTreeMap::new(),
            bots: BTreeMap::new(),
            migrated_to: None,
            username: None,
            owner: None,
            members: BTreeSet::new(),
            general_is_closed: false,
            reactions: None,
            // The first message of a group tells its creation. No topic ever begins with it:
            // 1 stands for General inside Telegram.
            last_message: 1,
            spent: VecDeque::new(),
        }
    }

    /// A topic that exists and was not deleted.
    pub fn topic(&self, thread: i64) -> Option<&Topic> {
        self.topics.get(&thread).filter(|topic| !topic.is_deleted)
    }

    pub(super) fn is_group(&self) -> bool {
        matches!(self.kind, ChatKind::Group | ChatKind::Supergroup)
    }

    pub(super) fn manages_topics(&self, bot: i64) -> bool {
        self.kind == ChatKind::Private
            || matches!(self.bots.get(&bot), Some(Standing::Administrator { can_manage_topics: true, .. }))
    }

    pub(super) fn deletes_messages(&self, bot: i64) -> bool {
        matches!(self.bots.get(&bot), Some(Standing::Administrator { can_delete_messages: true, .. }))
    }

    /// The `chat` of a message.
    pub(super) fn value(&self) -> Value {
        let kind = match self.kind {
            ChatKind::Private => "private",
            ChatKind::Group => "group",
            ChatKind::Supergroup => "supergroup",
            ChatKind::Channel => "channel",
        };
        let mut value = json!({ "id": self.id, "type": kind });
        let name = if self.kind == ChatKind::Private { "first_name" } else { "title" };
        value[name] = self.title.clone().into();
        if let Some(username) = &self.username {
            value["username"] = username.clone().into();
        }
        if self.is_forum && self.kind == ChatKind::Supergroup {
            value["is_forum"] = true.into();
        }
        value
    }
}
