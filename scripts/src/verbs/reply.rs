//! `ask reply`: answers a request, or adds to one's own.

use std::path::PathBuf;

use clap::ArgGroup;
use pager_questions::RequestId;

use super::publishing::{self, Published};
use crate::distant::Event;
use crate::door::{Connection, Door};
use crate::draft::{self, Body};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::text;

/// Flags of `ask reply`.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("words").required(true).args(["text", "text_file"])))]
pub struct Reply {
    /// The id of the request
    #[arg(value_parser = RequestId::parse)]
    id: RequestId,
    /// What you bring, in at most 200 characters. What was not verified is said here too
    #[arg(long)]
    title: String,
    /// The reply, at most 4096 characters; - reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// Read the reply from a file instead (line ends after it are left out)
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// Your own name of this act of replying: sent again under it, the original comes back. Left out, one is made
    #[arg(long, value_name = "NAME")]
    publication_id: Option<String>,
}

/// Runs it: prints `{"id","request","kind","at"}`, null where it is not known.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(reply: &Reply, connection: &Connection) -> Result<Exit, Failure> {
    let publication = draft::publication(reply.publication_id.as_deref())?;
    let mut body = Body::default();
    body.put("title", Some(reply.title.as_str()));
    body.put("text", Some(text::one_of(reply.text.as_deref(), reply.text_file.as_deref())?));
    body.put("publication_id", Some(publication.as_str()));
    let body = body.finish();
    let shown = match Door::open(connection)? {
        Door::Direct(client) => {
            let path = format!("/v1/requests/{}/replies", reply.id);
            Published { what: "reply", path: &path, publication: &publication }.send(&client, body)?
        }
        Door::Distant(way) => {
            let event = Event::reply(&reply.id, body, way.agent())?;
            let sent_at = publishing::publish(&way, &event, "reply", connection, &publication)?;
            Json::object([("request", reply.id.as_str().into()), ("at", sent_at.to_string().as_str().into())])
        }
    };
    let value = |name: &str| shown.get(name).cloned().unwrap_or(Json::Null);
    let fields = ["id", "request", "kind", "at"].map(|name| (name, value(name)));
    output::line(&Json::object(fields))?;
    Ok(Exit::Done)
}
