//! From a body to a question: every rule about what may be asked.

mod approval;
pub(crate) mod deadline;
mod options;

use serde_json::Value;

use crate::fields::{Fault, Fields};
use crate::{Author, Incarnation, Issue, Purpose, Question, QuestionId, Reversibility, Source, ThreadId, Time, WakeName, digest};

pub use deadline::Bounds;

/// A question that was checked, before the service gives it its id, incarnation and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The id the agent chose.
    pub id: Option<QuestionId>,
    /// What was read with a grain of salt, each a sentence for the agent.
    pub warnings: Vec<String>,
    question: Question,
}

impl Draft {
    /// Reads the body of `POST /v1/questions`. `agent` is whom the caller proved to be; a name in the body is not looked at.
    ///
    /// # Errors
    /// The first [`Fault`]: an unknown field, a broken rule, or something that this version does not support.
    pub fn read(body: Value, agent: &Author) -> Result<Self, Fault> {
        let mut fields = Fields::of(body)?;
        let id = fields.parsed("id", QuestionId::parse)?;
        let named_purpose = fields.parsed("purpose", |name| Ok::<_, String>(name.to_owned()))?;
        let given = options::read(fields.objects("options")?)?;
        let purpose = purpose(named_purpose.as_deref(), given.is_empty())?;
        let options = options::of(purpose, given)?;
        let recommended = options::recommended(&mut fields, &options)?;
        if purpose == Purpose::Decision {
            options::check_decision(&options, recommended.as_ref())?;
        }
        let reserved = approval::read(&mut fields, purpose)?;
        let mut warnings = Vec::new();
        let (deadline, default) = deadline::read(&mut fields, &mut warnings)?;
        let question = Question {
            text: fields.required_text("text", 1000)?,
            multi: options::read_multi(&mut fields, purpose)?,
            header: fields.text("header", 30)?,
            group: fields.text("group", 64)?,
            reversibility: fields.parsed("reversibility", read_reversibility)?,
            waiting_on: fields.text("waiting_on", 300)?,
            steps: read_steps(&mut fields, purpose)?,
            secret: read_secret(&mut fields, purpose, agent)?,
            issue: fields.object("issue")?.map(read_issue).transpose()?,
            about: read_about(&mut fields, purpose)?,
            put_to: None,
            source: read_source(fields.object("source")?, agent)?,
            wake: fields.parsed("wake", WakeName::parse)?,
            publication_id: fields.text("publication_id", 200)?,
            purpose,
            options,
            recommended,
            deadline,
            default,
            gate: reserved.gate,
            subject: reserved.subject,
            digest: reserved.digest,
            // Replaced by `ask`; a draft has neither id, incarnation nor time of its own.
            id: id.clone().unwrap_or_else(|| QuestionId::from_random([0; 10])),
            incarnation: Incarnation::from_random([0; 8]),
            asked_at: Time::from_millis(0),
        };
        if purpose.rules().needs_waiting_on && question.waiting_on.is_none() {
            let why = format!("is required for {}: say what stands still until the answer comes", purpose.rules().called);
            return Err(Fault::invalid("waiting_on", why));
        }
        deadline::check_default(&question)?;
        fields.finish()?;
        Ok(Self { id, warnings, question })
    }

    /// The draft with its deadline held to the operator's bounds: one that comes too early is moved, with a warning.
    ///
    /// # Errors
    /// A [`Fault`] for one that comes too late: a default never comes earlier than declared.
    pub fn within(&self, bounds: &Bounds, now: Time) -> Result<Self, Fault> {
        let mut held = self.clone();
        deadline::hold(&mut held.question.deadline, &mut held.warnings, bounds, now)?;
        Ok(held)
    }

    /// The question, asked: with its id, its incarnation and its time.
    pub fn ask(&self, id: QuestionId, incarnation: Incarnation, asked_at: Time) -> Question {
        Question { id, incarnation, asked_at, ..self.question.clone() }
    }

    /// The same draft, put to this agent in place of the owner.
    ///
    /// # Errors
    /// A [`Fault`] for private words: they are handed over only between an owner and an agent.
    pub fn put_to(&self, author: Author) -> Result<Self, Fault> {
        if self.question.secret {
            let why = "is for what the owner answers; this is put to the agent whose request it is about";
            return Err(Fault::invalid("secret", why));
        }
        Ok(Self { question: Question { put_to: Some(author), ..self.question.clone() }, ..self.clone() })
    }

    /// What it asks; its id, incarnation and time are not given yet.
    pub fn question(&self) -> &Question {
        &self.question
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
        deadline: None,
        // Follows from what it is about.
        put_to: None,
        ..question.clone()
    };
    let canonical = serde_jcs::to_vec(&plain).expect("a question is plain JSON");
    digest::hex(canonical)
}

fn purpose(name: Option<&str>, has_no_options: bool) -> Result<Purpose, Fault> {
    match name {
        None if has_no_options => Ok(Purpose::Clarification),
        None => Ok(Purpose::Question),
        Some(name) => Purpose::parse(name).ok_or_else(|| {
            let known = Purpose::ALL.map(|purpose| purpose.rules().name).join(", ");
            Fault::invalid("purpose", format!("is one of {known}; left out, the options decide"))
        }),
    }
}

fn read_steps(fields: &mut Fields, purpose: Purpose) -> Result<Vec<String>, Fault> {
    let Some(steps) = fields.texts("steps", 500)? else { return Ok(Vec::new()) };
    if purpose != Purpose::Action {
        return Err(Fault::invalid("steps", "are for an action only; leave them out"));
    }
    match steps.len() {
        1..=20 => Ok(steps),
        count => Err(Fault::invalid("steps", format!("has {count}; an action takes 1 to 20"))),
    }
}

fn read_secret(fields: &mut Fields, purpose: Purpose, agent: &Author) -> Result<bool, Fault> {
    let secret = fields.flag("secret")?;
    if secret && !matches!(purpose, Purpose::Question | Purpose::Clarification) {
        return Err(Fault::invalid("secret", "is for a question or a clarification: only words can be private"));
    }
    if secret && agent.is_through_control() {
        let why = "needs direct mode: a private answer is handed to whoever waits at the service, and nobody does here";
        return Err(Fault::invalid("secret", why));
    }
    Ok(secret)
}

fn read_about(fields: &mut Fields, purpose: Purpose) -> Result<Option<ThreadId>, Fault> {
    let about = fields.parsed("about", ThreadId::parse)?;
    if about.is_none() && purpose == Purpose::Offer {
        return Err(Fault::invalid("about", "is required for an offer: the id of the request that it is about"));
    }
    Ok(about)
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
