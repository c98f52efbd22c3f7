//! `ask list`: an agent's own questions, newest first.

use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::problem::{self, refusal};
use crate::settings::{Role, Settings};

/// Flags of `ask list`.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Only questions in this state: open, answering, answered, declined, cancelled, defaulted, expired or withdrawn
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    /// At most this many
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Where the page before ended: its "next"
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

/// Runs it: prints `{"items": [record], "next": cursor or null}`.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(list: &List, url: Option<&str>) -> Result<Exit, Failure> {
    let client = Client::new(Settings::load(url, Role::Agent)?);
    let mut call = Call::get("/v1/questions");
    call.query.push(("limit", list.limit.to_string()));
    call.query.extend(list.state.clone().map(|state| ("state", state)));
    call.query.extend(list.cursor.clone().map(|cursor| ("cursor", cursor)));
    let reply = client.send(&call).map_err(|lost| problem::unreachable(&lost))?;
    if reply.status != 200 {
        return Err(refusal(&reply, None));
    }
    let page = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
    if page.get("items").is_none() {
        return Err(problem::unreadable());
    }
    output::line(&page)?;
    Ok(Exit::Done)
}
