//! What agents published for the owner, as lists show it.

use pager_questions::{Author, Update};

use super::Cursor;

/// Which updates a list shows.
#[derive(Debug, Clone)]
pub struct UpdateListing {
    /// Only this source's.
    pub source: Option<Author>,
    /// In which states.
    pub shown: ShownUpdates,
    /// At most this many.
    pub limit: u32,
    /// Only what comes after this place in the order.
    pub after: Option<Cursor>,
}

/// In which states they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownUpdates {
    /// Unread and read ones.
    NotDismissed,
    /// Unread ones.
    Unread,
    /// Read ones.
    Read,
    /// Dismissed ones.
    Dismissed,
    /// All that are kept.
    All,
}

/// An update and its place in the list it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedUpdate {
    /// The update.
    pub update: Update,
    /// Its place; never hard.
    pub cursor: Cursor,
}
