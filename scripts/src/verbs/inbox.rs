//! `ask inbox`: what waits for the owner, hard to reverse first, then the oldest; in the terminal, or as JSON.

use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::page;
use crate::problem;
use crate::settings::{Role, Settings};
use crate::tui;

/// The most that one page holds.
const PAGE: usize = 1000;

/// Flags of `ask inbox`.
#[derive(Debug, clap::Args)]
pub struct Inbox {
    /// Print the open questions: {"items","next"}, all of them unless there is a --limit
    #[arg(long)]
    json: bool,
    /// With --json: at most this many
    #[arg(long, value_name = "NUMBER", requires = "json", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

/// Runs it.
///
/// # Errors
/// A refusal, or no connection; code 2 without a terminal or `--json`.
pub fn run(inbox: &Inbox, url: Option<&str>) -> Result<Exit, Failure> {
    if !inbox.json {
        if !tui::is_there() {
            return Err(Failure::usage(
                "the inbox needs a terminal for its keys and its screen; without one, use ask inbox --json",
            ));
        }
        return tui::run(Client::of_terminal(Settings::load(url, Role::Owner)?));
    }
    let client = Client::new(Settings::load(url, Role::Owner)?);
    output::line(&list(&client, inbox.limit.map_or(usize::MAX, |limit| limit as usize))?)?;
    Ok(Exit::Done)
}

/// Page after page, as one. A question that moved from one page to the next meanwhile is listed once.
fn list(client: &Client, limit: usize) -> Result<Json, Failure> {
    let mut items: Vec<Json> = Vec::new();
    let mut next: Option<String> = None;
    loop {
        let mut call = Call::get("/v1/inbox/open");
        call.query.push(("limit", (limit - items.len()).min(PAGE).to_string()));
        call.query.extend(next.clone().map(|cursor| ("cursor", cursor)));
        let page = page::read(client, &call)?;
        for item in page.get("items").map(Json::items).unwrap_or_default() {
            if items.iter().all(|other| other.text("id") != item.text("id")) {
                items.push(item.clone());
            }
        }
        let after = page.text("next").map(str::to_owned);
        if after.is_some() && after == next {
            return Err(problem::unreadable());
        }
        next = after;
        if next.is_none() || items.len() >= limit {
            let next = next.as_deref().map_or(Json::Null, Json::from);
            return Ok(Json::object([("items", Json::List(items)), ("next", next)]));
        }
    }
}
