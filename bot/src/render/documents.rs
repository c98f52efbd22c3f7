//! What does not fit a message goes into documents beside it. They depend on the question alone: their digests are the same
//! in every zone, state and kind of chat.

use jiff::tz::TimeZone;
use pager_questions::digest::digest;
use pager_questions::text::reveal;
use pager_questions::{Purpose, Question, Record};

use super::body::{Subject, body};
use super::builder::Builder;
use super::terms::terms;
use super::{Document, MOST_UNITS, asking};

/// What stands between the parts of a message.
pub(super) const BETWEEN: &str = "\n\n";
/// A date is longer by a digit in one zone than in another; there are two.
const ZONES_DIFFER_BY: usize = 4;
/// An approval stays whole also while its message has to say more: that an answer is being saved, that no agent waits.
const KEPT_FREE: usize = 800;

/// The documents of a question.
#[derive(Debug, Clone, Default)]
pub(super) struct Documents {
    /// Everything but an approval's subject.
    pub(super) whole: Option<Document>,
    /// The subject byte for byte, behind one with escapes where it holds what does not show.
    pub(super) subject: Vec<Document>,
}

impl Documents {
    /// Those of this question.
    pub(super) fn of(question: &Question) -> Self {
        let Some(subject) = &question.subject else { return Self { whole: whole(question), subject: Vec::new() } };
        if is_shown_exactly(subject) && fits(question, Subject::Here) {
            return Self::default();
        }
        Self { whole: whole(question), subject: of_subject(question, subject) }
    }

    /// Where the subject stands.
    pub(super) fn place_of_subject(&self) -> Subject {
        match self.subject.len() {
            0 => Subject::Here,
            1 => Subject::Attached,
            _ => Subject::AttachedWithEscapes,
        }
    }

    /// Is it an approval that cannot be seen whole without them?
    pub(super) fn hold_back_approval(&self, question: &Question) -> bool {
        question.purpose == Purpose::Approval && (self.whole.is_some() || !self.subject.is_empty())
    }

    /// In the order in which they are sent: what is approved comes last.
    pub(super) fn in_order(self) -> Vec<Document> {
        self.whole.into_iter().chain(self.subject).collect()
    }
}

fn whole(question: &Question) -> Option<Document> {
    if fits(question, Subject::Attached) {
        return None;
    }
    let (body, terms) = parts(question, Subject::Attached);
    let text = format!("{}{BETWEEN}{}", body.text, terms.text);
    let bytes = format!("{}\n", text.trim_end()).into_bytes();
    let caption = format!("The whole question.\n{}", digest(&bytes));
    Some(Document { name: format!("question-{}.txt", question.id), bytes, caption })
}

fn of_subject(question: &Question, subject: &str) -> Vec<Document> {
    let bytes = subject.as_bytes().to_vec();
    let caption = format!("Exactly what is to be approved.\n{}", digest(&bytes));
    let exact = Document { name: format!("subject-{}.txt", question.id), bytes, caption };
    let escaped = reveal(subject);
    if escaped == subject {
        return vec![exact];
    }
    let caption =
        "The same with escapes for what does not show, to look at. The document that follows is what counts.".to_owned();
    vec![Document { name: format!("subject-{}-escaped.txt", question.id), bytes: escaped.into_bytes(), caption }, exact]
}

fn parts(question: &Question, subject: Subject) -> (Builder, Builder) {
    (body(&Record::asked(question.clone()), &TimeZone::UTC, subject), terms(question, &TimeZone::UTC, true))
}

fn fits(question: &Question, subject: Subject) -> bool {
    let (body, terms) = parts(question, subject);
    let is_approval = question.purpose == Purpose::Approval;
    let kept_free = if is_approval { KEPT_FREE } else { 0 };
    let asking = asking::most_units(question, is_approval);
    body.units() + BETWEEN.len() + terms.units() + asking + ZONES_DIFFER_BY + kept_free <= MOST_UNITS
}

/// Telegram leaves these out of a message without a word.
fn is_shown_exactly(subject: &str) -> bool {
    !subject.contains(['\u{30a}', '\u{333}', '\u{33f}'])
}
