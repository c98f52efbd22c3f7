//! Files of events on the watched branch that were dealt with.

/// One file. It was dealt with for as long as its content is this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFile {
    /// Its name in the folder of events.
    pub name: String,
    /// Names its bytes.
    pub content: String,
    /// It was no event that could be taken.
    pub is_refused: bool,
}
