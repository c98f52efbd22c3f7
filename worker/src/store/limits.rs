//! How much of one source is live at a time, and the refusal of what does not fit.

/// The most that one source may have live: pending records, and settled ones that are still in its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most records; 0 for no limit.
    pub records: u32,
    /// The most bytes of records as they are stored, and [`SPARE_BYTES`] for each; 0 for no limit.
    pub bytes: u32,
}

/// Counted for each record beside its own bytes, for what is stamped on it later.
pub const SPARE_BYTES: u32 = 100;

/// So many of a source's newest settled records stay in its window.
pub const SETTLED_THAT_STAY: u32 = 32;

impl Limits {
    /// No limit at all.
    pub const NONE: Self = Self { records: 0, bytes: 0 };
}

impl Default for Limits {
    fn default() -> Self {
        Self { records: 256, bytes: 512_000 }
    }
}

/// What limits count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Questions and updates of a source.
    Records,
    /// What somebody asks agents for, until it is answered or over.
    Requests,
    /// What one party writes into one thread.
    Replies,
}

/// A new record does not fit, also after every settled one was pushed out that may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full {
    /// What there is no room for.
    pub of: Kept,
    /// The limits that apply.
    pub limits: Limits,
    /// How many records are live.
    pub records: u64,
    /// How many bytes they have, the spare ones included.
    pub bytes: u64,
    /// How many bytes the new one needs, the spare ones included.
    pub asked: u64,
}

impl Full {
    /// Whether it is the number of records that is reached; else it is their size.
    pub fn is_of_records(&self) -> bool {
        self.limits.records != 0 && self.records >= u64::from(self.limits.records)
    }
}
