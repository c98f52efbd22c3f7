//! pagerd: carries questions of agents to their owner, and answers back.

mod clock;
mod commands;
mod configuration;
mod control;
mod crash;
mod events;
mod health;
mod http;
mod hub;
mod metrics;
mod secrets;
mod service;
mod store;
mod telegram;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use configuration::Flags;

/// Carries questions of agents to their owner, and answers back.
#[derive(Parser)]
#[command(
    name = "pagerd",
    version,
    after_help = "Every setting is a key of pager.toml, or PAGER_ and the key in capitals: telegram.token is PAGER_TELEGRAM__TOKEN."
)]
struct CommandLine {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    /// Try it: everything embedded, no account and no network. Prints a login link and asks a first question
    Try,
    /// Run the service; the same as no verb at all
    Serve,
    /// Make, list and revoke the tokens of agents and owners
    #[command(subcommand)]
    Token(commands::token::Verb),
    /// Print the public half of the key that signs answers
    Key,
    /// Set it up with Telegram: from a bot's token to an answered test question and a pager.toml
    Setup(Box<commands::setup::Wishes>),
    /// Copy the store, the key and the answers repository into a new folder, also while the service runs
    Backup {
        /// The folder to make; one that is there is never written into
        folder: std::path::PathBuf,
    },
    /// Look at everything that pagerd needs: what is wrong, and the one thing to do. Changes nothing without --commit
    Doctor(commands::doctor::Wishes),
}

fn main() -> ExitCode {
    let CommandLine { flags, verb } = CommandLine::parse();
    commands::log();
    let outcome = commands::runtime().and_then(|runtime| {
        runtime.block_on(async {
            let done = match verb {
                Some(Verb::Try) => commands::trial::run(&flags).await,
                Some(Verb::Serve) | None => commands::serve::run(&flags).await,
                Some(Verb::Token(verb)) => commands::token::run(&flags, verb).await,
                Some(Verb::Key) => commands::key::run(&flags),
                Some(Verb::Setup(wishes)) => commands::setup::run(&flags, *wishes).await,
                Some(Verb::Backup { folder }) => commands::backup::run(&flags, &folder).await,
                Some(Verb::Doctor(wishes)) => return Ok(commands::doctor::run(&flags, &wishes).await),
            };
            done.map(|()| ExitCode::SUCCESS)
        })
    });
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pagerd: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[test]
fn the_command_line_is_consistent() {
    use clap::CommandFactory;
    CommandLine::command().debug_assert();
}
