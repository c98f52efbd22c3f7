//! Events through the control repository: proved, handled once, replied to alike.

mod app;
mod asking;
mod capacity;
mod early;
mod forged;
mod repeated;
mod senders;
pub mod sending;
mod threads;
mod tokens;
mod updates;
