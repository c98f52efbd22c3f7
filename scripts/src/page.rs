//! Lists, page by page. A page is printed as it was received: `{"items": […], "next": cursor or null}`.

use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::json::Json;
use crate::problem::{self, refusal};

/// Which page.
#[derive(Debug, clap::Args)]
pub struct Page {
    /// At most this many
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Where the page before ended: its "next"
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

impl Page {
    /// Reads it from `path`, with a filter by name.
    ///
    /// # Errors
    /// A refusal, or no connection.
    pub fn read(&self, client: &Client, path: &str, filters: &[(&'static str, Option<&str>)]) -> Result<Json, Failure> {
        let mut call = Call::get(path);
        call.query.push(("limit", self.limit.to_string()));
        call.query.extend(filters.iter().filter_map(|(name, value)| Some((*name, (*value)?.to_owned()))));
        call.query.extend(self.cursor.clone().map(|cursor| ("cursor", cursor)));
        read(client, &call)
    }
}

/// Reads one page.
///
/// # Errors
/// A refusal, or no connection.
pub fn read(client: &Client, call: &Call) -> Result<Json, Failure> {
    let reply = client.send(call).map_err(|lost| problem::unreachable(&lost))?;
    if reply.status != 200 {
        return Err(refusal(&reply, None));
    }
    let page = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
    if matches!(page.get("items"), Some(Json::List(_))) { Ok(page) } else { Err(problem::unreadable()) }
}
