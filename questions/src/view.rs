//! The record as every door shows it: the question's fields flat, absent ones null, and what happened to it.

use serde::{Deserialize, Serialize};

use crate::{
    Answer, Author, By, Delivery, GateCategory, Incarnation, Issue, OptionId, Outcome, Purpose, QuestionId, QuestionOption,
    Record, Reversibility, Source, State, ThreadId, Time, WakeName,
};

/// One record on the wire. Readers ignore fields that they do not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[expect(missing_docs, reason = "the fields are those of Question; the rest is described here")]
pub struct RecordView {
    pub id: QuestionId,
    pub incarnation: Incarnation,
    pub purpose: Purpose,
    pub text: String,
    pub options: Vec<QuestionOption>,
    pub recommended: Option<OptionId>,
    pub multi: bool,
    pub header: Option<String>,
    pub group: Option<String>,
    pub reversibility: Option<Reversibility>,
    pub waiting_on: Option<String>,
    pub deadline: Option<Time>,
    pub default: Option<OptionId>,
    pub gate: Option<GateCategory>,
    pub subject: Option<String>,
    pub digest: Option<String>,
    pub steps: Option<Vec<String>>,
    pub secret: bool,
    pub issue: Option<Issue>,
    pub about: Option<ThreadId>,
    /// The agent that it is put to; null when it is the owner's to settle.
    pub put_to: Option<Author>,
    pub source: Source,
    pub wake: Option<WakeName>,
    pub publication_id: Option<String>,
    pub asked_at: Time,
    /// `open`, `answering`, `answered`, `declined`, `cancelled`, `defaulted`, `expired` or `withdrawn`.
    pub state: String,
    /// Whether it is unknown if the answer was saved.
    pub uncertain: bool,
    pub delivery: Delivery,
    /// Set while an answer is being saved, and after one was refused.
    pub save: Option<Save>,
    pub revision: u64,
    pub resolved_by: Option<By>,
    pub resolved_at: Option<Time>,
    pub reason: Option<String>,
    /// When its approval was spent.
    pub spent_at: Option<Time>,
    pub answer: Option<Answer>,
}

/// How the saving of an answer goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Save {
    /// `saving`, `uncertain` or `refused`.
    pub state: String,
    /// Since when.
    pub since: Time,
    /// What is known of the trouble.
    pub reason: Option<String>,
}

impl From<&Record> for RecordView {
    fn from(record: &Record) -> Self {
        let question = record.question.clone();
        let end = Resolved::of(&record.state);
        Self {
            id: question.id,
            incarnation: question.incarnation,
            purpose: question.purpose,
            text: question.text,
            options: question.options,
            recommended: question.recommended,
            multi: question.multi,
            header: question.header,
            group: question.group,
            reversibility: question.reversibility,
            waiting_on: question.waiting_on,
            deadline: question.deadline,
            default: question.default,
            gate: question.gate,
            subject: question.subject,
            digest: question.digest,
            steps: Some(question.steps).filter(|steps| !steps.is_empty()),
            secret: question.secret,
            issue: question.issue,
            about: question.about,
            put_to: question.put_to,
            source: question.source,
            wake: question.wake,
            publication_id: question.publication_id,
            asked_at: question.asked_at,
            state: state_name(&record.state).to_owned(),
            uncertain: matches!(&record.state, State::Answering(claim) if claim.uncertain.is_some()),
            delivery: record.delivery.clone(),
            save: save(&record.state),
            revision: record.revision,
            resolved_by: end.by,
            resolved_at: end.at,
            reason: end.reason,
            spent_at: record.spent_at,
            answer: record.answer().cloned(),
        }
    }
}

/// The wire name of a state.
pub fn state_name(state: &State) -> &'static str {
    match state {
        State::Open { .. } => "open",
        State::Answering(_) => "answering",
        State::Withdrawn { .. } => "withdrawn",
        State::IdTaken { .. } => "cancelled",
        State::Ended { answer, .. } => match answer.outcome {
            Outcome::Chosen | Outcome::OwnWords => "answered",
            Outcome::Declined => "declined",
            Outcome::Cancelled => "cancelled",
            Outcome::Defaulted => "defaulted",
            Outcome::Expired => "expired",
        },
    }
}

fn save(state: &State) -> Option<Save> {
    match state {
        State::Answering(claim) => Some(match &claim.uncertain {
            Some(note) => Save { state: "uncertain".to_owned(), since: note.at, reason: Some(note.reason.clone()) },
            None => {
                let reason = claim.delayed.as_ref().map(|note| note.reason.clone());
                Save { state: "saving".to_owned(), since: claim.answer.at, reason }
            }
        }),
        State::Open { refused: Some(note) } => {
            Some(Save { state: "refused".to_owned(), since: note.at, reason: Some(note.reason.clone()) })
        }
        State::Open { refused: None } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => None,
    }
}

#[derive(Default)]
struct Resolved {
    by: Option<By>,
    at: Option<Time>,
    reason: Option<String>,
}

impl Resolved {
    fn of(state: &State) -> Self {
        match state {
            State::Open { .. } | State::Answering(_) => Self::default(),
            State::Ended { answer, .. } | State::IdTaken { answer } => {
                Self { by: Some(answer.by.clone()), at: Some(answer.at), reason: answer.reason.clone() }
            }
            State::Withdrawn { at, by, reason } => Self { by: Some(by.clone()), at: Some(*at), reason: reason.clone() },
        }
    }
}
