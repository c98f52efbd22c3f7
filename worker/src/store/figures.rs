//! How much of everything the store holds, for those who watch pagerd.

use pager_questions::Time;

/// Counts of one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// Open questions.
    pub open: u64,
    /// Answers that are being saved.
    pub answering: u64,
    /// Of those, the ones whose save has an unknown outcome.
    pub uncertain: u64,
    /// Published updates that nobody has read.
    pub unread: u64,
    /// Rows of the outbox by kind and state, and how many.
    pub jobs: Vec<(String, String, u64)>,
    /// When the oldest row that is still to be done was stored.
    pub oldest_job: Option<Time>,
    /// Events for the control repository by type and state, and how many.
    pub dispatches: Vec<(String, String, u64)>,
    /// When the oldest of them that still waits was stored.
    pub oldest_dispatch: Option<Time>,
    /// Updates by state, and how many; handled ones are forgotten after days.
    pub updates: Vec<(String, u64)>,
}
