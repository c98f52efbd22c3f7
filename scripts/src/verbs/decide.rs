//! `ask decide`: answers a question as its owner, with options or with own words.

use pager_questions::{OptionId, QuestionId};
use serde_json::json;

use super::settle::{self, Choice};
use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::settings::{Role, Settings};

/// Flags of `ask decide`.
#[derive(Debug, clap::Args)]
pub struct Decide {
    /// The question's id
    #[arg(value_parser = QuestionId::parse)]
    id: QuestionId,
    #[command(flatten)]
    choice: Choice,
}

/// Runs it.
///
/// # Errors
/// A refusal; code 7 with the outcome when the question has ended already.
pub fn run(decide: &Decide, url: Option<&str>) -> Result<Exit, Failure> {
    let client = Client::new(Settings::load(url, Role::Owner)?);
    let (record, reading) = settle::meant(&client, &decide.id)?;
    let mut body = json!({"incarnation": record.text("incarnation")});
    if decide.choice.words.is_none() {
        body["answer"] = labels(&record, &decide.choice.option)?.join(", ").into();
    }
    decide.choice.put(&mut body, "answer")?;
    settle::run(&client, &reading, Call::post(format!("/v1/questions/{}/answer", decide.id), Some(body)))
}

fn labels<'a>(record: &'a Json, chosen: &[OptionId]) -> Result<Vec<&'a str>, Failure> {
    let options = record.get("options").map(Json::items).unwrap_or_default();
    if chosen.len() > 1 && record.get("multi") != Some(&Json::Bool(true)) {
        return Err(Failure::usage("--option: this question takes one option; give one"));
    }
    let label = |id: &OptionId| {
        let option = options.iter().find(|option| option.text("id") == Some(id.as_str()));
        option.and_then(|option| option.text("label")).ok_or_else(|| {
            let ids: Vec<&str> = options.iter().filter_map(|option| option.text("id")).collect();
            let known =
                if ids.is_empty() { "it has none; use --words".to_owned() } else { format!("choose one of {}", ids.join(", ")) };
            Failure::usage(format!("--option: {id} is not an option of this question: {known}"))
        })
    };
    chosen.iter().map(label).collect()
}
