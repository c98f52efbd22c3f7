//! `ask pick`: settles what a helper asks about one's own request.

use pager_questions::QuestionId;
use serde_json::json;

use super::settle::{self, Choice};
use crate::client::Call;
use crate::door::{Connection, Door};
use crate::exit::Exit;
use crate::failure::Failure;

/// Flags of `ask pick`.
#[derive(Debug, clap::Args)]
pub struct Pick {
    /// The id of the offer or question, as `ask status` shows it
    #[arg(value_parser = QuestionId::parse)]
    id: QuestionId,
    #[command(flatten)]
    choice: Choice,
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
    pick.choice.put(&mut body, "words")?;
    settle::run(&client, &reading, Call::post(format!("/v1/questions/{}/pick", pick.id), Some(body)))
}
