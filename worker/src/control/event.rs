//! An event whose proof held. There is no other way to have one than a proof, so nothing unproved is ever handled.

use pager_questions::EventId;
use pager_questions::digest::hex;
use pager_questions::ids::NotAnId;

/// What proved an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProvedBy {
    /// A token of the pinned workflow.
    Token,
    /// A signature in the form of Standard Webhooks.
    Signature,
    /// GitHub's signature on what it sends to an App.
    App,
    /// The right to push to the branch that is watched.
    Push,
}

impl ProvedBy {
    /// For the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Signature => "signature",
            Self::App => "app",
            Self::Push => "push",
        }
    }
}

/// A proved event: its id and its body, which nobody looked at yet.
#[derive(Debug, Clone)]
pub struct VerifiedControlEvent {
    pub(super) id: EventId,
    /// The forwarded body, as bytes.
    pub(super) body: Vec<u8>,
    /// SHA-256 of the forwarded body, hex.
    pub(super) digest: String,
    pub(super) proved_by: ProvedBy,
    /// What of the proof counts for one event only.
    pub(super) once: Vec<String>,
}

impl VerifiedControlEvent {
    /// An event that lies as the file `events/<id>.json` on the watched branch: whoever may push there has proved it.
    ///
    /// # Errors
    /// [`NotAnId`] when the name of the file is no event's id.
    pub fn pushed(id: &str, body: Vec<u8>) -> Result<Self, NotAnId> {
        let digest = digest(&body);
        Ok(Self { id: EventId::parse_file_name(id)?, body, digest, proved_by: ProvedBy::Push, once: Vec::new() })
    }
}

/// SHA-256, hex in lower case.
pub(super) fn digest(bytes: &[u8]) -> String {
    hex(bytes)
}
