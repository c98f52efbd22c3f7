//! A partial offer: what a helper can deliver of a request, what will be missing and why. It becomes a question of purpose `offer`
//! to whoever asked, the deliverable first, a way out last.

use serde_json::{Value, json};

use crate::draft::read_source;
use crate::fields::{Fault, Fields};
use crate::{Author, Draft, Request, text};

/// The id of the option that takes the deliverable.
pub const DELIVERABLE: &str = "deliverable";
/// The id of the way out.
pub const OUT: &str = "out";
/// The way out, unless the helper words it.
const NO_THANKS: &str = "no thanks";
/// The most characters of a label, and of what is missing and why.
const MOST_IN_LABEL: usize = 100;
const MOST_IN_REASON: usize = 250;

/// An offer that was checked as far as it can be without its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferDraft {
    deliverable: String,
    missing: String,
    why: String,
    out: String,
    /// As they came: a question's draft reads them.
    rest: Vec<(&'static str, Value)>,
}

impl OfferDraft {
    /// Reads the body of `POST /v1/requests/{id}/offers`: `{deliverable, missing, why, or?, deadline?, default?: deliverable|out, id?,
    /// wake?, source?, publication_id?}`.
    ///
    /// # Errors
    /// The first [`Fault`]: a broken rule, or an unknown field.
    pub fn read(body: Value, agent: &Author) -> Result<Self, Fault> {
        let mut fields = Fields::of(body)?;
        let draft = Self::take(&mut fields, agent)?;
        fields.finish()?;
        Ok(draft)
    }

    /// Takes its fields out of a body that has others.
    pub(crate) fn take(fields: &mut Fields, agent: &Author) -> Result<Self, Fault> {
        let deliverable = fields.required_text("deliverable", MOST_IN_LABEL)?;
        let missing = fields.required_text("missing", MOST_IN_REASON)?;
        let why = fields.required_text("why", MOST_IN_REASON)?;
        let out = fields.text("or", MOST_IN_LABEL)?.unwrap_or_else(|| NO_THANKS.to_owned());
        if text::one_line(&out) == text::one_line(&deliverable) {
            return Err(Fault::invalid("or", "is the deliverable once more; it is the way out"));
        }
        let default = fields.parsed("default", read_default)?;
        let deadline = fields.value("deadline");
        if default.is_some() && deadline.is_none() {
            return Err(Fault::invalid("default", "needs a deadline: say when it applies, or leave it out"));
        }
        let source = fields.object("source")?.map(|source| read_source(Some(source), agent)).transpose()?;
        let default = deadline.is_some().then(|| Value::from(default.unwrap_or(DELIVERABLE)));
        let rest = [
            ("deadline", deadline),
            ("default", default),
            ("source", source.map(|source| json!(source))),
            ("id", fields.value("id")),
            ("wake", fields.value("wake")),
            ("publication_id", fields.value("publication_id")),
        ];
        let rest = rest.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        Ok(Self { deliverable, missing, why, out, rest })
    }

    /// The question that it is, about this request.
    ///
    /// # Errors
    /// A [`Fault`] of what a question's draft reads: `id`, `wake`, `publication_id`.
    pub fn question(&self, request: &Request, agent: &Author) -> Result<Draft, Fault> {
        let title = text::title(&request.title, 200);
        let mut body = json!({
            "purpose": "offer",
            "about": request.id,
            "text": format!(
                "A partial offer for '{title}': {}\nMissing: {}\nWhy: {}", self.deliverable, self.missing, self.why
            ),
            "options": [
                {"id": DELIVERABLE, "label": self.deliverable, "detail": format!("Partial, and marked as such. Missing: {}", self.missing)},
                {"id": OUT, "label": self.out},
            ],
        });
        for (name, value) in &self.rest {
            body[*name] = value.clone();
        }
        Draft::read(body, agent)
    }
}

fn read_default(text: &str) -> Result<&'static str, String> {
    match text {
        DELIVERABLE => Ok(DELIVERABLE),
        OUT => Ok(OUT),
        _ => Err(format!("is {DELIVERABLE} or {OUT}")),
    }
}
