//! Telegram as a door: raw updates become intents, records become messages, calls come back with a classified outcome.
//!
//! Nothing here decides, stores or spawns. The worker stores each update before it is read, asks `pager_questions`
//! what follows, and drives the calls from its outbox within the chat's budget.

pub mod api;
pub mod callback;
pub mod chat;
pub mod commands;
pub mod intake;
pub mod key;
pub mod mute;
pub mod outcome;
pub mod queue;
pub mod render;

pub use api::{Sent, Telegram, WebhookInfo};
pub use callback::{CallbackData, UpdateButton};
pub use chat::ChatKind;
pub use intake::{Intent, Seat};
pub use mute::Mute;
pub use outcome::{Failure, Kind};
pub use queue::{Budget, Class};
pub use render::Message;
