//! `ask decide`: answers a question as its owner, with an option or with own words.

use pager_questions::{OptionId, QuestionId};
use serde_json::json;

use super::settle;
use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::reading;
use crate::settings::{Role, Settings};
use crate::text;

/// Flags of `ask decide`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("decision").required(true).args(["option", "words"])))]
pub struct Decide {
    /// The question's id
    #[arg(value_parser = QuestionId::parse)]
    id: QuestionId,
    /// The id of the option to choose
    #[arg(long, value_name = "ID", value_parser = OptionId::parse)]
    option: Option<OptionId>,
    /// Own words; - reads them from standard input. Never taken for an option, whatever they say
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    words: Option<String>,
}

/// Runs it.
///
/// # Errors
/// A refusal; code 7 with the outcome when the question has ended already.
pub fn run(decide: &Decide, url: Option<&str>) -> Result<Exit, Failure> {
    let client = Client::new(Settings::load(url, Role::Owner)?);
    // Read first: the answer names exactly the record that it is meant for.
    let record = reading::record(&client, &decide.id)?;
    let mut body = json!({"incarnation": record.text("incarnation")});
    match (&decide.option, &decide.words) {
        (Some(option), _) => {
            body["option"] = option.as_str().into();
            body["answer"] = label(&record, option)?.into();
        }
        (None, words) => body["answer"] = text::given(words.as_deref().unwrap_or_default())?.into(),
    }
    settle::run(&client, &decide.id, Call::post(format!("/v1/questions/{}/answer", decide.id), Some(body)))
}

fn label<'a>(record: &'a Json, option: &OptionId) -> Result<&'a str, Failure> {
    let options = record.get("options").map(Json::items).unwrap_or_default();
    let chosen = options.iter().find(|other| other.text("id") == Some(option.as_str()));
    chosen.and_then(|chosen| chosen.text("label")).ok_or_else(|| {
        let ids: Vec<&str> = options.iter().filter_map(|option| option.text("id")).collect();
        let known =
            if ids.is_empty() { "it has none; use --words".to_owned() } else { format!("choose one of {}", ids.join(", ")) };
        Failure::usage(format!("--option: {option} is not an option of this question: {known}"))
    })
}
