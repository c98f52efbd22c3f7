//! Ruling the fake from a test: faults, the clock, the budget, bots, chats and their rights.

use super::FakeTelegram;
use super::chat::{Chat, ChatKind, Standing};
use super::faults::Fault;
use super::message::Message;
use super::state::{BOT, FORUM, State};

impl FakeTelegram {
    /// The next call of a method (in any case; `*` for any) meets a fault.
    pub fn fault(&self, method: &str, fault: Fault) {
        self.faults(method, fault, 1);
    }

    /// The next `times` calls of a method meet a fault.
    pub fn faults(&self, method: &str, fault: Fault, times: usize) {
        self.shared().change(|state| state.faults.add(method, &fault, times));
    }

    /// The next call of a method that has these words in its parameters, written as JSON, meets a fault.
    pub fn fault_where(&self, method: &str, words: &str, fault: Fault) {
        self.shared().change(|state| state.faults.add_where(method, words, &fault, 1));
    }

    /// Takes back every fault that no call has met.
    pub fn clear_faults(&self) {
        self.shared().change(|state| state.faults.clear());
    }

    /// Lets hanging calls go on.
    pub fn release(&self) {
        self.shared().change(|state| state.faults.releases += 1);
    }

    /// Cuts every connection from here on without carrying anything out, or ends that.
    pub fn set_down(&self, is_down: bool) {
        self.shared().change(|state| state.is_down = is_down);
    }

    /// Moves the fake's clock: presses die after 150 s, messages after a day.
    pub fn age(&self, seconds: i64) {
        self.shared().change(|state| state.age(seconds * 1000));
    }

    /// The bound of 20 writing calls in 60 seconds to one group, on or off. It is on at start.
    pub fn enforce_flood(&self, is_on: bool) {
        self.shared().change(|state| state.rules.group_budget = is_on.then_some(20));
    }

    /// Another bound of writing calls in 60 seconds to one group.
    pub fn set_group_budget(&self, calls: usize) {
        self.shared().change(|state| state.rules.group_budget = Some(calls));
    }

    /// Whether a closed topic is closed to its maker and to topic managers as well; at start it
    /// is not. What the real server does to bots is not published.
    pub fn close_topics_to_everyone(&self, is_on: bool) {
        self.shared().change(|state| state.rules.closed_topics_take_managers = !is_on);
    }

    /// Adds a bot; the number before the colon of its token is its user id, given back.
    pub fn add_bot(&self, token: &str, username: &str) -> i64 {
        self.shared().change(|state| state.add_bot(token, username))
    }

    /// Makes a token worthless, as a new one from BotFather does.
    pub fn revoke(&self, token: &str) {
        self.shared().change(|state| state.bots.remove(token));
    }

    /// Turns the first bot's privacy mode off or on; it is on at start.
    pub fn set_privacy_mode(&self, is_on: bool) {
        self.shared().change(|state| {
            if let Some(bot) = state.bot_by_id(BOT) {
                bot.reads_all_group_messages = !is_on;
            }
        });
    }

    /// Adds a person.
    pub fn add_user(&self, id: i64, first_name: &str, last_name: &str) {
        self.shared().change(|state| state.add_user(id, first_name, last_name));
    }

    /// Adds a chat without topics where the first bot is a plain member; in a channel it is an
    /// administrator, as bots have to be there.
    pub fn add_chat(&self, id: i64, kind: ChatKind, title: &str) {
        self.shared().change(|state| {
            let mut chat = Chat::new(id, kind, title);
            let standing = match kind {
                ChatKind::Channel => Standing::administrator(),
                _ => Standing::Member,
            };
            chat.bots.insert(BOT, standing);
            state.chats.insert(id, chat);
        });
    }

    /// Adds the private chat of a person with the first bot; its id is the person's.
    pub fn add_private_chat(&self, user: i64) {
        let name = self.look(|state| state.user_value(user)["first_name"].clone());
        self.add_chat(user, ChatKind::Private, name.as_str().unwrap_or_default());
    }

    /// Switches topics on or off. In a private chat that is the bot's threaded mode.
    pub fn set_topics(&self, chat: i64, is_on: bool) {
        self.with_chat(chat, |chat| chat.is_forum = is_on);
        self.shared().change(|state| {
            let is_private = state.chats[&chat].kind == ChatKind::Private;
            if let Some(bot) = state.bot_by_id(BOT).filter(|_| is_private) {
                bot.has_private_topics = is_on;
            }
        });
    }

    /// Bounds the reactions of a chat, or lifts the bound.
    pub fn set_reactions(&self, chat: i64, allowed: Option<&[&str]>) {
        let allowed = allowed.map(|emoji| emoji.iter().map(ToString::to_string).collect());
        self.with_chat(chat, |chat| chat.reactions = allowed);
    }

    /// Changes what a bot is in a chat; the bot is told with `my_chat_member`.
    pub fn set_standing(&self, chat: i64, bot: i64, standing: Standing, by: i64) {
        self.shared().change(|state| set_standing(state, chat, bot, standing, by));
    }

    /// Takes the right to manage topics from the first bot in the forum.
    pub fn demote_bot(&self, by: i64) {
        let standing = Standing::Administrator { can_manage_topics: false, can_delete_messages: false };
        self.set_standing(FORUM, BOT, standing, by);
    }

    /// Throws the first bot out of the forum.
    pub fn kick_bot(&self, by: i64) {
        self.set_standing(FORUM, BOT, Standing::Kicked, by);
    }

    /// Makes a supergroup without topics of a group and gives back its id. The old id is
    /// refused from here on with the new one, and both chats say so.
    pub fn migrate(&self, chat: i64) -> i64 {
        self.shared().change(|state| migrate(state, chat))
    }

    /// Goes on with update ids from a number, which may be lower than the last ones.
    pub fn jump_update_ids(&self, next: i64) {
        self.shared().change(|state| {
            if let Some(bot) = state.bot_by_id(BOT) {
                bot.updates.next_id = next;
            }
        });
    }

    fn with_chat(&self, chat: i64, change: impl FnOnce(&mut Chat)) {
        self.shared().change(|state| {
            change(state.chats.get_mut(&chat).expect("the chat was added before"));
        });
    }
}

pub(super) fn set_standing(state: &mut State, chat: i64, bot: i64, standing: Standing, by: i64) {
    let now = state.now();
    let Some(shown) = state.chats.get_mut(&chat) else { return };
    let before = shown.bots.insert(bot, standing).unwrap_or(Standing::Left);
    let shown = shown.value();
    let update = serde_json::json!({
        "chat": shown,
        "from": state.user_value(by),
        "date": now,
        "old_chat_member": state.bot_member(bot, before),
        "new_chat_member": state.bot_member(bot, standing),
    });
    state.deliver_value(bot, "my_chat_member", update);
}

pub(super) fn migrate(state: &mut State, old_id: i64) -> i64 {
    let new_id = -1_002_000_000_000 - old_id.abs() % 1_000_000_000;
    let Some(old) = state.chats.get(&old_id) else { return new_id };
    let mut new = Chat::new(new_id, ChatKind::Supergroup, &old.title);
    new.bots = old.bots.iter().filter(|(_, it)| it.is_present()).map(|(id, it)| (*id, *it)).collect();
    new.members = old.members.clone();
    new.owner = old.owner;
    let by = old.owner.unwrap_or(BOT);
    state.chats.insert(new_id, new);
    for (chat, name, other) in [(old_id, "migrate_to_chat_id", new_id), (new_id, "migrate_from_chat_id", old_id)] {
        let mut message = Message { from: by, ..Message::default() };
        message.extra.insert(name.to_owned(), other.into());
        let id = state.add_message(chat, message);
        state.deliver("message", chat, id);
    }
    if let Some(old) = state.chats.get_mut(&old_id) {
        old.migrated_to = Some(new_id);
    }
    new_id
}
