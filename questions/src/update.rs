//! News of an agent for the owner. It needs no answer: it is read, or dismissed, and nothing else follows from either.

mod draft;

use serde::{Deserialize, Serialize};

use crate::{Incarnation, Issue, Source, Time, UpdateId};

pub use draft::UpdateDraft;

/// An update, as it is stored and as every door shows it: its state stands in three flat fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Update {
    /// `u-` and 16 hex digits, made by the service.
    pub id: UpdateId,
    /// 1 to 200 characters, not blank, as received.
    pub title: String,
    /// 1 to 2000 characters, not blank, as received.
    pub body: String,
    /// At most 8 links to follow; nothing fetches them.
    pub links: Vec<UpdateLink>,
    /// At most 8 pictures, recordings and the like, by address; nothing fetches them.
    pub media: Vec<UpdateMedia>,
    /// The issue it belongs to.
    pub issue: Option<Issue>,
    /// Who publishes it.
    pub source: Source,
    /// When it was published, by the service's clock.
    pub at: Time,
    /// Whether the owner has read or dismissed it.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = Stamps))]
    pub state: UpdateState,
    /// The caller's own identity for this act of publishing.
    pub publication_id: Option<String>,
}

/// A link to follow; no authority.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UpdateLink {
    /// 1 to 200 characters.
    pub label: String,
    /// http or https; at most 2000 characters.
    pub url: String,
}

/// Something to look at or to listen to, by its address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UpdateMedia {
    /// http or https; at most 2000 characters.
    pub url: String,
    /// Like `image/png`; at most 100 characters.
    pub mime_type: String,
    /// What it shows, in at most 200 characters.
    pub alt: Option<String>,
}

/// What the owner did with it. It only ever moves on: unread, read, dismissed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stamps", into = "Stamps")]
pub enum UpdateState {
    /// Nothing yet.
    Unread,
    /// Read.
    Read {
        /// When.
        at: Time,
    },
    /// Done with, read before or not.
    Dismissed {
        /// When.
        at: Time,
        /// When it was read, if it was.
        read_at: Option<Time>,
    },
}

/// What an owner does with an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It was read.
    Read,
    /// It is done with.
    Dismiss,
}

impl Update {
    /// The same update once the owner did this. Both can be repeated, and reading a dismissed one changes nothing.
    pub fn marked(&self, mark: Mark, at: Time) -> Self {
        let state = match (mark, self.state) {
            (Mark::Read, UpdateState::Unread) => UpdateState::Read { at },
            (Mark::Dismiss, UpdateState::Unread) => UpdateState::Dismissed { at, read_at: None },
            (Mark::Dismiss, UpdateState::Read { at: read_at }) => UpdateState::Dismissed { at, read_at: Some(read_at) },
            (Mark::Read, UpdateState::Read { .. } | UpdateState::Dismissed { .. })
            | (Mark::Dismiss, UpdateState::Dismissed { .. }) => self.state,
        };
        Self { state, ..self.clone() }
    }

    /// Tells two drafts apart: a hash of the canonical form without id, time, state and publication. 64 hex digits.
    pub fn fingerprint(&self) -> String {
        let plain = Self {
            id: UpdateId::of(&Incarnation::from_random([0; 8])),
            at: Time::from_millis(0),
            state: UpdateState::Unread,
            publication_id: None,
            ..self.clone()
        };
        draft::print(&plain)
    }
}

impl UpdateState {
    /// Its wire name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unread => UNREAD,
            Self::Read { .. } => READ,
            Self::Dismissed { .. } => DISMISSED,
        }
    }

    /// When it was dismissed, if it was.
    pub fn dismissed_at(self) -> Option<Time> {
        match self {
            Self::Dismissed { at, .. } => Some(at),
            Self::Unread | Self::Read { .. } => None,
        }
    }
}

const UNREAD: &str = "unread";
const READ: &str = "read";
const DISMISSED: &str = "dismissed";

/// A state on the wire.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
struct Stamps {
    /// `unread`, `read` or `dismissed`.
    state: String,
    /// When it was read.
    read_at: Option<Time>,
    /// When it was dismissed.
    dismissed_at: Option<Time>,
}

impl From<UpdateState> for Stamps {
    fn from(state: UpdateState) -> Self {
        let (read_at, dismissed_at) = match state {
            UpdateState::Unread => (None, None),
            UpdateState::Read { at } => (Some(at), None),
            UpdateState::Dismissed { at, read_at } => (read_at, Some(at)),
        };
        Self { state: state.name().to_owned(), read_at, dismissed_at }
    }
}

impl TryFrom<Stamps> for UpdateState {
    type Error = &'static str;

    fn try_from(stamps: Stamps) -> Result<Self, &'static str> {
        match (stamps.state.as_str(), stamps.read_at, stamps.dismissed_at) {
            (UNREAD, None, None) => Ok(Self::Unread),
            (READ, Some(at), None) => Ok(Self::Read { at }),
            (DISMISSED, read_at, Some(at)) => Ok(Self::Dismissed { at, read_at }),
            _ => Err("its state and its times do not fit together"),
        }
    }
}
