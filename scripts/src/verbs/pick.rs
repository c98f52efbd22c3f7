//! `ask pick`: settles what a helper asks about one's own request.

use clap::ArgGroup;
use pager_questions::{OptionId, QuestionId};
use serde_json::json;

use super::settle;
use crate::client::Call;
use crate::door::{Connection, Door};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text;

/// Flags of `ask pick`.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("pick").required(true).args(["option", "words"])))]
pub struct Pick {
    /// The id of the offer or question, as `ask status` shows it
    #[arg(value_parser = QuestionId::parse)]
    id: QuestionId,
    /// The id of the option to pick; several, by commas or given again, where one may pick several
    #[arg(long = "option", value_name = "ID", value_delimiter = ',', value_parser = OptionId::parse)]
    option: Vec<OptionId>,
    /// Own words; - reads them from standard input. Never taken for an option, whatever they say
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    words: Option<String>,
    /// Save own words also when they look like a token or a key
    #[arg(long, conflicts_with = "option")]
    send_anyway: bool,
}

/// Runs it: prints the answer.
///
/// # Errors
/// A refusal; code 7 with the outcome when it has ended already, 8 for what is not yours to pick.
pub fn run(pick: &Pick, connection: &Connection) -> Result<Exit, Failure> {
    let client = match Door::open(connection)? {
        Door::Direct(client) => client,
        Door::Distant(_) => {
            return Err(Failure::failed(
                "pick needs direct mode (ASK_URL): through GitHub or git the maintainer picks in your stead",
            ));
        }
    };
    let (record, reading) = settle::meant(&client, &pick.id)?;
    let mut body = json!({"incarnation": record.text("incarnation")});
    match &pick.words {
        Some(words) => body["words"] = text::given(words)?.into(),
        None => {
            let ids: Vec<&str> = pick.option.iter().map(OptionId::as_str).collect();
            body["option"] = ids.join(",").into();
        }
    }
    if pick.send_anyway {
        body["confirm_secret"] = true.into();
    }
    settle::run(&client, &reading, Call::post(format!("/v1/questions/{}/pick", pick.id), Some(body)))
}
