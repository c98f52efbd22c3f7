//! Identifiers as types of their own. Parsing is the only way in, so whoever holds one need not check it again.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a text is not an identifier of the kind asked for; the text says what one looks like.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAnId(&'static str);

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident, $rule:expr, $pattern:literal, $shape:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "schema", schema(value_type = String, pattern = $pattern))]
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
    "^[a-z0-9][a-z0-9-]{0,63}$",
    "an id is 1 to 64 of a-z, 0-9 and -, and does not begin with -"
);

identifier!(
    /// The id of a request, of one name space with those of questions: `[a-z0-9][a-z0-9-]{0,63}`; made by the service it is `r-`
    /// and 16 hex digits.
    RequestId,
    |text| QuestionId::parse(text).is_ok(),
    "^[a-z0-9][a-z0-9-]{0,63}$",
    "the id of a request is 1 to 64 of a-z, 0-9 and -, and does not begin with -"
);

identifier!(
    /// What a question can be about: the id of a request or of another question.
    ThreadId,
    |text| QuestionId::parse(text).is_ok(),
    "^[a-z0-9][a-z0-9-]{0,63}$",
    "the id of a request or question is 1 to 64 of a-z, 0-9 and -, and does not begin with -"
);

identifier!(
    /// The id of a reply: `y-` and 16 lower-case hex digits, made by the service.
    ReplyId,
    |text| text.strip_prefix(REPLY).is_some_and(|key| Incarnation::parse(key).is_ok()),
    "^y-[0-9a-f]{16}$",
    "the id of a reply is y- and 16 hex digits in lower case"
);

identifier!(
    /// The service's own name of one record: 16 lower-case hex digits.
    Incarnation,
    |text| text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')),
    "^[0-9a-f]{16}$",
    "an incarnation is 16 hex digits in lower case"
);

identifier!(
    /// The id of an update: `u-` and 16 lower-case hex digits, made by the service.
    UpdateId,
    |text| text.strip_prefix(UPDATE).is_some_and(|key| Incarnation::parse(key).is_ok()),
    "^u-[0-9a-f]{16}$",
    "the id of an update is u- and 16 hex digits in lower case"
);

identifier!(
    /// The id of an option: `[a-z0-9_-]{1,32}`.
    OptionId,
    |text| {
        (1..=32).contains(&text.len()) && text.bytes().all(|byte| lower_or_digit(byte) || matches!(byte, b'_' | b'-'))
    },
    "^[a-z0-9_-]{1,32}$",
    "an option's id is 1 to 32 of a-z, 0-9, _ and -"
);

identifier!(
    /// The name of an agent: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`. Given to its token by the operator.
    AgentName,
    |text| text != CONTROL && is_name(text),
    "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
    "a name is 1 to 64 of letters, digits, '.', '_' and '-', begins with a letter or digit, and is not control"
);

identifier!(
    /// Whose questions are whose: an agent's own name, or `control` and `control/<agent>` for what came through the control
    /// repository, where the agent's name is only the maintainer's word. No agent with a token is ever called like the latter.
    Author,
    |text| {
        let by_word = text.strip_prefix(CONTROL).and_then(|rest| rest.strip_prefix('/'));
        text == CONTROL || AgentName::parse(by_word.unwrap_or(text)).is_ok()
    },
    "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(/[A-Za-z0-9][A-Za-z0-9._-]{0,63})?$",
    "an author is the name of an agent, control, or control/ and the name of an agent"
);

identifier!(
    /// The id of an event from outside: `[A-Za-z0-9._:-]{1,100}`, best a UUID. No path is made of it.
    EventId,
    |text| {
        (1..=100).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'-'))
    },
    "^[A-Za-z0-9._:-]{1,100}$",
    "an event's id is 1 to 100 of letters, digits, '.', '_', ':' and '-', and is best a UUID"
);

identifier!(
    /// The name of a wake target, given by the operator: `[a-z0-9][a-z0-9_-]{0,63}`.
    WakeName,
    given_by_the_operator,
    "^[a-z0-9][a-z0-9_-]{0,63}$",
    "the name of a wake target is 1 to 64 of a-z, 0-9, _ and -, and begins with a letter or digit"
);

identifier!(
    /// The category of a reserved action, such as `merge`; the operator may add more: `[a-z0-9][a-z0-9_-]{0,63}`.
    GateCategory,
    given_by_the_operator,
    "^[a-z0-9][a-z0-9_-]{0,63}$",
    "a category is 1 to 64 of a-z, 0-9, _ and -, and begins with a letter or digit, such as merge or spend"
);

/// What the id of an update begins with.
const UPDATE: &str = "u-";
/// What the id of a reply begins with.
const REPLY: &str = "y-";
/// What the id of a request begins with that the service made.
const REQUEST: &str = "r-";

/// The author of what came through the control repository without an agent's name.
const CONTROL: &str = "control";

fn given_by_the_operator(text: &str) -> bool {
    let bytes = text.as_bytes();
    (1..=64).contains(&bytes.len())
        && lower_or_digit(bytes[0])
        && bytes.iter().all(|byte| lower_or_digit(*byte) || matches!(byte, b'_' | b'-'))
}

fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    (1..=64).contains(&bytes.len())
        && bytes[0].is_ascii_alphanumeric()
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

fn lower_or_digit(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

impl Author {
    /// Whoever came through the control repository: the agent at the maintainer's word, or nobody in particular.
    pub fn through_control(agent: Option<&AgentName>) -> Self {
        Self(agent.map_or_else(|| CONTROL.to_owned(), |agent| format!("{CONTROL}/{agent}")))
    }

    /// Did it come through the control repository?
    pub fn is_through_control(&self) -> bool {
        self.0 == CONTROL || self.0.strip_prefix(CONTROL).is_some_and(|rest| rest.starts_with('/'))
    }
}

impl From<AgentName> for Author {
    fn from(name: AgentName) -> Self {
        Self(name.0)
    }
}

impl EventId {
    /// Reads one that is the name of a file on the branch of events, without its ending: `[A-Za-z0-9][A-Za-z0-9_-]{7,63}`.
    ///
    /// # Errors
    /// [`NotAnId`] when the text has another shape.
    pub fn parse_file_name(text: &str) -> Result<Self, NotAnId> {
        let bytes = text.as_bytes();
        let is_one = (8..=64).contains(&bytes.len())
            && bytes[0].is_ascii_alphanumeric()
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let shape = "an event's id is 8 to 64 of letters, digits, _ and -, begins with a letter or digit, and is best a UUID";
        if is_one { Self::parse(text) } else { Err(NotAnId(shape)) }
    }
}

impl Incarnation {
    /// Makes one of 8 random bytes.
    pub fn from_random(bytes: [u8; 8]) -> Self {
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl UpdateId {
    /// The id of the update with this key.
    pub fn of(key: &Incarnation) -> Self {
        Self(format!("{UPDATE}{key}"))
    }

    /// Its 16 hex digits, by which calls and buttons name it.
    pub fn key(&self) -> Incarnation {
        Incarnation(self.0[UPDATE.len()..].to_owned())
    }
}

impl ReplyId {
    /// The id of the reply with this key.
    pub fn of(key: &Incarnation) -> Self {
        Self(format!("{REPLY}{key}"))
    }

    /// Its 16 hex digits, by which calls name it.
    pub fn key(&self) -> Incarnation {
        Incarnation(self.0[REPLY.len()..].to_owned())
    }
}

impl RequestId {
    /// The id that the service gives to a request: `number` is random.
    pub fn of(number: &Incarnation) -> Self {
        Self(format!("{REQUEST}{number}"))
    }

    /// The key by which calls name it: 16 hex digits that are the same for the same id.
    pub fn key(&self) -> Incarnation {
        let made = self.0.strip_prefix(REQUEST).and_then(|number| Incarnation::parse(number).ok());
        made.unwrap_or_else(|| Incarnation(crate::digest::hex(&self.0)[..16].to_owned()))
    }

    /// The same id, as what a question can be about.
    pub fn thread(&self) -> ThreadId {
        ThreadId(self.0.clone())
    }
}

impl ThreadId {
    /// The same id, as that of a request.
    pub fn request(&self) -> RequestId {
        RequestId(self.0.clone())
    }

    /// The same id, as that of a question.
    pub fn question(&self) -> QuestionId {
        QuestionId(self.0.clone())
    }
}

impl QuestionId {
    /// The same id, as what a question can be about.
    pub fn thread(&self) -> ThreadId {
        ThreadId(self.0.clone())
    }

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
    fn no_agent_has_the_name_of_what_came_through_the_control_repository() {
        for name in ["control", "control/", "control/ci", "control/control/ci", "/ci"] {
            assert!(AgentName::parse(name).is_err(), "{name}");
        }
        for name in ["controller", "control.ci", "Control"] {
            assert!(AgentName::parse(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn an_author_is_an_agent_or_came_through_the_control_repository() {
        let ci = AgentName::parse("ci").expect("it is a name");
        for author in [Author::from(ci.clone()), Author::through_control(Some(&ci)), Author::through_control(None)] {
            assert_eq!(Author::parse(author.as_str()), Ok(author));
        }
        for hostile in ["", "/", "control/", "control//ci", "control/control", "control/ci/x", "other/ci", "control ci"] {
            assert!(Author::parse(hostile).is_err(), "{hostile:?}");
        }
    }

    #[test]
    fn an_event_s_id_is_bounded_and_never_a_path_trick_in_the_name_of_a_file() {
        for fine in ["0198f2c4-7d5e-7c11-a2b0-9a1f1f7e0c55", "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", &"a".repeat(64)] {
            assert!(EventId::parse(fine).is_ok() && EventId::parse_file_name(fine).is_ok(), "{fine}");
        }
        for fine in ["7", "run:42.1", "with.a.dot", "-leading-dash", &"a".repeat(100)] {
            assert!(EventId::parse(fine).is_ok() && EventId::parse_file_name(fine).is_err(), "{fine}");
        }
        for hostile in ["", "../../../x", "with a blank", "ä", &"a".repeat(101)] {
            assert!(EventId::parse(hostile).is_err() && EventId::parse_file_name(hostile).is_err(), "{hostile:?}");
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

    #[test]
    fn an_update_has_its_key_in_its_id() {
        let key = Incarnation::from_random([0x1f; 8]);
        let id = UpdateId::of(&key);
        assert_eq!((id.as_str(), id.key()), ("u-1f1f1f1f1f1f1f1f", key));
        assert_eq!(UpdateId::parse(id.as_str()), Ok(id));
        for hostile in
            ["", "u-", "u-1F1f1f1f1f1f1f1f", "1f1f1f1f1f1f1f1f", "u-1f1f1f1f1f1f1f1f0", "u-../../../../../", "U-1f1f1f1f1f1f1f1f"]
        {
            assert!(UpdateId::parse(hostile).is_err(), "{hostile:?}");
        }
    }
}
