//! `ask new`: asks, and with `--wait` waits for the answer in one go.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, ValueEnum};
use pager_questions::{OptionId, Purpose, QuestionId, ThreadId, Time};

use super::wait::report;
use crate::again;
use crate::asking::{self, Asking, QUESTIONS, Taken, Waited};
use crate::distant;
use crate::door::{Connection, Door};
use crate::draft::{self, Place, Subject};
use crate::duration::parse_patience;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::handover::hand_over;
use crate::interrupts;
use crate::json::Json;
use crate::options::{self, Choice, Detail};
use crate::output;
use crate::problem;
use crate::purpose;

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
    /// Several options may be picked
    #[arg(long)]
    pub multi: bool,
    /// What the answer is for; left out, it is a question with options and a clarification without
    #[arg(long, value_parser = purpose::parser())]
    pub purpose: Option<Purpose>,
    /// What undoing the choice costs; required for a clarification and a decision
    #[arg(long)]
    pub reversibility: Option<Reversibility>,
    /// What stands still until the answer comes; required for all but a question
    #[arg(long, value_name = "TEXT")]
    pub waiting_on: Option<String>,
    /// By when an answer is needed: 45m or 2h from now, or a time (RFC 3339). It ends nothing but an approval, unless there
    /// is a --default
    #[arg(long, value_name = "WHEN", value_parser = draft::parse_deadline)]
    pub deadline: Option<Time>,
    /// The option to go on with when nobody answers by the deadline: the safest one
    #[arg(long, value_name = "ID", value_parser = OptionId::parse, requires = "deadline")]
    pub default: Option<OptionId>,
    /// For an approval: the category of the reserved action, like merge or spend
    #[arg(long, value_name = "CATEGORY")]
    pub gate: Option<String>,
    #[command(flatten)]
    pub subject: Subject,
    /// For an action: one exact step, as often as there are steps
    #[arg(long = "step", value_name = "TEXT")]
    pub steps: Vec<String>,
    /// The answer is private: it is kept nowhere, and handed to you alone
    #[arg(long)]
    pub secret: bool,
    /// A title of at most 30 characters
    #[arg(long, value_name = "TEXT")]
    pub header: Option<String>,
    /// The id of a set of questions that are asked together
    #[arg(long, value_name = "ID")]
    pub group: Option<String>,
    #[command(flatten)]
    pub place: Place,
    /// The request, or the question of your own, that it belongs to. A question about an agent's request is that agent's to answer
    #[arg(long, value_name = "ID", value_parser = ThreadId::parse)]
    pub about: Option<ThreadId>,
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

impl Reversibility {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reversible => "reversible",
            Self::HardToReverse => "hard_to_reverse",
        }
    }
}

/// Runs it.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(new: &New, connection: &Connection) -> Result<Exit, Failure> {
    let publication = draft::publication(new.publication_id.as_deref())?;
    let (purpose, body) = (draft::purpose(new), draft::body(new, &publication)?);
    match Door::open(connection)? {
        Door::Direct(client) => direct(
            new,
            &Asking { client: &Arc::new(client), path: QUESTIONS.to_owned(), body, purpose, publication: &publication },
        ),
        Door::Distant(way) => {
            let rhythm = connection.rhythm();
            let asking = distant::Asking { way: &way, body, request: None, purpose, publication: &publication, rhythm };
            if let Some(patience) = new.wait {
                return distant::ask_and_wait(asking, patience, new.keep);
            }
            interrupts::end_at_a_signal()?;
            print(new.print, &distant::ask(asking, &mut again::sleep)?.record)?;
            Ok(once_asked(purpose))
        }
    }
}

fn direct(new: &New, asking: &Asking<'_>) -> Result<Exit, Failure> {
    let Some(patience) = new.wait else {
        return match asking::ask(asking, &mut again::sleep)? {
            Taken::Delegated(reply) => asking::print_delegated(&reply),
            Taken::Question(record) => {
                print(new.print, &record)?;
                Ok(once_asked(asking.purpose))
            }
        };
    };
    match asking::ask_and_wait(asking, patience, new.keep)? {
        Waited::Delegated(reply) => asking::print_delegated(&reply),
        Waited::Stopped(reading, stopped) => {
            report(asking.client, &reading, patience, stopped, &|answer, exit| hand_over(asking.client, &reading, answer, exit))
        }
    }
}

/// Asked is done only where nothing hangs on the answer: `ask new … && deploy` must not deploy.
fn once_asked(purpose: Purpose) -> Exit {
    if purpose.rules().yes.is_some() { Exit::NoAnswer } else { Exit::Done }
}

/// Prints what was asked: `{"id","incarnation","asked_at","state","link"}`, or one of its fields.
pub fn print(print: Option<Print>, record: &Json) -> Result<(), Failure> {
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
