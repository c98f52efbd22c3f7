//! Where the answer to one question lies in a repository of answers.
//! A path is made from a valid question id only, so that no id can point anywhere else.

use std::fmt;

use sha2::{Digest, Sha256};

/// The longest question id, in bytes.
const LONGEST_ID: usize = 64;

/// The path of one answer, made from the id of its question.
///
/// Displays as `answers/<id>.json`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AnswerPath {
    id: String,
}

/// An id that no question can have, and so no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "id: {id:?} is not a question id; use 1 to 64 of a-z, 0-9 and '-', beginning with a letter or a digit, such as \"rel-42\""
)]
pub struct InvalidId {
    /// What was given, cut to 80 characters.
    pub id: String,
}

impl AnswerPath {
    /// The path for `id`: `[a-z0-9][a-z0-9-]{0,63}` and nothing else.
    ///
    /// # Errors
    ///
    /// [`InvalidId`] for anything that is not a question id.
    pub fn new(id: impl AsRef<str>) -> Result<Self, InvalidId> {
        let id = id.as_ref();
        if is_question_id(id) { Ok(Self { id: id.to_owned() }) } else { Err(InvalidId { id: id.chars().take(80).collect() }) }
    }

    /// The id of the question.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name within its folder: `<id>.json`.
    pub fn file_name(&self) -> String {
        format!("{}.json", self.id)
    }

    /// Where the answer lies once it is archived: `archive/<first two hex digits of sha256(id)>/<id>.json`.
    pub fn archived(&self) -> String {
        format!("archive/{}/{}.json", self.archive_part(), self.id)
    }

    /// The folder of the archive that it goes into: the first two hex digits of sha256(id).
    pub fn archive_part(&self) -> String {
        let first = Sha256::digest(self.id.as_bytes())[0];
        format!("{first:02x}")
    }

    /// The path of a file called `name` in a folder of answers, when the name is one of an answer.
    pub fn from_file_name(name: &str) -> Option<Self> {
        Self::new(name.strip_suffix(".json")?).ok()
    }
}

impl fmt::Display for AnswerPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "answers/{}.json", self.id)
    }
}

fn is_question_id(id: &str) -> bool {
    let letter_or_digit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    id.len() <= LONGEST_ID
        && id.bytes().next().is_some_and(letter_or_digit)
        && id.bytes().all(|byte| letter_or_digit(byte) || byte == b'-')
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_id_becomes_its_two_places() {
        let path = AnswerPath::new("rel-42").unwrap();
        assert_eq!(path.to_string(), "answers/rel-42.json");
        // printf rel-42 | sha256sum
        assert_eq!(path.archived(), "archive/68/rel-42.json");
        assert_eq!(AnswerPath::from_file_name("rel-42.json"), Some(path));
        assert_eq!(AnswerPath::from_file_name("README.md"), None);
    }

    #[test]
    fn the_longest_id_is_64_bytes() {
        assert!(AnswerPath::new("a".repeat(64)).is_ok());
        assert!(AnswerPath::new("a".repeat(65)).is_err());
    }

    #[test]
    fn a_refusal_names_the_field_and_stays_short() {
        let words = AnswerPath::new("../".repeat(1000)).unwrap_err().to_string();
        assert!(words.starts_with("id: "), "{words}");
        assert!(words.len() < 300, "{words}");
    }
}
