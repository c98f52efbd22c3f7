//! `ask update`: publishes news for the owner, which needs no answer.

use std::path::PathBuf;

use clap::ArgGroup;
use serde_json::Value;

use super::publishing::{self, Published};
use crate::distant::Event;
use crate::door::{Connection, Door};
use crate::draft::{self, Body, Place};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::text;

/// Flags of `ask update`.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("news").required(true).args(["body", "body_file"])))]
pub struct Update {
    /// What is new, in at most 200 characters
    title: String,
    /// The news, at most 2000 characters; - reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    body: Option<String>,
    /// Read the news from a file instead (line ends after it are left out)
    #[arg(long, value_name = "FILE")]
    body_file: Option<PathBuf>,
    /// A link, at most 8 of them
    #[arg(long = "link", value_name = "LABEL=URL", value_parser = draft::link)]
    links: Vec<Value>,
    /// A picture or the like by its address, at most 8 of them; shown as a link, and fetched by nobody
    #[arg(long, value_name = "TYPE[:ALT]=URL", value_parser = draft::media)]
    media: Vec<Value>,
    #[command(flatten)]
    place: Place,
    /// Your own name of this act of publishing: published again under it, the original comes back. Left out, one is made
    #[arg(long, value_name = "NAME")]
    publication_id: Option<String>,
}

/// Runs it: prints `{"id","at","state"}`, null where it is not known.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(update: &Update, connection: &Connection) -> Result<Exit, Failure> {
    let publication = draft::publication(update.publication_id.as_deref())?;
    let body = body(update, &publication)?;
    let shown = match Door::open(connection)? {
        Door::Direct(client) => {
            Published { what: "update", path: "/v1/updates", publication: &publication }.send(&client, body)?
        }
        Door::Distant(way) => {
            let event = Event::update(body, way.agent())?;
            let sent_at = publishing::publish(&way, &event, "update", connection, &publication)?;
            Json::object([("at", sent_at.to_string().as_str().into())])
        }
    };
    let value = |name: &str| shown.get(name).cloned().unwrap_or(Json::Null);
    output::line(&Json::object([("id", value("id")), ("at", value("at")), ("state", value("state"))]))?;
    Ok(Exit::Done)
}

fn body(update: &Update, publication: &str) -> Result<Value, Failure> {
    let news = text::one_of(update.body.as_deref(), update.body_file.as_deref())?;
    let mut body = Body::default();
    body.put("title", Some(update.title.as_str()));
    body.put("body", Some(news));
    body.put_list("links", update.links.clone());
    body.put_list("media", update.media.clone());
    update.place.put(&mut body);
    body.put("publication_id", Some(publication));
    Ok(body.finish())
}
