//! `ask run`: starts an agent's command for what concerns it.

use std::path::PathBuf;

use crate::door::Connection;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::runner;

/// Flags of `ask run`.
#[derive(Debug, clap::Args)]
pub struct Run {
    /// The settings; ~/.config/pager/runner.toml unless given
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Do one round without waiting, for cron: a heartbeat that is due included
    #[arg(long)]
    once: bool,
    /// Print what was run, a line of JSON a run, the newest last
    #[arg(long, conflicts_with = "once")]
    log: bool,
}

/// Runs it.
///
/// # Errors
/// Wrong settings, a refusal, or no connection with `--once`.
pub fn run(run: &Run, connection: &Connection) -> Result<Exit, Failure> {
    if run.log { runner::print_log(run.config.as_deref()) } else { runner::run(run.config.as_deref(), run.once, connection) }
}
