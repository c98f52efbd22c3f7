//! From a body to a question: every rule about what may be asked.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::fields::{Fault, Fields};
use crate::purpose::NOT_YET;
use crate::{
    Author, Incarnation, Issue, OptionId, Purpose, Question, QuestionId, QuestionOption, Reversibility, Source, Time, WakeName,
};

/// A question that was checked, before the service gives it its id, incarnation and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The id the agent chose.
    pub id: Option<QuestionId>,
    question: Question,
}

impl Draft {
    /// Reads the body of `POST /v1/questions`. `agent` is whom the caller proved to be; a name in the body is not looked at.
    ///
    /// # Errors
    /// The first [`Fault`]: an unknown field, a broken rule, or something that this version does not support.
    pub fn read(body: Value, agent: &Author) -> Result<Self, Fault> {
        let mut fields = Fields::of(body)?;
        fields.not_yet(&["multi", "secret", "group", "deadline", "default", "gate", "subject", "digest", "steps", "about"])?;
        let id = fields.parsed("id", QuestionId::parse)?;
        let named_purpose = fields.parsed("purpose", |name| Ok::<_, String>(name.to_owned()))?;
        let options = read_options(fields.objects("options")?)?;
        let purpose = match named_purpose.as_deref() {
            None if options.is_empty() => Purpose::Clarification,
            None => Purpose::Question,
            Some(later) if NOT_YET.contains(&later) => {
                return Err(Fault::not_supported(
                    "purpose",
                    format!("{later} is not supported by this version; use question or clarification"),
                ));
            }
            Some(name) => Purpose::parse(name)
                .ok_or_else(|| Fault::invalid("purpose", "is question or clarification; left out, the options decide"))?,
        };
        check_options(purpose, &options)?;
        let recommended = fields.parsed("recommended", OptionId::parse)?;
        if recommended.as_ref().is_some_and(|id| options.iter().all(|option| option.id != *id)) {
            return Err(Fault::invalid("recommended", "is not the id of one of the options"));
        }
        let question = Question {
            text: fields.required_text("text", 1000)?,
            header: fields.text("header", 30)?,
            reversibility: fields.parsed("reversibility", read_reversibility)?,
            waiting_on: fields.text("waiting_on", 300)?,
            issue: fields.object("issue")?.map(read_issue).transpose()?,
            source: read_source(fields.object("source")?, agent)?,
            wake: fields.parsed("wake", WakeName::parse)?,
            publication_id: fields.text("publication_id", 200)?,
            purpose,
            options,
            recommended,
            // Replaced by `ask`; a draft has neither id, incarnation nor time of its own.
            id: id.clone().unwrap_or_else(|| QuestionId::from_random([0; 10])),
            incarnation: Incarnation::from_random([0; 8]),
            asked_at: Time::from_millis(0),
        };
        if purpose.needs_waiting_on() && question.waiting_on.is_none() {
            return Err(Fault::invalid(
                "waiting_on",
                "is required without options: say what stands still until the answer comes",
            ));
        }
        fields.finish()?;
        Ok(Self { id, question })
    }

    /// The question, asked: with its id, its incarnation and its time.
    pub fn ask(&self, id: QuestionId, incarnation: Incarnation, asked_at: Time) -> Question {
        Question { id, incarnation, asked_at, ..self.question.clone() }
    }

    /// The caller's own identity for this act of asking.
    pub fn publication_id(&self) -> Option<&str> {
        self.question.publication_id.as_deref()
    }

    /// The wake target it names. Whether there is one of that name is for the service to know.
    pub fn wake(&self) -> Option<&WakeName> {
        self.question.wake.as_ref()
    }

    /// See [`fingerprint`].
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.question)
    }
}

/// Tells two drafts apart: a hash of the canonical form without id, incarnation, times and publication. 64 hex digits.
pub fn fingerprint(question: &Question) -> String {
    let plain = Question {
        id: QuestionId::from_random([0; 10]),
        incarnation: Incarnation::from_random([0; 8]),
        asked_at: Time::from_millis(0),
        publication_id: None,
        ..question.clone()
    };
    let canonical = serde_jcs::to_vec(&plain).expect("a question is plain JSON");
    Sha256::digest(canonical).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_options(list: Vec<Fields>) -> Result<Vec<QuestionOption>, Fault> {
    let mut options: Vec<QuestionOption> = Vec::with_capacity(list.len());
    for (index, mut fields) in list.into_iter().enumerate() {
        let id = match fields.parsed("id", OptionId::parse)? {
            Some(id) => id,
            None => OptionId::parse(&(index + 1).to_string())
                .map_err(|error| Fault::invalid(fields.path_of("id"), error.to_string()))?,
        };
        let label = fields.required_text("label", 100)?;
        let detail = fields.text("detail", 500)?;
        if options.iter().any(|other| other.id == id) {
            return Err(Fault::invalid(fields.path_of("id"), "is the id of an earlier option; ids are distinct"));
        }
        if options.iter().any(|other| other.label.trim() == label.trim()) {
            return Err(Fault::invalid(fields.path_of("label"), "is the label of an earlier option; labels are distinct"));
        }
        fields.finish()?;
        options.push(QuestionOption { id, label, detail });
    }
    Ok(options)
}

fn check_options(purpose: Purpose, options: &[QuestionOption]) -> Result<(), Fault> {
    match (purpose.has_options(), options.len()) {
        (true, 2..=4) | (false, 0) => Ok(()),
        (true, count) => Err(Fault::invalid("options", format!("has {count}; a question takes 2 to 4"))),
        (false, _) => Err(Fault::invalid("options", "a clarification takes none; leave them or the purpose out")),
    }
}

fn read_reversibility(text: &str) -> Result<Reversibility, &'static str> {
    match text {
        "reversible" => Ok(Reversibility::Reversible),
        "hard_to_reverse" => Ok(Reversibility::HardToReverse),
        _ => Err("is reversible or hard_to_reverse, or left out"),
    }
}

pub(crate) fn read_issue(mut fields: Fields) -> Result<Issue, Fault> {
    let issue = Issue {
        tracker: fields.required_text("tracker", 50)?,
        key: fields.required_text("key", 100)?,
        url: fields.required_link("url")?,
    };
    fields.finish()?;
    Ok(issue)
}

pub(crate) fn read_source(fields: Option<Fields>, agent: &Author) -> Result<Source, Fault> {
    let mut source = Source { agent: agent.clone(), run: None, task: None, project: None, seat_hint: None };
    if let Some(mut fields) = fields {
        fields.value("agent");
        source.run = fields.text("run", 200)?;
        source.task = fields.text("task", 200)?;
        source.project = fields.text("project", 200)?;
        source.seat_hint = fields.text("seat_hint", 200)?;
        fields.finish()?;
    }
    Ok(source)
}
