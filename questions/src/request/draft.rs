//! From a body to a request: every rule about what work may be asked for.

use serde_json::Value;

use crate::draft::{Bounds, deadline, read_issue};
use crate::fields::{Fault, Fields};
use crate::{By, Issue, Request, RequestId, Time, digest, text};

use super::{MOST_IN_TEXT, MOST_IN_TITLE};

/// The most tags of a request, and the most characters of one.
const MOST_TAGS: usize = 10;
const MOST_IN_TAG: usize = 50;

/// A request that was checked, before the service gives it its author and its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestDraft {
    /// The id that was chosen for it.
    pub id: Option<RequestId>,
    /// The caller's own identity for this act of asking.
    pub publication_id: Option<String>,
    /// What was read with a grain of salt, each a sentence for the caller.
    pub warnings: Vec<String>,
    title: String,
    text: String,
    tags: Vec<String>,
    deadline: Option<Time>,
    issue: Option<Issue>,
}

impl RequestDraft {
    /// Reads the body of `POST /v1/requests`: `{title, text, tags?, deadline?, issue?, id?, publication_id?}`.
    ///
    /// # Errors
    /// The first [`Fault`]: a broken rule, or an unknown field.
    pub fn read(body: Value) -> Result<Self, Fault> {
        let mut fields = Fields::of(body)?;
        let mut warnings = Vec::new();
        let draft = Self {
            id: fields.parsed("id", RequestId::parse)?,
            title: text::one_line(&fields.required_text("title", MOST_IN_TITLE)?),
            text: fields.required_text("text", MOST_IN_TEXT)?,
            tags: read_tags(&mut fields)?,
            deadline: deadline::read_alone(&mut fields, &mut warnings),
            issue: fields.object("issue")?.map(read_issue).transpose()?,
            publication_id: fields.text("publication_id", 200)?,
            warnings,
        };
        fields.finish()?;
        Ok(draft)
    }

    /// The draft with its deadline held to the operator's bounds, as a question's is.
    ///
    /// # Errors
    /// A [`Fault`] for one that comes too late.
    pub fn within(&self, bounds: &Bounds, now: Time) -> Result<Self, Fault> {
        let mut held = self.clone();
        deadline::hold(&mut held.deadline, &mut held.warnings, bounds, now)?;
        Ok(held)
    }

    /// The request, asked.
    pub fn ask(&self, id: RequestId, from: By, at: Time) -> Request {
        Request {
            id,
            from,
            title: self.title.clone(),
            text: self.text.clone(),
            tags: self.tags.clone(),
            deadline: self.deadline,
            issue: self.issue.clone(),
            about: None,
            at,
        }
    }

    /// Tells two drafts apart: a hash of what they ask for, without times. 64 hex digits.
    pub fn fingerprint(&self) -> String {
        print(&self.title, &self.text, &self.tags, self.issue.as_ref())
    }
}

/// The fingerprint of the draft that this was.
pub fn fingerprint(request: &Request) -> String {
    print(&request.title, &request.text, &request.tags, request.issue.as_ref())
}

fn print(title: &str, text: &str, tags: &[String], issue: Option<&Issue>) -> String {
    digest::hex(serde_json::to_vec(&(title, text, tags, issue)).expect("a draft is plain JSON"))
}

fn read_tags(fields: &mut Fields) -> Result<Vec<String>, Fault> {
    let tags = fields.texts("tags", MOST_IN_TAG)?.unwrap_or_default();
    if tags.len() > MOST_TAGS {
        return Err(Fault::invalid("tags", format!("has {}; at most {MOST_TAGS} are taken", tags.len())));
    }
    for (index, tag) in tags.iter().enumerate() {
        let path = format!("tags[{index}]");
        if !is_tag(tag) {
            return Err(Fault::invalid(path, "has a space, a comma or something that cannot be seen; write it like cap:rust"));
        }
        if tags[..index].contains(tag) {
            return Err(Fault::invalid(path, format!("is {tag} a second time")));
        }
    }
    Ok(tags)
}

/// A word that lists of words can hold.
pub fn is_tag(tag: &str) -> bool {
    !tag.is_empty() && !tag.chars().any(|character| character == ',' || text::shows_nothing(character))
}
