//! What stands in the thread of a request: answers of others, further messages of its author, and picks that came too late.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fields::{Fault, Fields};
use crate::request::{MOST_IN_TEXT, MOST_IN_TITLE};
use crate::{By, Incarnation, Party, QuestionId, ReplyId, Request, RequestId, Time, digest, text};

/// One message of a thread, as it is stored and as every door shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reply {
    /// `y-` and 16 hex digits, made by the service.
    pub id: ReplyId,
    /// The request in whose thread it stands.
    pub request: RequestId,
    /// What kind of message.
    pub kind: ReplyKind,
    /// Who wrote it.
    pub author: By,
    /// One line of at most 200 characters; null where whoever wrote it gave none.
    pub title: Option<String>,
    /// 1 to 4096 characters, as received.
    pub text: String,
    /// The offer that a late pick is about.
    pub offer: Option<QuestionId>,
    /// When it was written.
    pub at: Time,
}

/// What kind of message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReplyKind {
    /// Somebody else's answer: the request is answered from then on.
    Answer,
    /// A further message of whoever asked.
    Message,
    /// What was picked of an offer after its default held.
    LatePick,
}

impl ReplyKind {
    /// What this party writes into that thread: an answer, unless it is its own.
    pub fn of(party: &Party, request: &Request) -> Self {
        if *party == request.party() { Self::Message } else { Self::Answer }
    }
}

/// A reply that was checked, before the service gives it its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyDraft {
    /// One line; None where there is none.
    pub title: Option<String>,
    /// The text.
    pub text: String,
    /// The caller's own identity for this act of replying.
    pub publication_id: Option<String>,
}

impl ReplyDraft {
    /// Reads the body of `POST /v1/requests/{id}/replies`: `{title, text, publication_id?}`.
    ///
    /// # Errors
    /// The first [`Fault`]: a broken rule, or an unknown field.
    pub fn read(body: Value) -> Result<Self, Fault> {
        let mut fields = Fields::of(body)?;
        let draft = Self::take(&mut fields)?;
        fields.finish()?;
        Ok(draft)
    }

    /// Takes its fields out of a body that has others.
    pub(crate) fn take(fields: &mut Fields) -> Result<Self, Fault> {
        Ok(Self {
            title: Some(text::one_line(&fields.required_text("title", MOST_IN_TITLE)?)),
            text: fields.required_text("text", MOST_IN_TEXT)?,
            publication_id: fields.text("publication_id", 200)?,
        })
    }

    /// The reply, in its place. `key` names it.
    pub fn reply(&self, key: &Incarnation, request: &Request, author: By, kind: ReplyKind, at: Time) -> Reply {
        let (title, text) = (self.title.clone(), self.text.clone());
        Reply { id: ReplyId::of(key), request: request.id.clone(), kind, author, title, text, offer: None, at }
    }

    /// Tells two drafts apart. 64 hex digits.
    pub fn fingerprint(&self) -> String {
        print(self.title.as_deref(), &self.text)
    }
}

/// The fingerprint of the draft that this was.
pub fn fingerprint(reply: &Reply) -> String {
    print(reply.title.as_deref(), &reply.text)
}

fn print(title: Option<&str>, text: &str) -> String {
    digest::hex(serde_json::to_vec(&(title, text)).expect("a draft is plain JSON"))
}
