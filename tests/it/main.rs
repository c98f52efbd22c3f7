//! End to end: the real programs, real git and fakes of Telegram and GitHub, tested from outside.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod browser;
mod cli;
mod cli_git;
mod cli_github;
mod control;
mod crash;
mod docs;
mod forgotten;
mod http;
mod hub;
mod inbox;
mod journeys;
mod keepers;
mod keeping;
mod operate;
mod security;
mod telegram;
mod tui;
mod workflows;
mod world;
