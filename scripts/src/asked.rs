//! What a question was asked for, which an answer does not say: from the asker's own flags, or from the record.

use pager_questions::{Incarnation, QuestionId};

use crate::again;
use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::json::Json;
use crate::problem::{self, refusal};
use crate::purpose::Purpose;

/// What is known of a question.
#[derive(Debug, Clone)]
pub struct Asked {
    /// What it is for.
    pub purpose: Purpose,
    /// The record that says so; None when the asker knows it.
    pub incarnation: Option<Incarnation>,
}

impl Asked {
    /// By the asker's own word.
    pub fn for_purpose(purpose: Purpose) -> Self {
        Self { purpose, incarnation: None }
    }

    /// Of a record as every door shows it; None where it says nothing that is known here.
    pub fn of_record(record: &Json) -> Option<Self> {
        let purpose = record.text("purpose").and_then(Purpose::parse)?;
        let incarnation = record.text("incarnation").and_then(|text| Incarnation::parse(text).ok())?;
        Some(Self { purpose, incarnation: Some(incarnation) })
    }

    /// Is it what this answer answers?
    pub fn is_of(&self, answer: &Json) -> bool {
        self.incarnation.as_ref().is_none_or(|incarnation| answer.text("incarnation") == Some(incarnation.as_str()))
    }
}

/// The request for a record.
pub fn call(id: &QuestionId) -> Call {
    Call::get(format!("/v1/questions/{id}"))
}

/// Reads the record of the question that was answered.
///
/// # Errors
/// When it cannot be read, is another question's, or has a purpose that is not known here: the answer is none then, since
/// it might be a refusal.
pub fn learn(client: &Client, id: &QuestionId, answer: &Json) -> Result<Asked, Failure> {
    let unknown = |why: &dyn std::fmt::Display| {
        Failure::failed(format!("{id} has an answer, and what was asked cannot be told: {why}; `ask answer {id}` looks again"))
    };
    let reply = again::write(client, &call(id), &mut again::sleep).map_err(|lost| unknown(&problem::unreachable(&lost)))?;
    if reply.status != 200 {
        return Err(unknown(&refusal(&reply, None)));
    }
    let record = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
    let asked = Asked::of_record(&record).ok_or_else(|| unknown(&"its purpose is none that this version of ask knows"))?;
    if asked.is_of(answer) { Ok(asked) } else { Err(unknown(&"its record is another one by that id")) }
}
