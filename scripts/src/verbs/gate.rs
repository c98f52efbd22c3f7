//! `ask gate`: asks for the approval of one reserved action, waits, and spends the approval. Exit code 0 means that it was
//! approved now and for this run of `ask` alone, or delegated; nothing else ever does.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::ArgGroup;
use pager_questions::digest::digest;
use pager_questions::{Purpose, QuestionId, Time};
use serde_json::{Value, json};

use super::gates;
use super::wait::report;
use crate::again;
use crate::asking::{self, Asking, QUESTIONS, Waited};
use crate::client::{Call, Client};
use crate::door::{Connection, Door};
use crate::draft::{self, Body, Place, Subject};
use crate::duration::parse_patience;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::handover::hand_over;
use crate::json::Json;
use crate::output;
use crate::problem::{self, Problem, refusal};
use crate::reading::Reading;
use crate::text;

/// Flags of `ask gate`.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("words").args(["text", "text_file"])))]
pub struct Gate {
    /// The category of the reserved action: plan, spend, destructive_action, merge, external_write, or one of the operator's
    #[arg(required_unless_present = "check")]
    category: Option<String>,
    /// What is to be approved, at most 1000 characters; - reads it from standard input
    text: Option<String>,
    /// Read the text from a file instead (line ends after it are left out)
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    #[command(flatten)]
    subject: Subject,
    /// What stands still until the answer comes
    #[arg(long, value_name = "TEXT")]
    waiting_on: Option<String>,
    /// By when it is needed: 45m or 2h from now, or a time (RFC 3339). Unanswered by then, it is not approved
    #[arg(long, value_name = "WHEN", value_parser = draft::parse_deadline)]
    deadline: Option<Time>,
    /// A title of at most 30 characters
    #[arg(long, value_name = "TEXT")]
    header: Option<String>,
    #[command(flatten)]
    place: Place,
    /// The question's id, never used before: 1 to 64 of a-z, 0-9 and -; left out, the service makes one
    #[arg(long, value_parser = QuestionId::parse)]
    id: Option<QuestionId>,
    /// Your own name of this act of asking: asked again under it, the original comes back. Left out, one is made
    #[arg(long, value_name = "NAME")]
    publication_id: Option<String>,
    /// How long to wait, like 90s, 45m, 1h30m or 2d (0 is without end). Without an answer in that time, or interrupted, the
    /// question is withdrawn
    #[arg(long, value_name = "DURATION", default_value = "1h", value_parser = parse_patience)]
    wait: Duration,
    /// Leave the question open when giving up
    #[arg(long)]
    keep: bool,
    /// Ask nobody: are all gates of the run that --run names approved?
    #[arg(long, requires = "run", conflicts_with_all = ["category", "text", "text_file", "subject", "digest", "id", "keep"])]
    check: bool,
}

/// Runs it.
///
/// # Errors
/// A refusal, or no connection; code 7 when the approval was spent before.
pub fn run(gate: &Gate, connection: &Connection) -> Result<Exit, Failure> {
    let needs_direct = "gate needs direct mode, since an event tells nothing back and an approval is to be spent: set ASK_URL";
    let Door::Direct(client) = Door::open(connection)? else { return Err(Failure::failed(needs_direct)) };
    if gate.check {
        return gates::run(&client, gate.place.run.as_deref().unwrap_or_default());
    }
    let client = Arc::new(client);
    let publication = draft::publication(gate.publication_id.as_deref())?;
    let body = body(gate, &publication)?;
    let digest = asked_digest(&body);
    let asking =
        Asking { client: &client, path: QUESTIONS.to_owned(), body, purpose: Purpose::Approval, publication: &publication };
    match asking::ask_and_wait(&asking, gate.wait, gate.keep)? {
        Waited::Delegated(reply) => asking::print_delegated(&reply),
        Waited::Stopped(reading, stopped) => {
            let exit = report(&client, &reading, gate.wait, stopped, &|answer, exit| {
                if exit != Exit::Done {
                    return hand_over(&client, &reading, answer, exit);
                }
                is_of_this(&reading, answer, digest.as_deref())?;
                output::line(answer)?;
                spend(&client, &reading, answer)
            })?;
            if matches!(exit, Exit::NoAnswer | Exit::Withdrawn | Exit::Interrupted(_)) {
                output::say(&format!("{}: no answer is no approval; do not go on with it, nor by another way", reading.id));
            }
            Ok(exit)
        }
    }
}

fn body(gate: &Gate, publication: &str) -> Result<Value, Failure> {
    let text = match (&gate.text, &gate.text_file) {
        (_, Some(path)) => text::from_file(path)?,
        (Some(text), None) if text == "-" && gate.subject.reads_input() => {
            return Err(Failure::usage("--subject: standard input is read for the text already; give one of them as a file"));
        }
        (Some(text), None) => text::given(text)?,
        (None, None) => return Err(Failure::usage("say what is to be approved: ask gate CATEGORY \"text\", or --text-file")),
    };
    let mut body = Body::default();
    body.put("text", Some(text));
    body.put("purpose", Some(Purpose::Approval.rules().name));
    body.put("gate", gate.category.clone());
    gate.subject.put(&mut body)?;
    let waits = || match &gate.place.run {
        Some(run) => format!("run {run} waits for this approval"),
        None => "the run waits for this approval".to_owned(),
    };
    body.put("waiting_on", Some(gate.waiting_on.clone().unwrap_or_else(waits)));
    body.put("deadline", gate.deadline.map(|deadline| deadline.to_string()));
    body.put("header", gate.header.clone());
    gate.place.put(&mut body);
    body.put("id", gate.id.as_ref().map(ToString::to_string));
    body.put("publication_id", Some(publication));
    Ok(body.finish())
}

/// What the approval has to be of: the digest that was given, else that of the subject.
fn asked_digest(body: &Value) -> Option<String> {
    let given = body["digest"].as_str().map(str::to_owned);
    given.or_else(|| body["subject"].as_str().map(digest))
}

fn is_of_this(reading: &Reading, answer: &Json, digest: Option<&str>) -> Result<(), Failure> {
    match (digest, answer.text("digest")) {
        (Some(asked), approved) if approved != Some(asked) => Err(Failure::failed(format!(
            "{} was approved for {}, and asked for was {asked}: that is no approval of it, and it was not spent",
            reading.id,
            approved.unwrap_or("no digest")
        ))),
        _ => Ok(()),
    }
}

/// Only what was spent here and now lets anybody go on.
fn spend(client: &Client, reading: &Reading, answer: &Json) -> Result<Exit, Failure> {
    let id = &reading.id;
    let body = json!({"incarnation": answer.text("incarnation")});
    let mut call = Call::post(format!("/v1/questions/{id}/consume"), Some(body));
    call.key = Some(again::key()?);
    let unspent = |failure: Failure| {
        let words = format!("{id} is approved and could not be spent, so this is no approval: {failure}");
        Failure { words, ..failure }
    };
    let reply = again::write(client, &call, &mut again::sleep).map_err(|lost| unspent(problem::unreachable(&lost)))?;
    match reply.status {
        200 if Problem::of(&reply).is_none() => Ok(Exit::Done),
        200 => Err(unspent(problem::unreadable())),
        409 => Err(Failure { output: None, ..unspent(refusal(&reply, Some(id.as_str()))) }),
        _ => Err(unspent(refusal(&reply, Some(id.as_str())))),
    }
}
