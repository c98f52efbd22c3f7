//! An answer that counts, told once more for displays beside the question: a status line, a log, a wall. It is left out of
//! whatever is sent to a model, and grants nothing: who acts on an answer reads the answer, which is signed.

use serde::{Deserialize, Serialize};

use crate::{By, Incarnation, Outcome, QuestionId, Record, RecordView, State, Time};

/// Stands where the words of a private answer would.
pub const PRIVATE_ANSWER: &str = "Private answer";

/// An answer for display alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerShown {
    /// The event that tells it; the same one when it is told again.
    pub event_id: String,
    /// The question's id.
    pub question_id: QuestionId,
    /// Its incarnation.
    pub incarnation: Incarnation,
    /// The set that it was asked in; each question of a set is told by itself, with its own label.
    pub group: Option<String>,
    /// The question's text.
    pub text: String,
    /// `You answered: ` and the label, the labels, somebody's own words, or [`PRIVATE_ANSWER`].
    pub shown: String,
    /// Where the answer itself is.
    pub answer_receipt: Receipt,
}

/// What proves nothing by itself, but leads to what does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of Answer; the rest is described here")]
pub struct Receipt {
    pub id: QuestionId,
    pub incarnation: Incarnation,
    pub outcome: Outcome,
    pub at: Time,
    pub by: By,
    /// The commit of the answers repository that brought it.
    pub commit: String,
}

impl AnswerShown {
    /// The answer of a record as this event tells it; None while nobody answered it, or when it ended otherwise.
    pub fn of(record: &Record, event_id: String) -> Option<Self> {
        let State::Ended { answer, commit } = &record.state else { return None };
        if !matches!(answer.outcome, Outcome::Chosen | Outcome::OwnWords) {
            return None;
        }
        Some(Self {
            event_id,
            question_id: answer.id.clone(),
            incarnation: answer.incarnation.clone(),
            group: RecordView::from(record).group,
            text: answer.question.clone(),
            shown: format!("You answered: {}", answer.answer.as_deref().unwrap_or(PRIVATE_ANSWER)),
            answer_receipt: Receipt {
                id: answer.id.clone(),
                incarnation: answer.incarnation.clone(),
                outcome: answer.outcome,
                at: answer.at,
                by: answer.by.clone(),
                commit: commit.clone(),
            },
        })
    }
}
