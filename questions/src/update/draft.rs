//! From a body to an update: every rule about what may be published.

use serde_json::Value;

use super::{Update, UpdateLink, UpdateMedia, UpdateState};
use crate::draft::{read_issue, read_source};
use crate::fields::{Fault, Fields};
use crate::{Author, Incarnation, Time, UpdateId, digest};

/// The most links, and the most media.
const MOST_ATTACHED: usize = 8;

/// An update that was checked, before the service gives it its id and its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateDraft(Update);

impl UpdateDraft {
    /// Reads the body of `POST /v1/updates`. `agent` is whom the caller proved to be; a name in the body is not looked at.
    ///
    /// # Errors
    /// The first [`Fault`]: a broken rule, or an unknown field.
    pub fn read(body: Value, agent: &Author) -> Result<Self, Fault> {
        let mut fields = Fields::of(body)?;
        let update = Update {
            title: fields.required_text("title", 200)?,
            body: fields.required_text("body", 2000)?,
            links: at_most("links", fields.objects("links")?)?.into_iter().map(read_link).collect::<Result<_, _>>()?,
            media: at_most("media", fields.objects("media")?)?.into_iter().map(read_media).collect::<Result<_, _>>()?,
            issue: fields.object("issue")?.map(read_issue).transpose()?,
            source: read_source(fields.object("source")?, agent)?,
            publication_id: fields.text("publication_id", 200)?,
            state: UpdateState::Unread,
            // Replaced by `publish`; a draft has neither id nor time of its own.
            id: UpdateId::of(&Incarnation::from_random([0; 8])),
            at: Time::from_millis(0),
        };
        fields.finish()?;
        Ok(Self(update))
    }

    /// The update, published: with its id and its time. `key` is random and names it.
    pub fn publish(&self, key: &Incarnation, at: Time) -> Update {
        Update { id: UpdateId::of(key), at, ..self.0.clone() }
    }

    /// The caller's own identity for this act of publishing.
    pub fn publication_id(&self) -> Option<&str> {
        self.0.publication_id.as_deref()
    }

    /// See [`Update::fingerprint`].
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }
}

pub(super) fn print(plain: &Update) -> String {
    let canonical = serde_jcs::to_vec(plain).expect("an update is plain JSON");
    digest::hex(canonical)
}

fn at_most(name: &str, list: Vec<Fields>) -> Result<Vec<Fields>, Fault> {
    match list.len() {
        0..=MOST_ATTACHED => Ok(list),
        count => Err(Fault::invalid(name, format!("has {count}; an update takes at most {MOST_ATTACHED}"))),
    }
}

fn read_link(mut fields: Fields) -> Result<UpdateLink, Fault> {
    let link = UpdateLink { label: fields.required_text("label", 200)?, url: fields.required_link("url")? };
    fields.finish()?;
    Ok(link)
}

fn read_media(mut fields: Fields) -> Result<UpdateMedia, Fault> {
    let (url, mime_type, alt) = (fields.required_link("url")?, fields.required_text("mime_type", 100)?, fields.text("alt", 200)?);
    if !is_mime_type(&mime_type) {
        return Err(Fault::invalid(fields.path_of("mime_type"), "is a type and a subtype, like image/png"));
    }
    fields.finish()?;
    Ok(UpdateMedia { url, mime_type, alt })
}

/// A type, a slash and a subtype of the characters that RFC 6838 names; no parameters.
fn is_mime_type(text: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphanumeric())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    text.split_once('/').is_some_and(|(kind, subtype)| is_name(kind) && is_name(subtype))
}
