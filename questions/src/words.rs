//! From an owner's answer over HTTP or the page to a resolution. Words are never matched to labels.

use serde_json::Value;

use crate::apply::Resolution;
use crate::fields::{Fault, Fields, check_text};
use crate::{Incarnation, OptionId, Question};

/// The most characters that own words may have.
pub const MOST_CHARACTERS: usize = 1000;

/// What every body that settles a question may say besides how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meant {
    /// The exact record that is meant.
    pub incarnation: Option<Incarnation>,
    /// The revision of it that was read.
    pub expected_revision: Option<u64>,
    /// Words that look like a secret are meant, and may be stored.
    pub confirm_secret: bool,
}

impl Meant {
    fn take(fields: &mut Fields) -> Result<Self, Fault> {
        Ok(Self {
            incarnation: fields.parsed("incarnation", Incarnation::parse)?,
            expected_revision: read_revision(fields)?,
            confirm_secret: fields.flag("confirm_secret")?,
        })
    }
}

/// The body of `POST /v1/questions/{id}/answer`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerBody {
    /// The words, or with an option anything that is not blank.
    pub answer: String,
    /// The picked option's id.
    pub option: Option<String>,
    /// Which record is meant, and how.
    pub meant: Meant,
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
            meant: Meant::take(&mut fields)?,
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
            None if !question.purpose.rules().takes_words => Err(needs_an_option(question)),
            None => Ok(Resolution::OwnWords(self.answer.clone())),
            Some(option) => pick(question, option),
        }
    }
}

/// The body of `POST /v1/questions/{id}/pick`: one of an option and words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickBody {
    picked: Picked,
    /// Which record is meant, and how.
    pub meant: Meant,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Picked {
    Option(String),
    Words(String),
}

impl PickBody {
    /// Reads it.
    ///
    /// # Errors
    /// The first [`Fault`]; one that names `option` when there is neither or both.
    pub fn read(body: Value) -> Result<Self, Fault> {
        let mut fields = Fields::of(body)?;
        let picked = match (fields.string("option")?, fields.text("words", MOST_CHARACTERS)?) {
            (Some(option), None) => Picked::Option(option),
            (None, Some(words)) => Picked::Words(words),
            (None, None) => return Err(Fault::invalid("option", "is required: the id of an option, or words in place of it")),
            (Some(_), Some(_)) => return Err(Fault::invalid("option", "is there and words too; one of them decides")),
        };
        let read = Self { picked, meant: Meant::take(&mut fields)? };
        fields.finish()?;
        Ok(read)
    }

    /// What it decides about this question.
    ///
    /// # Errors
    /// A [`Fault`] that names `option` when the question has no such option.
    pub fn resolution(&self, question: &Question) -> Result<Resolution, Fault> {
        match &self.picked {
            Picked::Words(_) if !question.purpose.rules().takes_words => Err(needs_an_option(question)),
            Picked::Words(words) => Ok(Resolution::OwnWords(words.clone())),
            Picked::Option(option) => pick(question, option),
        }
    }
}

/// The revision that a write expects, where it names one.
///
/// # Errors
/// A [`Fault`] when it is not a whole number.
pub fn read_revision(fields: &mut Fields) -> Result<Option<u64>, Fault> {
    let Some(value) = fields.value("expected_revision") else { return Ok(None) };
    let not_one = || Fault::invalid("expected_revision", "is the whole number that the record shows as its revision");
    value.as_u64().map(Some).ok_or_else(not_one)
}

/// The pick of an option by its id; where several may be picked, of several by their ids joined by commas.
///
/// # Errors
/// A [`Fault`] that names `option` and lists the ids there are.
pub fn pick(question: &Question, option: &str) -> Result<Resolution, Fault> {
    let names: Vec<&str> = if question.multi { option.split(',').map(str::trim).collect() } else { vec![option] };
    let mut picked: Vec<OptionId> = Vec::with_capacity(names.len());
    for name in names {
        let Some(known) = question.option(name) else { return Err(not_an_option(question)) };
        if !picked.contains(&known.id) {
            picked.push(known.id.clone());
        }
    }
    Ok(Resolution::Chosen(picked))
}

fn not_an_option(question: &Question) -> Fault {
    let ids = ids(question);
    let way_out = if ids.is_empty() { "it takes own words only".to_owned() } else { format!("it has {ids}") };
    Fault::invalid("option", format!("is not an option of this question; {way_out}"))
}

fn needs_an_option(question: &Question) -> Fault {
    let called = question.purpose.rules().called;
    Fault::invalid("option", format!("is required: {called} takes one of its options and no own words; it has {}", ids(question)))
}

fn ids(question: &Question) -> String {
    question.options.iter().map(|option| option.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// Words that came from a person, checked as an answer.
///
/// # Errors
/// What is wrong with them.
pub fn own_words(words: &str) -> Result<Resolution, String> {
    check_text(words, MOST_CHARACTERS)?;
    Ok(Resolution::OwnWords(words.to_owned()))
}
