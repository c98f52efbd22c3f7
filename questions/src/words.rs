//! From an owner's answer over HTTP or the page to a resolution. Words are never matched to labels.

use serde_json::Value;

use crate::apply::Resolution;
use crate::fields::{Fault, Fields, check_text};
use crate::{Incarnation, OptionId, Question};

/// The most characters that own words may have.
pub const MOST_CHARACTERS: usize = 1000;

/// The body of `POST /v1/questions/{id}/answer`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerBody {
    /// The words, or with an option anything that is not blank.
    pub answer: String,
    /// The picked option's id.
    pub option: Option<String>,
    /// The exact record that is meant.
    pub incarnation: Option<Incarnation>,
}

impl AnswerBody {
    /// Reads it.
    ///
    /// # Errors
    /// The first [`Fault`].
    pub fn read(body: Value) -> Result<Self, Fault> {
        let mut fields = Fields::of(body)?;
        let read = Self {
            answer: fields.required_text("answer", MOST_CHARACTERS)?,
            option: fields.string("option")?,
            incarnation: fields.parsed("incarnation", Incarnation::parse)?,
        };
        fields.finish()?;
        Ok(read)
    }

    /// What it decides about this question.
    ///
    /// # Errors
    /// A [`Fault`] that names `option` when the question has no such option.
    pub fn resolution(&self, question: &Question) -> Result<Resolution, Fault> {
        match &self.option {
            None => Ok(Resolution::OwnWords(self.answer.clone())),
            Some(option) => pick(question, option),
        }
    }
}

/// The pick of one option by its id.
///
/// # Errors
/// A [`Fault`] that names `option` and lists the ids there are.
pub fn pick(question: &Question, option: &str) -> Result<Resolution, Fault> {
    let known = question.option(option).and_then(|known| OptionId::parse(known.id.as_str()).ok());
    known.map(Resolution::Chosen).ok_or_else(|| {
        let ids: Vec<&str> = question.options.iter().map(|option| option.id.as_str()).collect();
        let way_out = if ids.is_empty() { "it takes own words only".to_owned() } else { format!("it has {}", ids.join(", ")) };
        Fault::invalid("option", format!("is not an option of this question; {way_out}"))
    })
}

/// Words that came from a person, checked as an answer.
///
/// # Errors
/// What is wrong with them.
pub fn own_words(words: &str) -> Result<Resolution, String> {
    check_text(words, MOST_CHARACTERS)?;
    Ok(Resolution::OwnWords(words.to_owned()))
}
