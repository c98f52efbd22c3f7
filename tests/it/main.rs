//! End to end: the real programs, real git and a fake Telegram, tested from outside.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod browser;
mod cli;
mod crash;
mod docs;
mod forgotten;
mod http;
mod operate;
mod security;
mod telegram;
mod workflows;
mod world;
