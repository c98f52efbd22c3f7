//! An entry of the decision log: a page beside an answer, entered once and never changed.
//! Its path is made from a date and a question id only, so that no name can point anywhere else.

use std::fmt;

use crate::AnswerPath;

/// The folder of the log.
pub(crate) const DECISIONS: &str = "decisions";

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it goes.
    pub name: EntryName,
    /// The page, whole.
    pub bytes: Vec<u8>,
}

/// The name of an entry: `<date>-<id>.md`. Displays as its path, `decisions/<date>-<id>.md`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryName(String);

/// What cannot be the name of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an entry is named by a date and the id of a question, like 2026-11-30-rel-42.md")]
pub struct InvalidName;

impl EntryName {
    /// Reads `<YYYY>-<MM>-<DD>-<id>.md`.
    ///
    /// # Errors
    /// [`InvalidName`] for anything else.
    pub fn new(name: &str) -> Result<Self, InvalidName> {
        let digits = |text: &str| {
            text.bytes().enumerate().all(|(place, byte)| match place {
                4 | 7 | 10 => byte == b'-',
                _ => byte.is_ascii_digit(),
            })
        };
        let (date, rest) = name.split_at_checked(11).ok_or(InvalidName)?;
        let is_one = digits(date) && rest.strip_suffix(".md").is_some_and(|id| AnswerPath::new(id).is_ok());
        if is_one { Ok(Self(name.to_owned())) } else { Err(InvalidName) }
    }

    /// The name within the folder.
    pub fn file_name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{DECISIONS}/{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_name_is_a_date_and_an_id_and_nothing_else() {
        assert_eq!(EntryName::new("2026-11-30-rel-42.md").unwrap().to_string(), "decisions/2026-11-30-rel-42.md");
        for other in [
            "",
            "rel-42.md",
            "2026-11-30-.md",
            "2026-11-30-rel-42",
            "2026-11-30-../x.md",
            "2026-1-30-rel-42.md",
            "2026-11-3ä-a.md",
        ] {
            assert_eq!(EntryName::new(other), Err(InvalidName), "{other:?}");
        }
    }
}
