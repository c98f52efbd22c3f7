//! Who asks for work and who gives it: owners together as one, since they decide as one, or an agent by its name.

use std::fmt;

use crate::by::Kind;
use crate::{Author, By};

/// One side of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Party {
    /// An owner, through whatever door and with whatever account or device.
    Owner,
    /// An agent.
    Agent(Author),
}

/// What the id of an agent begins with.
const AGENT: &str = "agent:";

impl Party {
    /// Whose side this is; None for a deadline and the service, who ask nobody for anything.
    pub fn of(by: &By) -> Option<Self> {
        match by.kind {
            Kind::Owner | Kind::Device => Some(Self::Owner),
            Kind::Agent => by.id.as_deref()?.strip_prefix(AGENT).and_then(|name| Author::parse(name).ok()).map(Self::Agent),
            Kind::Deadline | Kind::Service => None,
        }
    }

    /// Reads what [`Display`](fmt::Display) writes.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix(AGENT) {
            Some(name) => Author::parse(name).ok().map(Self::Agent),
            None => (text == "owner").then_some(Self::Owner),
        }
    }

    /// The agent.
    pub fn agent(&self) -> Option<&Author> {
        match self {
            Self::Owner => None,
            Self::Agent(author) => Some(author),
        }
    }

    /// For people and on the wire: the agent's name, or `owner`.
    pub fn name(&self) -> &str {
        self.agent().map_or("owner", Author::as_str)
    }
}

/// `owner`, or `agent:` and the name.
impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner => f.write_str("owner"),
            Self::Agent(author) => write!(f, "{AGENT}{author}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentName, Via};

    #[test]
    fn every_owner_is_the_same_side_and_an_agent_is_its_name() {
        let phone = By::token(Kind::Device, "phone", Via::Web);
        assert_eq!((Party::of(&By::telegram(4242)), Party::of(&phone)), (Some(Party::Owner), Some(Party::Owner)));
        let builder = Author::from(AgentName::parse("builder").expect("it is a name"));
        assert_eq!(Party::of(&By::agent("builder", Via::Cli)), Some(Party::Agent(builder)));
        assert_eq!((Party::of(&By::deadline()), Party::of(&By::service())), (None, None));
    }

    #[test]
    fn what_is_written_is_read_again_and_no_agent_is_taken_for_the_owner() {
        for name in ["builder", "owner", "control", "control/ci"] {
            let party = Party::Agent(Author::parse(name).expect("it is an author"));
            assert_eq!(Party::parse(&party.to_string()), Some(party.clone()));
            assert_ne!(Party::parse(&party.to_string()), Some(Party::Owner));
        }
        assert_eq!(Party::parse(&Party::Owner.to_string()), Some(Party::Owner));
        assert_eq!((Party::parse(""), Party::parse("builder")), (None, None));
    }
}
