//! `ask decline`: leaves the decision to the agent, as the question's owner.

use pager_questions::QuestionId;

use super::settle;
use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::{Role, Settings};

/// Flags of `ask decline`.
#[derive(Debug, clap::Args)]
pub struct Decline {
    /// The question's id
    #[arg(value_parser = QuestionId::parse)]
    id: QuestionId,
}

/// Runs it.
///
/// # Errors
/// A refusal; code 7 with the outcome when the question has ended already.
pub fn run(decline: &Decline, url: Option<&str>) -> Result<Exit, Failure> {
    let client = Client::new(Settings::load(url, Role::Owner)?);
    // The request takes no body, so nothing in it names the record: what comes back has to be its answer.
    let (_, reading) = settle::meant(&client, &decline.id)?;
    settle::run(&client, &reading, Call::post(format!("/v1/questions/{}/decline", decline.id), None))
}
