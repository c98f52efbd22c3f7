//! `ask decide`: answers a question as its owner, with options or with own words.

use pager_questions::{OptionId, QuestionId};
use serde_json::json;

use super::settle;
use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::settings::{Role, Settings};
use crate::text;

/// Flags of `ask decide`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("decision").required(true).args(["option", "words"])))]
pub struct Decide {
    /// The question's id
    #[arg(value_parser = QuestionId::parse)]
    id: QuestionId,
    /// The id of the option to choose; several, by commas or given again, where the question lets one pick several
    #[arg(long = "option", value_name = "ID", value_delimiter = ',', value_parser = OptionId::parse)]
    option: Vec<OptionId>,
    /// Own words; - reads them from standard input. Never taken for an option, whatever they say
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    words: Option<String>,
    /// Save own words also when they look like a token or a key
    #[arg(long, requires = "words")]
    send_anyway: bool,
}

/// Runs it.
///
/// # Errors
/// A refusal; code 7 with the outcome when the question has ended already.
pub fn run(decide: &Decide, url: Option<&str>) -> Result<Exit, Failure> {
    let client = Client::new(Settings::load(url, Role::Owner)?);
    let (record, reading) = settle::meant(&client, &decide.id)?;
    let mut body = json!({"incarnation": record.text("incarnation")});
    match &decide.words {
        Some(words) => body["answer"] = text::given(words)?.into(),
        None => {
            let labels = labels(&record, &decide.option)?;
            let ids: Vec<&str> = decide.option.iter().map(OptionId::as_str).collect();
            body["option"] = ids.join(",").into();
            body["answer"] = labels.join(", ").into();
        }
    }
    if decide.send_anyway {
        body["confirm_secret"] = true.into();
    }
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
