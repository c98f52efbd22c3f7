//! Looking at the state from a test: copies, so that nothing is held locked.

use serde_json::Value;

use super::FakeTelegram;
use super::callbacks::CallbackQuery;
use super::chat::Topic;
use super::message::Message;
use super::state::{BOT, Call, FORUM, State};

impl FakeTelegram {
    /// The id of the supergroup with topics.
    pub fn forum(&self) -> i64 {
        FORUM
    }

    /// Looks at anything in the state.
    pub fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        self.shared().look(look)
    }

    /// Every call that reached the server, oldest first.
    pub fn calls(&self) -> Vec<Call> {
        self.look(|state| state.calls.clone())
    }

    /// The calls of one method, in any case.
    pub fn calls_of(&self, method: &str) -> Vec<Call> {
        let mut calls = self.calls();
        calls.retain(|call| call.method.eq_ignore_ascii_case(method));
        calls
    }

    /// The messages of a chat, oldest first.
    pub fn messages(&self, chat: i64) -> Vec<Message> {
        self.look(|state| {
            let chat = state.chats.get(&chat);
            chat.map(|chat| chat.messages.values().cloned().collect()).unwrap_or_default()
        })
    }

    /// The messages in a topic of the forum that are no service messages, oldest first.
    pub fn messages_in_topic(&self, thread: i64) -> Vec<Message> {
        let mut messages = self.messages(FORUM);
        messages.retain(|message| message.thread == Some(thread) && !message.is_service());
        messages
    }

    /// One message.
    pub fn message(&self, chat: i64, id: i64) -> Option<Message> {
        self.look(|state| state.chats.get(&chat)?.messages.get(&id).cloned())
    }

    /// The topics of the forum that were not deleted, oldest first.
    pub fn topics(&self) -> Vec<Topic> {
        self.look(|state| {
            let topics = state.chats[&FORUM].topics.values();
            topics.filter(|topic| !topic.is_deleted).cloned().collect()
        })
    }

    /// A topic of the forum, also a deleted one.
    pub fn topic(&self, thread: i64) -> Option<Topic> {
        self.look(|state| state.chats[&FORUM].topics.get(&thread).cloned())
    }

    /// The presses that were answered, oldest first.
    pub fn answered_callbacks(&self) -> Vec<CallbackQuery> {
        self.look(|state| {
            let answered = state.callbacks.iter().filter(|query| query.answer.is_some());
            answered.cloned().collect()
        })
    }

    /// The press with this id.
    pub fn callback(&self, id: &str) -> Option<CallbackQuery> {
        self.look(|state| state.callbacks.iter().find(|query| query.id == id).cloned())
    }

    /// The updates that the first bot has not confirmed, oldest first.
    pub fn waiting_updates(&self) -> Vec<Value> {
        self.look(|state| {
            let bot = state.bots.values().find(|bot| bot.user.id == BOT);
            bot.map(|bot| bot.updates.waiting.iter().map(|queued| queued.update.clone()).collect()).unwrap_or_default()
        })
    }

    /// Every update that was ever queued for the first bot, oldest first.
    pub fn all_updates(&self) -> Vec<Value> {
        self.look(|state| {
            let bot = state.bots.values().find(|bot| bot.user.id == BOT);
            bot.map(|bot| bot.updates.history.clone()).unwrap_or_default()
        })
    }

    /// How many polls of the first bot came to their end.
    pub fn finished_polls(&self) -> u64 {
        self.look(|state| {
            let bot = state.bots.values().find(|bot| bot.user.id == BOT);
            bot.map(|bot| bot.updates.finished_polls).unwrap_or_default()
        })
    }
}
