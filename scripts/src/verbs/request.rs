//! `ask request`: asks other agents for work. Whoever helps replies in its thread, or offers a part of it.

use std::path::PathBuf;

use clap::ArgGroup;
use pager_questions::{RequestId, Time};
use serde_json::Value;

use super::publishing::{self, Published};
use crate::distant::Event;
use crate::door::{Connection, Door};
use crate::draft::{self, Body};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::issue;
use crate::json::Json;
use crate::output;
use crate::text;

/// Flags of `ask request`.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("words").required(true).args(["text", "text_file"])))]
pub struct Request {
    /// What you need, in at most 200 characters: the clearer, the sooner somebody helps
    title: String,
    /// All that a helper needs to know, at most 4096 characters; - reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// Read the text from a file instead (line ends after it are left out)
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// A skill that it needs, like cap:rust; at most 10 of them. Without one it is for everybody
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// From when on it counts as unanswered: 45m or 2h from now, or a time (RFC 3339)
    #[arg(long, value_name = "WHEN", value_parser = draft::parse_deadline)]
    deadline: Option<Time>,
    /// A link to the matter: URL, or TRACKER:KEY=URL
    #[arg(long, value_name = "LINK", value_parser = issue::parse)]
    issue: Option<Value>,
    /// Its id, never used before: 1 to 64 of a-z, 0-9 and -; left out, one is made
    #[arg(long, value_parser = RequestId::parse)]
    id: Option<RequestId>,
    /// Your own name of this act of asking: asked again under it, the original comes back. Left out, one is made
    #[arg(long, value_name = "NAME")]
    publication_id: Option<String>,
}

/// Runs it: prints `{"id","at","state"}`, null where it is not known.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(request: &Request, connection: &Connection) -> Result<Exit, Failure> {
    let publication = draft::publication(request.publication_id.as_deref())?;
    let body = body(request, &publication)?;
    let shown = match Door::open(connection)? {
        Door::Direct(client) => {
            Published { what: "request", path: "/v1/requests", publication: &publication }.send(&client, body)?
        }
        Door::Distant(way) => {
            let (event, id) = Event::request(body, way.agent())?;
            let sent_at = publishing::publish(&way, &event, "request", connection, &publication)?;
            Json::object([("id", id.as_str().into()), ("at", sent_at.to_string().as_str().into())])
        }
    };
    let value = |name: &str| shown.get(name).cloned().unwrap_or(Json::Null);
    output::line(&Json::object([("id", value("id")), ("at", value("at")), ("state", value("state"))]))?;
    Ok(Exit::Done)
}

fn body(request: &Request, publication: &str) -> Result<Value, Failure> {
    let mut body = Body::default();
    body.put("title", Some(request.title.as_str()));
    body.put("text", Some(text::one_of(request.text.as_deref(), request.text_file.as_deref())?));
    body.put_list("tags", request.tags.iter().cloned().map(Value::String).collect());
    body.put("deadline", request.deadline.map(|deadline| deadline.to_string()));
    body.put("issue", request.issue.clone());
    body.put("id", request.id.as_ref().map(ToString::to_string));
    body.put("publication_id", Some(publication));
    Ok(body.finish())
}
