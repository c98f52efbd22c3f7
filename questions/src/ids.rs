//! Identifiers as types of their own. Parsing is the only way in, so whoever holds one need not check it again.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a text is not an identifier of the kind asked for; the text says what one looks like.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAnId(&'static str);

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident, $rule:expr, $shape:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Reads one.
            ///
            /// # Errors
            /// [`NotAnId`] when the text has another shape.
            pub fn parse(text: &str) -> Result<Self, NotAnId> {
                let rule: fn(&str) -> bool = $rule;
                if rule(text) { Ok(Self(text.to_owned())) } else { Err(NotAnId($shape)) }
            }

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = NotAnId;
            fn try_from(text: String) -> Result<Self, NotAnId> {
                Self::parse(&text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

identifier!(
    /// The id of a question: `[a-z0-9][a-z0-9-]{0,63}`. It becomes a path in the answers repository.
    QuestionId,
    |text| {
        let bytes = text.as_bytes();
        (1..=64).contains(&bytes.len()) && bytes[0] != b'-' && bytes.iter().all(|byte| lower_or_digit(*byte) || *byte == b'-')
    },
    "an id is 1 to 64 of a-z, 0-9 and -, and does not begin with -"
);

identifier!(
    /// The service's own name of one record: 16 lower-case hex digits.
    Incarnation,
    |text| text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')),
    "an incarnation is 16 hex digits in lower case"
);

identifier!(
    /// The id of an option: `[a-z0-9_-]{1,32}`.
    OptionId,
    |text| {
        (1..=32).contains(&text.len()) && text.bytes().all(|byte| lower_or_digit(byte) || matches!(byte, b'_' | b'-'))
    },
    "an option's id is 1 to 32 of a-z, 0-9, _ and -"
);

identifier!(
    /// The name of an agent: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`. Given to its token by the operator.
    AgentName,
    |text| {
        let bytes = text.as_bytes();
        (1..=64).contains(&bytes.len())
            && bytes[0].is_ascii_alphanumeric()
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    },
    "a name is 1 to 64 of letters, digits, '.', '_' and '-', and begins with a letter or digit"
);

identifier!(
    /// The name of a wake target, given by the operator: `[a-z0-9][a-z0-9_-]{0,63}`.
    WakeName,
    |text| {
        let bytes = text.as_bytes();
        (1..=64).contains(&bytes.len())
            && lower_or_digit(bytes[0])
            && bytes.iter().all(|byte| lower_or_digit(*byte) || matches!(byte, b'_' | b'-'))
    },
    "the name of a wake target is 1 to 64 of a-z, 0-9, _ and -, and begins with a letter or digit"
);

fn lower_or_digit(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

impl Incarnation {
    /// Makes one of 8 random bytes.
    pub fn from_random(bytes: [u8; 8]) -> Self {
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl QuestionId {
    /// Makes an id of 10 random bytes, for an agent that did not choose one: `q-` and 16 letters and digits.
    pub fn from_random(bytes: [u8; 10]) -> Self {
        const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let number = bytes.iter().fold(0u128, |number, byte| (number << 8) | u128::from(*byte));
        let digits = (0..16).map(|place| char::from(DIGITS[((number >> (place * 5)) & 31) as usize]));
        Self(format!("q-{}", digits.collect::<String>()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_never_a_path_trick() {
        for hostile in ["", "..", "../x", "a/b", "-a", "A", "ä", "a.json", "a b", "a\0", &"a".repeat(65)] {
            assert!(QuestionId::parse(hostile).is_err(), "{hostile:?}");
        }
        for fine in ["a", "0", "rel-42", "a-", &"a".repeat(64)] {
            assert!(QuestionId::parse(fine).is_ok(), "{fine:?}");
        }
    }

    #[test]
    fn made_ids_have_the_shape_that_is_asked_of_others() {
        for bytes in [[0; 10], [255; 10], [7; 10]] {
            let id = QuestionId::from_random(bytes);
            assert_eq!(QuestionId::parse(id.as_str()), Ok(id));
        }
        assert!(Incarnation::parse(Incarnation::from_random([1; 8]).as_str()).is_ok());
    }
}
