//! `ask read` and `ask dismiss`: what the owner does with an update. Neither settles a question or starts anything.

use crate::again;
use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::problem::{self, refusal};
use crate::settings::{Role, Settings};

/// Flags of both.
#[derive(Debug, clap::Args)]
pub struct Mark {
    /// The update's id, like u-9f3c2a715be04d18
    #[arg(value_parser = parse_id)]
    id: String,
}

/// What is done.
#[derive(Debug, Clone, Copy)]
pub enum Act {
    /// It was seen.
    Read,
    /// It is done with.
    Dismiss,
}

/// Runs it: prints the update.
///
/// # Errors
/// A refusal, or no connection; code 8 for an id that there is not.
pub fn run(mark: &Mark, act: Act, url: Option<&str>) -> Result<Exit, Failure> {
    let client = Client::new(Settings::load(url, Role::Owner)?);
    let act = match act {
        Act::Read => "read",
        Act::Dismiss => "dismiss",
    };
    let mut call = Call::post(format!("/v1/updates/{}/{act}", mark.id), None);
    call.key = Some(again::key()?);
    let reply = again::write(&client, &call, &mut again::sleep).map_err(|lost| problem::unreachable(&lost))?;
    if reply.status != 200 {
        return Err(refusal(&reply, Some(&mark.id)));
    }
    output::line(&Json::parse(&reply.body).map_err(|_| problem::unreadable())?)?;
    Ok(Exit::Done)
}

/// An id becomes a part of a path, so its form is checked.
fn parse_id(text: &str) -> Result<String, &'static str> {
    let hex = text.strip_prefix("u-").unwrap_or_default();
    let is_id = hex.len() == 16 && hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if is_id { Ok(text.to_owned()) } else { Err("an update's id is u- and 16 hex digits; `ask updates` shows them") }
}
