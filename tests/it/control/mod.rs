//! Events through the control repository: proved, handled once, replied to alike.

mod app;
mod asking;
mod early;
mod forged;
mod repeated;
mod senders;
mod sending;
mod tokens;
mod updates;
