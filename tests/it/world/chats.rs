//! Worlds whose questions are shown in another chat than the forum.

use pager_tests::fake_telegram::{BOT, ChatKind, FakeTelegram, Message, OWNER, Written};

use super::World;
use super::until::until;

/// A supergroup without topics.
pub const PLAIN: i64 = -1_001_000_000_777;
/// A basic group.
pub const GROUP: i64 = -777;

impl World {
    /// A pagerd that serves, with its questions in this chat. In the owner's own id's chat `has_topics` is the threaded mode.
    pub async fn in_chat(chat: i64, kind: ChatKind, has_topics: bool) -> Self {
        let mut world = Self::prepared_in(chat, kind, has_topics, &[]).await;
        world.serve().await;
        world
    }

    /// The same, not serving yet.
    pub async fn prepared_in(chat: i64, kind: ChatKind, has_topics: bool, settings: &[(&str, &str)]) -> Self {
        let telegram = FakeTelegram::start().await;
        match kind {
            ChatKind::Private => telegram.add_private_chat(chat),
            ChatKind::Group | ChatKind::Supergroup | ChatKind::Channel => telegram.add_chat(chat, kind, "Questions"),
        }
        telegram.set_topics(chat, has_topics);
        let mut world = Self::prepare(&[], Some(telegram)).await;
        world.set("PAGER_TELEGRAM__CHAT_ID", &chat.to_string());
        for (name, value) in settings {
            world.set(name, value);
        }
        world
    }

    /// The message in this chat whose words hold these, once it is there.
    pub async fn message_in(&self, chat: i64, words: &str) -> Message {
        until(&format!("there is a message with {words:?} in {chat}"), async || {
            self.telegram().messages(chat).into_iter().find(|message| message.words().contains(words))
        })
        .await
    }

    /// The bot's message in this chat whose words hold these, once it has no buttons.
    pub async fn ended_in(&self, chat: i64, words: &str) -> Message {
        until(&format!("a message without buttons says {words:?} in {chat}"), async || {
            let messages = self.telegram().messages(chat).into_iter();
            messages
                .filter(|message| message.from == BOT && message.keyboard.is_empty())
                .find(|message| message.words().contains(words))
        })
        .await
    }

    /// The owner writes in this chat, outside topics. The message's id.
    pub fn says(&self, chat: i64, text: &str) -> i64 {
        self.telegram().write(Written::text(text).in_chat(chat)).unwrap()
    }

    /// The bot's reply to this message, once it is there.
    pub async fn reply_to(&self, chat: i64, message: i64) -> Message {
        until(&format!("there is a reply to {message} in {chat}"), async || {
            let mut replies = self.telegram().messages(chat);
            replies.retain(|reply| reply.from == BOT && reply.reply_to == Some(message) && !reply.is_service());
            replies.pop()
        })
        .await
    }

    /// The owner says this in this chat, and the bot replies. Its words.
    pub async fn replied(&self, chat: i64, text: &str) -> String {
        let message = self.says(chat, text);
        self.reply_to(chat, message).await.words().to_owned()
    }

    /// The key that a question's message shows.
    pub fn key_in(message: &Message) -> String {
        let (_, rest) = message.words().split_once("/answer ").expect("the message shows how to answer");
        rest.split_whitespace().next().expect("a key follows").to_owned()
    }

    /// The owner's private chat with the bot, beside the one with the questions.
    pub fn owner_writes_in_private(&self) {
        self.telegram().add_private_chat(OWNER);
    }
}
