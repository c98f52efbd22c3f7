//! Idempotency keys of owners' writes: what was decided under which, so that a repetition is not a second decision.

use pager_questions::{Incarnation, Time};

/// A key that was used. Stored in the same transaction as the claim that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedKey {
    /// Whose key it is: `by.id` of whoever decided.
    pub actor: String,
    /// The key.
    pub key: String,
    /// The record that was claimed.
    pub incarnation: Incarnation,
    /// What the call does: `answer`, `decline`, `cancel`.
    pub kind: String,
    /// SHA-256 of the call's question, kind and body, hex.
    pub digest: String,
    /// When.
    pub at: Time,
}
