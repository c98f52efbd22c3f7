//! What `decide`, `decline`, `cancel` and `pick` share: reading the record that is meant, sending the act, and printing what
//! became of the question.

use clap::ArgGroup;
use pager_questions::{Incarnation, OptionId, QuestionId};
use serde_json::Value;

use crate::again;
use crate::client::{Call, Client, Reply};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::problem::{self, Problem, refusal};
use crate::reading::{self, Reading};
use crate::text;

/// Flags that say what is chosen: options, or own words.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("choice").required(true).args(["option", "words"])))]
pub struct Choice {
    /// The id of the option to choose; several, by commas or given again, where the question lets one pick several
    #[arg(long = "option", value_name = "ID", value_delimiter = ',', value_parser = OptionId::parse)]
    pub option: Vec<OptionId>,
    /// Own words; - reads them from standard input. Never taken for an option, whatever they say
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub words: Option<String>,
    /// Save own words also when they look like a token or a key
    #[arg(long, conflicts_with = "option")]
    pub send_anyway: bool,
}

impl Choice {
    /// Adds it to a body, in which own words stand under this name.
    ///
    /// # Errors
    /// Code 2 when standard input cannot be read or is no text.
    pub fn put(&self, body: &mut Value, name: &str) -> Result<(), Failure> {
        match &self.words {
            Some(words) => body[name] = text::given(words)?.into(),
            None => body["option"] = self.option.iter().map(OptionId::as_str).collect::<Vec<_>>().join(",").into(),
        }
        if self.send_anyway {
            body["confirm_secret"] = true.into();
        }
        Ok(())
    }
}

/// The very record that an act is meant for, and what names it: read first, so that no other question of that id is
/// settled instead.
///
/// # Errors
/// When it cannot be read; code 8 when there is none.
pub fn meant(client: &Client, id: &QuestionId) -> Result<(Json, Reading), Failure> {
    let record = reading::record(client, id)?;
    let incarnation = record.text("incarnation").and_then(|text| Incarnation::parse(text).ok());
    let incarnation = incarnation.ok_or_else(problem::unreadable)?;
    Ok((record, Reading::of_record(id.clone(), Some(incarnation))))
}

/// Sends an act, under one key however often it takes, and prints the outcome.
///
/// # Errors
/// A refusal, with the outcome when the question has ended already.
pub fn run(client: &Client, reading: &Reading, mut call: Call) -> Result<Exit, Failure> {
    let id = &reading.id;
    call.key = Some(again::key()?);
    let reply = again::write(client, &call, &mut again::sleep).map_err(|lost| problem::unreachable(&lost))?;
    match reply.status {
        200 => {
            let answer = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
            reading.check(&client.settings().keys, &answer)?;
            output::line(&answer)?;
            Ok(Exit::Done)
        }
        202 => {
            output::say(&format!("{id}: taken, and still being saved; it counts once the answers repository has it"));
            output::line(&Json::parse(&reply.body).map_err(|_| problem::unreadable())?)?;
            Ok(Exit::NoAnswer)
        }
        409 | 410 => Err(ended(client, reading, &reply)),
        422 if Problem::of(&reply).is_some_and(|problem| problem.code == "looks_secret") => {
            let failure = refusal(&reply, None);
            let words = format!("{failure}. Nothing was saved: say it in other words, or repeat it with --send-anyway");
            Err(Failure { words, ..failure })
        }
        _ => Err(refusal(&reply, Some(id.as_str()))),
    }
}

fn ended(client: &Client, reading: &Reading, reply: &Reply) -> Failure {
    let id = reading.id.as_str();
    let failure = Failure { exit: Exit::Refused, ..refusal(reply, Some(id)) };
    let Some(problem) = Problem::of(reply) else { return failure };
    match problem.answer {
        Some(answer) => match reading.check(&client.settings().keys, &answer) {
            Ok(()) => failure.with_output(answer),
            Err(wrong) => wrong,
        },
        None if failure.output.is_some() || problem.code != "already_answered" => failure,
        None => match reading::state(client, &reading.id) {
            Ok(state) => failure.with_output(output::state(id, &state)),
            Err(_) => failure,
        },
    }
}
