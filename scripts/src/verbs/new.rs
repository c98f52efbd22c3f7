//! `ask new`: asks, and with `--wait` waits for the answer in one go.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, ValueEnum};
use pager_questions::{Incarnation, OptionId, QuestionId};
use serde_json::Value;

use super::wait::report;
use crate::again;
use crate::client::{Call, Client, Reply};
use crate::distant::{self, Asking};
use crate::door::{Connection, Door};
use crate::draft;
use crate::duration::parse_patience;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::giving_up;
use crate::interrupts::{self, Interrupts};
use crate::issue;
use crate::json::Json;
use crate::options::{self, Choice, Detail};
use crate::output;
use crate::patience::Patience;
use crate::problem::{self, refusal};
use crate::reading::Reading;
use crate::waiting::{self, Stopped};

/// Flags of `ask new`.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("words").required(true).args(["text", "text_file"])))]
pub struct New {
    /// What you ask, at most 1000 characters; - reads it from standard input
    pub text: Option<String>,
    /// Read the text from a file instead (line ends after it are left out)
    #[arg(long, value_name = "FILE")]
    pub text_file: Option<PathBuf>,
    /// An option, 2 to 4 of them: LABEL, id=LABEL, or =LABEL to take an = in it literally; without an id it is 1, 2, …
    #[arg(short, long = "option", value_name = "[ID=]LABEL", value_parser = options::parse_choice)]
    pub options: Vec<Choice>,
    /// The trade-off of an option
    #[arg(long = "detail", value_name = "ID=TEXT", value_parser = options::parse_detail)]
    pub details: Vec<Detail>,
    /// The option that you recommend
    #[arg(long, value_name = "ID", value_parser = OptionId::parse)]
    pub recommend: Option<OptionId>,
    /// question (with options) or clarification (without); left out, the options decide
    #[arg(long)]
    pub purpose: Option<Purpose>,
    /// What undoing the choice costs; required for a clarification
    #[arg(long)]
    pub reversibility: Option<Reversibility>,
    /// What stands still until the answer comes; required for a clarification
    #[arg(long, value_name = "TEXT")]
    pub waiting_on: Option<String>,
    /// A link to the matter: URL, or TRACKER:KEY=URL
    #[arg(long, value_name = "LINK", value_parser = issue::parse)]
    pub issue: Option<Value>,
    /// A title of at most 30 characters
    #[arg(long, value_name = "TEXT")]
    pub header: Option<String>,
    /// The run that asks
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,
    /// The task that it is about
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// The project that it is about
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The wake target, of those that the operator configured, that hears of the end: you need not wait then
    #[arg(long, value_name = "NAME")]
    pub wake: Option<String>,
    /// The question's id, never used before: 1 to 64 of a-z, 0-9 and -; left out, the service makes one
    #[arg(long, value_parser = QuestionId::parse)]
    pub id: Option<QuestionId>,
    /// Your own name of this act of asking: asked again under it, the original comes back. Left out, one is made
    #[arg(long, value_name = "NAME")]
    pub publication_id: Option<String>,
    /// Wait for the answer, like 90s, 45m, 1h30m or 2d (0 is without end); then print it alone. Without an answer in that
    /// time, or interrupted, the question is withdrawn
    #[arg(long, value_name = "DURATION", value_parser = parse_patience)]
    pub wait: Option<Duration>,
    /// With --wait: leave the question open when giving up
    #[arg(long, requires = "wait")]
    pub keep: bool,
    /// Print this field alone: time is asked_at, made for --since
    #[arg(long, value_name = "FIELD", conflicts_with = "wait")]
    pub print: Option<Print>,
}

/// `--purpose`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Purpose {
    /// One of 2 to 4 options, or own words
    Question,
    /// Own words
    Clarification,
}

/// `--reversibility`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Reversibility {
    /// A quick edit undoes it
    Reversible,
    /// Undoing it costs real rework
    #[value(name = "hard_to_reverse", alias = "hard-to-reverse")]
    HardToReverse,
}

/// `--print`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Print {
    /// When it was asked
    Time,
    /// Its id
    Id,
}

/// Runs it.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(new: &New, connection: &Connection) -> Result<Exit, Failure> {
    let publication = match &new.publication_id {
        Some(name) => name.clone(),
        None => {
            let random = again::random_hex::<16>();
            format!("ask-{}", random.map_err(|error| Failure::failed(format!("the system gives no random bytes: {error}")))?)
        }
    };
    let body = draft::body(new, &publication)?;
    match Door::open(connection)? {
        Door::Direct(client) => direct(new, body, &publication, &Arc::new(client)),
        Door::Distant(way) => {
            let asking = Asking { way: &way, body, publication: &publication, rhythm: connection.rhythm() };
            if let Some(patience) = new.wait {
                return distant::ask_and_wait(asking, patience, new.keep);
            }
            interrupts::end_at_a_signal()?;
            print(new.print, &distant::ask(asking, &mut again::sleep)?.record)?;
            Ok(Exit::Done)
        }
    }
}

fn direct(new: &New, body: Value, publication: &str, client: &Arc<Client>) -> Result<Exit, Failure> {
    let call = Call::post("/v1/questions", Some(body));
    let Some(patience) = new.wait else {
        let record = ask(client, &call, publication, &mut again::sleep)?;
        print(new.print, &record)?;
        return Ok(Exit::Done);
    };
    let mut interrupts = Interrupts::listen()?;
    let mut signal = None;
    let record = ask(client, &call, publication, &mut |pause| {
        signal = interrupts.pause(pause);
        signal.is_none()
    });
    let record = match (record, signal) {
        (Err(failure), Some(signal)) => return Err(Failure { exit: Exit::Interrupted(signal), ..failure }),
        (record, _) => record?,
    };
    let reading = named(&record)?;
    output::say(&format!("asked {}", reading.id));
    wait(client, &reading, patience, new.keep, &mut interrupts)
}

/// Asks; however often it takes, under one publication identity.
fn ask(client: &Client, call: &Call, publication: &str, pause: &mut dyn FnMut(Duration) -> bool) -> Result<Json, Failure> {
    let unsure = |failure: Failure| {
        let words = format!(
            "{failure}. Whether the question arrived is not known: asking again with --publication-id {publication} is safe"
        );
        Failure { words, ..failure }
    };
    let reply = again::write(client, call, pause).map_err(|lost| unsure(problem::unreachable(&lost)))?;
    match reply.status {
        200 | 201 => record(&reply).map_err(unsure),
        500.. => Err(unsure(refusal(&reply, None))),
        _ => Err(refusal(&reply, None)),
    }
}

fn record(reply: &Reply) -> Result<Json, Failure> {
    let record = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
    if record.text("id").is_none() {
        return Err(problem::unreadable());
    }
    for warning in record.get("warnings").map(Json::items).unwrap_or_default() {
        let words = warning.as_text().map_or_else(|| warning.to_string(), str::to_owned);
        output::say(&format!("warning: {words}"));
    }
    Ok(record)
}

fn print(print: Option<Print>, record: &Json) -> Result<(), Failure> {
    let field = |name: &str| record.text(name).map(str::to_owned).ok_or_else(problem::unreadable);
    match print {
        Some(Print::Time) => output::line(&field("asked_at")?),
        Some(Print::Id) => output::line(&field("id")?),
        None => {
            let value = |name: &str| record.get(name).cloned().unwrap_or(Json::Null);
            output::line(&Json::object([
                ("id", value("id")),
                ("incarnation", value("incarnation")),
                ("asked_at", value("asked_at")),
                ("state", value("state")),
                ("link", record.get("delivery").and_then(|delivery| delivery.get("link")).cloned().unwrap_or(Json::Null)),
            ]))
        }
    }
}

fn named(record: &Json) -> Result<Reading, Failure> {
    let id = record.text("id").and_then(|id| QuestionId::parse(id).ok()).ok_or_else(problem::unreadable)?;
    let incarnation = record.text("incarnation").and_then(|text| Incarnation::parse(text).ok());
    Ok(Reading::of_record(id, incarnation))
}

fn wait(
    client: &Arc<Client>,
    reading: &Reading,
    patience: Duration,
    keep: bool,
    interrupts: &mut Interrupts,
) -> Result<Exit, Failure> {
    match waiting::wait(client, reading, Patience::of(patience), interrupts) {
        Ok(Stopped::OutOfPatience | Stopped::Signal(_)) if !keep => giving_up::withdraw(client, reading, interrupts),
        Ok(stopped) => report(client, reading, patience, stopped),
        Err(failure) if failure.exit == Exit::Failed && !keep && giving_up::withdraw_once(client, reading) => {
            output::say(&format!("no longer waiting for {}; it was withdrawn", reading.id));
            Err(failure)
        }
        Err(failure) => {
            output::say(&format!(
                "no longer waiting for {id}; it may still be open: take it back with `ask withdraw {id}`",
                id = reading.id
            ));
            Err(failure)
        }
    }
}
