//! Telegram's bad days, one sentence a test: floods, tidy people, lost rights, another chat, long silence.

mod another_chat;
mod closed_topics;
mod deleted;
mod downtime;
mod flood;
mod moved_threads;
mod replies;
mod rights;
mod tidying;
mod without_topics;

use pager_tests::fake_telegram::{BOT, FORUM, Fault, Message};

use crate::world::World;

/// A refusal with this text.
fn refusal(code: u16, description: &str) -> Fault {
    Fault::Status { code, description: description.to_owned(), retry_after: None }
}

impl World {
    /// What the bot says in General.
    fn in_general(&self) -> Vec<Message> {
        let mut messages = self.telegram().messages(FORUM);
        messages.retain(|message| message.from == BOT && message.thread.is_none());
        messages
    }

    /// What stands in `/readyz` about what is not well.
    async fn degraded(&self) -> String {
        self.nobody().get("/readyz").await.with(200)["degraded"].to_string()
    }
}
