//! Who calls: a bearer token becomes what its role allows, and nothing else does.

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use pager_questions::by::Kind;
use pager_questions::{AgentName, Author, By, Party, Via};

use super::Shared;
use super::problem::Problem;
use crate::secrets;
use crate::service::{Actor, ServiceError};
use crate::store::{Role, Token};

/// An agent that proved its name.
pub struct Agent {
    /// Its name, as the author of what it asks.
    pub name: Author,
    /// As it acts.
    pub actor: Actor,
    /// The token it came with.
    pub token: String,
    /// The project that the token is bound to.
    pub project: Option<String>,
}

/// An owner, or a device of one: it decides as they do.
pub struct Owner {
    /// As they act.
    pub actor: Actor,
}

/// Either of them, for what both may read. An observer is neither.
pub enum Caller {
    /// An agent, who sees its own.
    Agent(Agent),
    /// An owner or a device, who sees all.
    Owner(Owner),
}

impl Caller {
    /// As they act.
    pub fn actor(&self) -> &Actor {
        match self {
            Self::Agent(agent) => &agent.actor,
            Self::Owner(owner) => &owner.actor,
        }
    }

    /// Whose side they are on.
    pub fn party(&self) -> Party {
        match self {
            Self::Agent(agent) => Party::Agent(agent.name.clone()),
            Self::Owner(_) => Party::Owner,
        }
    }
}

/// Whoever may look at what is open: an owner, a device or an observer.
pub struct Viewer;

impl FromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Problem> {
        let token = token(parts, shared).await?;
        match token.role {
            Role::Agent => Ok(Self::Agent(agent(token, client(parts))?)),
            Role::Owner => Ok(Self::Owner(owner(token, Kind::Owner, client(parts)))),
            Role::Device => Ok(Self::Owner(owner(token, Kind::Device, client(parts)))),
            Role::Observer => Err(Problem::forbidden("agent, owner or device")),
        }
    }
}

impl FromRequestParts<Shared> for Agent {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Problem> {
        let token = token(parts, shared).await?;
        match token.role {
            Role::Agent => agent(token, client(parts)),
            Role::Owner | Role::Device | Role::Observer => Err(Problem::forbidden("agent")),
        }
    }
}

impl FromRequestParts<Shared> for Owner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Problem> {
        let token = token(parts, shared).await?;
        match token.role {
            Role::Owner => Ok(owner(token, Kind::Owner, client(parts))),
            Role::Device => Ok(owner(token, Kind::Device, client(parts))),
            Role::Agent | Role::Observer => Err(Problem::forbidden("owner or device")),
        }
    }
}

impl FromRequestParts<Shared> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Problem> {
        match token(parts, shared).await?.role {
            Role::Owner | Role::Device | Role::Observer => Ok(Self),
            Role::Agent => Err(Problem::forbidden("owner, device or observer")),
        }
    }
}

/// The token that the request carries, unless it was revoked. Looked up at each call.
async fn token(parts: &Parts, shared: &Shared) -> Result<Token, Problem> {
    let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let secret = header.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let (_, secret) = secret.ok_or_else(Problem::unauthenticated)?;
    let found = shared.service.store.token(&secrets::hash(secret.trim())).await.map_err(ServiceError::from)?;
    found.ok_or_else(Problem::unauthenticated)
}

fn owner(token: Token, kind: Kind, via: Via) -> Owner {
    Owner { actor: Actor { by: By::token(kind, &token.name, via), token: Some(token.id) } }
}

fn agent(token: Token, via: Via) -> Result<Agent, Problem> {
    let name = AgentName::parse(&token.name).map_err(|_| Problem::unauthenticated())?;
    let by = By::agent(name.as_str(), via);
    let actor = Actor { by, token: Some(token.id.clone()) };
    Ok(Agent { name: name.into(), actor, token: token.id, project: token.project })
}

/// Our own programs say so, for the record only; it proves nothing and grants nothing.
fn client(parts: &Parts) -> Via {
    let program = parts.headers.get("user-agent").and_then(|value| value.to_str().ok()).unwrap_or_default();
    match program {
        tui if tui.starts_with("ask-inbox/") => Via::Tui,
        cli if cli.starts_with("ask/") => Via::Cli,
        _ => Via::Http,
    }
}
