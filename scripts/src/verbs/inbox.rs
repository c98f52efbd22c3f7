//! `ask inbox`: the owner's open questions, live in a terminal.

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::{Role, Settings};
use crate::tui;

/// Flags of `ask inbox`.
#[derive(Debug, clap::Args)]
pub struct Inbox {}

/// Runs it until the person leaves.
///
/// # Errors
/// Code 2 without a terminal; a refusal, or no connection.
pub fn run(_inbox: &Inbox, url: Option<&str>) -> Result<Exit, Failure> {
    if !tui::is_there() {
        return Err(Failure::usage(
            "the inbox needs a terminal for keys and screen, and standard input or output is none; use `ask inbox --json`",
        ));
    }
    tui::run(Client::of_terminal(Settings::load(url, Role::Owner)?))
}
