//! `ask updates`: the news, as the owner, newest first.

use clap::ValueEnum;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::page::Page;
use crate::settings::{Role, Settings};

/// Flags of `ask updates`.
#[derive(Debug, clap::Args)]
pub struct Updates {
    /// Only updates in this state; left out, all but the dismissed ones
    #[arg(long)]
    state: Option<State>,
    /// Only those of this agent
    #[arg(long, value_name = "AGENT")]
    source: Option<String>,
    #[command(flatten)]
    page: Page,
}

/// `--state`
#[derive(Debug, Clone, Copy, ValueEnum)]
enum State {
    Unread,
    Read,
    Dismissed,
    All,
}

/// Runs it: prints `{"items": [update], "next": cursor or null}`.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(updates: &Updates, url: Option<&str>) -> Result<Exit, Failure> {
    let client = Client::new(Settings::load(url, Role::Owner)?);
    let state = updates.state.map(|state| match state {
        State::Unread => "unread",
        State::Read => "read",
        State::Dismissed => "dismissed",
        State::All => "all",
    });
    let filters = [("source", updates.source.as_deref()), ("state", state)];
    output::line(&updates.page.read(&client, "/v1/updates", &filters)?)?;
    Ok(Exit::Done)
}
