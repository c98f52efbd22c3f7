//! Who settled a question and through which door.

use serde::{Deserialize, Serialize};

/// What kind of party acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A person who decides.
    Owner,
    /// A device of an owner, with a token of its own.
    Device,
    /// A program that asks.
    Agent,
    /// Nobody: the time was up.
    Deadline,
    /// pagerd itself.
    Service,
}

/// The door an act came through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// A press or a text in Telegram.
    Telegram,
    /// The web page.
    Web,
    /// The HTTP API.
    Http,
    /// The command line tool.
    Cli,
    /// The terminal interface.
    Tui,
    /// The Model Context Protocol.
    Mcp,
    /// A coding agent's hook.
    Hook,
}

impl Via {
    /// For people: where it happened, as in "answered in Telegram".
    pub fn place(self) -> &'static str {
        match self {
            Self::Telegram => "in Telegram",
            Self::Web => "on the page",
            Self::Http => "over HTTP",
            Self::Cli => "on the command line",
            Self::Tui => "in the terminal",
            Self::Mcp => "over MCP",
            Self::Hook => "at the agent's own prompt",
        }
    }
}

/// Who acted: `id` is `telegram:<user id>`, `token:<name>`, `agent:<name>`, or null for a deadline and the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct By {
    /// What kind of party.
    pub kind: Kind,
    /// Which one.
    pub id: Option<String>,
    /// Through which door; null together with `id`.
    pub via: Option<Via>,
}

impl By {
    /// pagerd itself.
    pub fn service() -> Self {
        Self { kind: Kind::Service, id: None, via: None }
    }

    /// Nobody: the time was up.
    pub fn deadline() -> Self {
        Self { kind: Kind::Deadline, id: None, via: None }
    }

    /// An owner's Telegram account, by its numeric id.
    pub fn telegram(user: i64) -> Self {
        Self { kind: Kind::Owner, id: Some(format!("telegram:{user}")), via: Some(Via::Telegram) }
    }

    /// Whoever holds the token of this name.
    pub fn token(kind: Kind, name: &str, via: Via) -> Self {
        Self { kind, id: Some(format!("token:{name}")), via: Some(via) }
    }

    /// An agent, by its name.
    pub fn agent(name: &str, via: Via) -> Self {
        Self { kind: Kind::Agent, id: Some(format!("agent:{name}")), via: Some(via) }
    }
}
