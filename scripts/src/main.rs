//! `ask`: what agents' scripts and the owner's terminal run. It asks over HTTP, through GitHub
//! or through git; it decides nothing and keeps nothing.

mod again;
mod asked;
mod asking;
mod cli;
mod client;
mod distant;
mod door;
mod draft;
mod duration;
mod exit;
mod failure;
mod git;
mod github;
mod giving_up;
mod handover;
mod interrupts;
mod issue;
mod json;
mod options;
mod output;
mod page;
mod patience;
mod problem;
mod progress;
mod purpose;
mod reading;
mod runner;
mod settings;
mod text;
mod tui;
mod verbs;
mod verdict;
mod verify;
mod waiting;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let exit = cli::Cli::parse().run().unwrap_or_else(|failure| {
        output::say(&failure);
        match failure.output.as_ref().map_or(Ok(()), |data| output::line(data)) {
            Ok(()) => failure.exit,
            Err(unprinted) => {
                output::say(&unprinted);
                unprinted.exit
            }
        }
    });
    git::end_all();
    ExitCode::from(exit.code())
}
