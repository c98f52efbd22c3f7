//! What waits for a bot: the queue of updates, how long each lives, and who gets to see it.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::chat::{ChatKind, Standing};
use super::delivery::Progress;
use super::state::State;
use super::webhook::Webhook;

const MESSAGE_SECONDS: i64 = 24 * 3600;
const CALLBACK_SECONDS: i64 = 150;
const FIRST_ID: i64 = 700_000_001;
/// The kinds that come only when they are asked for by name.
const SILENT_KINDS: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];
const KINDS: [&str; 14] = [
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "my_chat_member",
    "chat_member",
    "message_reaction",
    "message_reaction_count",
    "inline_query",
    "chosen_inline_result",
    "poll",
    "poll_answer",
    "chat_join_request",
];

/// The updates of one bot.
#[derive(Debug)]
pub(super) struct UpdateQueue {
    pub(super) next_id: i64,
    pub(super) waiting: VecDeque<Queued>,
    /// Every update that was ever queued, to replay.
    pub(super) history: Vec<Value>,
    /// What the bot asked for last; `None` before it ever asked.
    pub(super) allowed: Option<Vec<String>>,
    pub(super) webhook: Option<Webhook>,
    /// The number of the latest poll that waits.
    pub(super) poll: u64,
    pub(super) last_offset: Option<i64>,
    pub(super) last_poll_ms: i64,
    pub(super) last_conflict_ms: i64,
    pub(super) last_set_webhook_ms: i64,
    pub(super) finished_polls: u64,
}

/// One update that is not confirmed.
#[derive(Debug)]
pub(super) struct Queued {
    pub(super) id: i64,
    pub(super) update: Value,
    /// Seconds of the fake's clock after which it is gone.
    pub(super) until: i64,
    /// Given once whatever the offset says, then gone.
    pub(super) is_replay: bool,
    /// Its place among all that were ever queued.
    pub(super) serial: usize,
    /// How far its delivery to a webhook is.
    pub(super) progress: Progress,
}

impl UpdateQueue {
    pub(super) fn new() -> Self {
        Self {
            next_id: FIRST_ID,
            waiting: VecDeque::new(),
            history: Vec::new(),
            allowed: None,
            webhook: None,
            poll: 0,
            last_offset: None,
            last_poll_ms: 0,
            last_conflict_ms: 0,
            last_set_webhook_ms: 0,
            finished_polls: 0,
        }
    }

    /// Remembers a list of kinds. Unknown names do not count; a list without a known one is
    /// the same as an empty one.
    pub(super) fn remember_allowed(&mut self, kinds: &Value) {
        if let Some(kinds) = kinds.as_array() {
            let kinds = kinds.iter().filter_map(Value::as_str).filter(|kind| KINDS.contains(kind)).map(ToOwned::to_owned);
            self.allowed = Some(kinds.collect());
        }
    }

    fn takes(&self, kind: &str) -> bool {
        match &self.allowed {
            Some(kinds) if !kinds.is_empty() => kinds.iter().any(|allowed| allowed == kind),
            _ => !SILENT_KINDS.contains(&kind),
        }
    }

    /// Queues an update unless the bot does not take its kind; gives back its id.
    pub(super) fn push(&mut self, kind: &str, content: Value, until: i64) -> Option<i64> {
        if !self.takes(kind) {
            return None;
        }
        let id = self.next_id;
        self.next_id += 1;
        let update = json!({ "update_id": id, kind: content });
        self.push_raw(update, until, false);
        Some(id)
    }

    pub(super) fn push_raw(&mut self, update: Value, until: i64, is_replay: bool) {
        let id = update["update_id"].as_i64().unwrap_or_default();
        self.history.push(update.clone());
        let (serial, progress) = (self.history.len(), Progress::default());
        self.waiting.push_back(Queued { id, update, until, is_replay, serial, progress });
    }

    pub(super) fn drop_expired(&mut self, now: i64) {
        self.waiting.retain(|queued| queued.until > now);
    }
}

impl State {
    /// Gives a message to every bot in its chat that gets to see it, as an update of a kind.
    pub(super) fn deliver(&mut self, kind: &str, chat: i64, message: i64) -> Option<i64> {
        let value = self.message_value(chat, message);
        let shown = &self.chats[&chat];
        let until = self.now() + MESSAGE_SECONDS;
        let mut readers = Vec::new();
        for (token, bot) in &self.bots {
            let standing = shown.bots.get(&bot.user.id).copied();
            let is_own = value["from"]["id"] == bot.user.id;
            let sees = match standing {
                Some(Standing::Administrator { .. }) => true,
                Some(Standing::Member) => {
                    shown.kind == ChatKind::Private
                        || bot.reads_all_group_messages
                        || passes_privacy_mode(&value, bot.user.id, bot.user.username.as_deref())
                }
                _ => false,
            };
            // Of its own messages a bot is told only the service ones.
            if sees && (!is_own || is_service(&value)) {
                readers.push(token.clone());
            }
        }
        let mut id = None;
        for token in readers {
            if let Some(bot) = self.bots.get_mut(&token) {
                id = bot.updates.push(kind, value.clone(), until).or(id);
            }
        }
        id
    }

    /// Gives a bot the press of a button.
    pub(super) fn deliver_callback(&mut self, bot: i64, query: Value) -> Option<i64> {
        let until = self.now() + CALLBACK_SECONDS;
        self.bot_by_id(bot)?.updates.push("callback_query", query, until)
    }

    /// Gives a bot any update of the kinds that live a day.
    pub(super) fn deliver_value(&mut self, bot: i64, kind: &str, value: Value) -> Option<i64> {
        let until = self.now() + MESSAGE_SECONDS;
        self.bot_by_id(bot)?.updates.push(kind, value, until)
    }

    /// Gives the first bot an update just as it is; one without id gets the next.
    pub(super) fn deliver_raw(&mut self, bot: i64, mut update: Value, is_replay: bool) -> i64 {
        let until = self.now() + MESSAGE_SECONDS;
        let Some(bot) = self.bot_by_id(bot) else { return 0 };
        let id = update["update_id"].as_i64().unwrap_or(bot.updates.next_id);
        bot.updates.next_id = bot.updates.next_id.max(id + 1);
        update["update_id"] = id.into();
        bot.updates.push_raw(update, until, is_replay);
        id
    }
}

fn is_service(message: &Value) -> bool {
    message.as_object().is_some_and(|fields| fields.keys().any(|name| is_service_field(name)))
}

fn is_service_field(name: &str) -> bool {
    name.starts_with("forum_topic_") || name.starts_with("migrate_")
}

/// A bot in privacy mode that is no administrator sees commands for it, replies to it and
/// service messages.
fn passes_privacy_mode(message: &Value, bot: i64, username: Option<&str>) -> bool {
    let text = message["text"].as_str().unwrap_or_default();
    let command = text.split_whitespace().next().unwrap_or_default();
    let is_for_it = match command.split_once('@') {
        Some((_, name)) => Some(name) == username,
        None => true,
    };
    (command.starts_with('/') && is_for_it) || message["reply_to_message"]["from"]["id"] == bot || is_service(message)
}
