//! Everything the fake server remembers. Changed only through calls of bots and acts of people.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::callbacks::CallbackQuery;
use super::chat::{Chat, ChatKind, Standing, User};
use super::delivery::Delivery;
use super::errors::{Refusal, bad, forbidden, migrated};
use super::faults::Faults;
use super::updates::UpdateQueue;

/// The token of the first bot.
pub const TOKEN: &str = "100:test-token";
/// The user id of the first bot, `pager_test_bot`.
pub const BOT: i64 = 100;
/// The supergroup with topics where the first bot is an administrator.
pub const FORUM: i64 = -1_001_000_000_001;
/// The owner, a person of the forum: Olga Owner.
pub const OWNER: i64 = 4242;
/// A member of the forum who is no owner: Sam Stranger.
pub const STRANGER: i64 = 666;

/// The whole state.
#[derive(Debug)]
pub struct State {
    /// Chats by id.
    pub chats: BTreeMap<i64, Chat>,
    /// Every call that reached the server, oldest first.
    pub calls: Vec<Call>,
    /// Every press, oldest first.
    pub callbacks: Vec<CallbackQuery>,
    /// Every try to deliver an update to a webhook, oldest first.
    pub deliveries: Vec<Delivery>,
    pub(super) users: BTreeMap<i64, User>,
    pub(super) bots: BTreeMap<String, Bot>,
    pub(super) faults: Faults,
    pub(super) rules: Rules,
    pub(super) is_down: bool,
    pub(super) last_file: i64,
    shift_ms: i64,
}

/// How strict the server is where the real one's strictness varies or is not known.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    /// Writing calls in 60 seconds to one group; `None` for no bound.
    pub(super) group_budget: Option<usize>,
    /// Whether the maker of a topic and topic managers may write in it when it is closed.
    pub(super) closed_topics_take_managers: bool,
    /// Whether webhooks may be plain `http` on this machine.
    pub(super) is_kind_about_webhook_urls: bool,
}

/// A bot account.
#[derive(Debug)]
pub(super) struct Bot {
    pub(super) user: User,
    pub(super) reads_all_group_messages: bool,
    pub(super) has_private_topics: bool,
    pub(super) updates: UpdateQueue,
    pub(super) commands: BTreeMap<String, Value>,
}

/// One call in the log.
#[derive(Debug, Clone)]
pub struct Call {
    /// The method in lower case, such as `sendmessage`.
    pub method: String,
    /// The parameters; JSON texts as the values they hold.
    pub parameters: Value,
    /// The fake's clock, milliseconds since 1970.
    pub at_ms: i64,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// No reply was given yet.
    Open,
    /// The client went away before the reply.
    Abandoned,
    /// Done; the `result` of the reply.
    Done(Value),
    /// Refused by the server's rules.
    Refused(Refusal),
    /// Spoilt by a scripted fault; whether its effect happened all the same.
    Spoilt {
        /// The call changed the state although the client could not know.
        applied: bool,
    },
}

impl State {
    pub(super) fn new() -> Self {
        let mut state = Self {
            chats: BTreeMap::new(),
            calls: Vec::new(),
            callbacks: Vec::new(),
            deliveries: Vec::new(),
            users: BTreeMap::new(),
            bots: BTreeMap::new(),
            faults: Faults::default(),
            rules: Rules { group_budget: Some(20), closed_topics_take_managers: true, is_kind_about_webhook_urls: false },
            is_down: false,
            last_file: 0,
            shift_ms: 0,
        };
        state.add_user(OWNER, "Olga", "Owner");
        state.add_user(STRANGER, "Sam", "Stranger");
        state.add_bot(TOKEN, "pager_test_bot");
        let mut forum = Chat::new(FORUM, ChatKind::Supergroup, "Pager test");
        forum.is_forum = true;
        forum.owner = Some(OWNER);
        forum.members.extend([OWNER, STRANGER]);
        forum.bots.insert(BOT, Standing::administrator());
        state.chats.insert(FORUM, forum);
        state
    }

    /// The fake's clock in seconds since 1970.
    pub fn now(&self) -> i64 {
        self.now_ms() / 1000
    }

    /// The fake's clock in milliseconds since 1970.
    pub fn now_ms(&self) -> i64 {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX) + self.shift_ms
    }

    pub(super) fn age(&mut self, milliseconds: i64) {
        self.shift_ms += milliseconds;
    }

    pub(super) fn add_user(&mut self, id: i64, first_name: &str, last_name: &str) {
        self.users.insert(id, User::person(id, first_name, last_name));
    }

    /// Adds a bot; the number before the colon of its token is its user id.
    pub(super) fn add_bot(&mut self, token: &str, username: &str) -> i64 {
        let id = token.split(':').next().and_then(|id| id.parse().ok()).expect("a bot's token begins with its id and a colon");
        let user = User::bot(id, "Pager test", username);
        self.users.insert(id, user.clone());
        let bot = Bot {
            user,
            reads_all_group_messages: false,
            has_private_topics: false,
            updates: UpdateQueue::new(),
            commands: BTreeMap::new(),
        };
        self.bots.insert(token.to_owned(), bot);
        id
    }

    /// The user as JSON; someone nobody introduced gets a name from the id.
    pub(super) fn user_value(&self, id: i64) -> Value {
        match self.users.get(&id) {
            Some(user) => user.value(),
            None => User::person(id, &format!("User {id}"), "").value(),
        }
    }

    pub(super) fn bot_by_id(&mut self, id: i64) -> Option<&mut Bot> {
        self.bots.values_mut().find(|bot| bot.user.id == id)
    }

    /// The chat a bot's call is about, or the refusal the bot gets there.
    pub(super) fn chat_for_bot(&self, bot: i64, chat_id: &str) -> Result<&Chat, Refusal> {
        if chat_id.is_empty() {
            return Err(bad("chat_id is empty"));
        }
        let chat = match chat_id.strip_prefix('@') {
            Some(name) => {
                self.chats.values().find(|chat| chat.username.as_deref().is_some_and(|it| it.eq_ignore_ascii_case(name)))
            }
            None => chat_id.parse().ok().and_then(|id: i64| self.chats.get(&id)),
        };
        let chat = chat.ok_or_else(|| bad("chat not found"))?;
        if let Some(to) = chat.migrated_to {
            return Err(migrated(to));
        }
        let kind = match chat.kind {
            ChatKind::Private => "",
            ChatKind::Group => "group",
            ChatKind::Supergroup => "supergroup",
            ChatKind::Channel => "channel",
        };
        match (chat.kind, chat.bots.get(&bot)) {
            (_, Some(Standing::Administrator { .. } | Standing::Member)) => Ok(chat),
            (ChatKind::Private, Some(Standing::Blocked | Standing::Kicked)) => Err(forbidden("bot was blocked by the user")),
            (ChatKind::Private, _) => Err(forbidden("bot can't initiate conversation with a user")),
            (_, Some(Standing::Kicked | Standing::Blocked)) => Err(forbidden(format!("bot was kicked from the {kind} chat"))),
            // A bot that was never there knows nothing of the chat.
            (_, None) => Err(bad("chat not found")),
            (_, Some(Standing::Left)) => Err(forbidden(format!("bot is not a member of the {kind} chat"))),
        }
    }

    /// A new file's identifiers.
    pub(super) fn new_file(&mut self) -> Value {
        self.last_file += 1;
        json!({
            "file_id": format!("file-{}", self.last_file),
            "file_unique_id": format!("unique-{}", self.last_file),
        })
    }
}
