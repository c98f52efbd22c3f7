//! Why the service did not do what a door asked for.

use pager_questions::Record;
use pager_questions::apply::Refusal;
use pager_questions::fields::Fault;

use crate::store::{Full, StoreError};

/// What went wrong, in terms that every door can translate.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The body breaks a rule.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The state of the question does not allow it; the record says what happened.
    #[error("{0}")]
    Refused(Refusal, Box<Record>),
    /// No such question for this caller.
    #[error("no such question")]
    NotFound,
    /// It is put to somebody else.
    #[error("the question is not put to the caller")]
    NotPutToYou,
    /// The id was used before, for something else or by somebody else.
    #[error("the id was used before")]
    IdUsed,
    /// The same publication with another draft.
    #[error("the draft is not the one that was published under this identity")]
    DraftChanged,
    /// The id lives, but it is another record than the one named.
    #[error("the record is not the one that was named")]
    IncarnationMismatch,
    /// The record has changed since the revision that was named.
    #[error("the record has another revision than the one that was named")]
    RevisionConflict,
    /// Its source has no room for another record.
    #[error("the source has no room for another record")]
    Capacity(Full),
    /// The idempotency key stands for another call.
    #[error("the idempotency key was used for another call")]
    KeyReused,
    /// The words look like this kind of secret, and nobody said that they are meant.
    #[error("the words look like {0}")]
    LooksSecret(&'static str),
    /// The digest is not the approved one.
    #[error("the digest is not the approved one")]
    DigestMismatch,
    /// The caller's token was revoked in between.
    #[error("the caller's right was taken back")]
    Revoked,
    /// Its source has no room for another update.
    #[error("the source has no room for another update")]
    FullOfNews(Full),
    /// Others keep changing the same record.
    #[error("the record is being changed by others all the time")]
    Busy,
    /// The store or the answers repository cannot be used.
    #[error("{0}")]
    Unusable(String),
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict => Self::Busy,
            StoreError::Revoked => Self::Revoked,
            StoreError::Full(full) => Self::Capacity(full),
            StoreError::KeyUsed => Self::KeyReused,
            StoreError::Unusable(reason) => Self::Unusable(reason),
        }
    }
}
