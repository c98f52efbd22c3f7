//! How much one source may have in the store.

/// For each source and each kind of thing by itself; 0 is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many.
    pub records: u64,
    /// Their serialised bytes, with [`SPARE_BYTES`] for each.
    pub bytes: u64,
}

/// What is counted for each thing beside its bytes, for stamps that it gets later.
pub const SPARE_BYTES: u64 = 100;

impl Default for Limits {
    fn default() -> Self {
        Self { records: 256, bytes: 512_000 }
    }
}

impl Limits {
    /// Are so many with so many bytes within it?
    pub fn hold(self, records: u64, bytes: u64) -> bool {
        let within = |limit: u64, count: u64| limit == 0 || count <= limit;
        within(self.records, records) && within(self.bytes, bytes)
    }
}
