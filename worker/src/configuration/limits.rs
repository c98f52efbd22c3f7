//! How much of one source is live, and for how long the history is kept.

use std::time::Duration;

use super::reader::Reader;
use crate::store::Limits as Most;

/// `limits.*` and `history.*`
#[derive(Debug)]
pub struct Limits {
    /// How much of one source is live.
    pub of_a_source: Most,
    /// For how long an ended record stays in the history; None for ever.
    pub history_keep: Option<Duration>,
}

impl Limits {
    pub(super) fn read(reader: &mut Reader) -> Self {
        let usual = Most::default();
        let mut number = |key: &str, usual: u32| reader.parsed(key, "a whole number; 0 is no limit").unwrap_or(usual);
        let of_a_source = Most { records: number("limits.records", usual.records), bytes: number("limits.bytes", usual.bytes) };
        Self { of_a_source, history_keep: reader.duration("history.keep", "a time like 90d, or never for ever") }
    }
}
