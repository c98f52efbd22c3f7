//! `ask list`: an agent's own questions, newest first.

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::page::Page;
use crate::settings::{Role, Settings};

/// Flags of `ask list`.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Only questions in this state: open, answering, answered, declined, cancelled, defaulted, expired or withdrawn
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    #[command(flatten)]
    page: Page,
}

/// Runs it: prints `{"items": [record], "next": cursor or null}`.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(list: &List, url: Option<&str>) -> Result<Exit, Failure> {
    let client = Client::new(Settings::load(url, Role::Agent)?);
    output::line(&list.page.read(&client, "/v1/questions", &[("state", list.state.as_deref())])?)?;
    Ok(Exit::Done)
}
