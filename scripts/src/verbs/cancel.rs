//! `ask cancel`: calls a question off, as the question's owner.

use pager_questions::QuestionId;
use serde_json::json;

use super::settle;
use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::{Role, Settings};

/// Flags of `ask cancel`.
#[derive(Debug, clap::Args)]
pub struct Cancel {
    /// The question's id
    #[arg(value_parser = QuestionId::parse)]
    id: QuestionId,
}

/// Runs it.
///
/// # Errors
/// A refusal; code 7 with the outcome when the question has ended already.
pub fn run(cancel: &Cancel, url: Option<&str>) -> Result<Exit, Failure> {
    let client = Client::new(Settings::load(url, Role::Owner)?);
    let (record, reading) = settle::meant(&client, &cancel.id)?;
    let body = json!({"incarnation": record.text("incarnation")});
    settle::run(&client, &reading, Call::post(format!("/v1/questions/{}/cancel", cancel.id), Some(body)))
}
