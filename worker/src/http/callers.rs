//! Who calls: a bearer token becomes an agent or an owner, and nothing else does.

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use pager_questions::by::Kind;
use pager_questions::{AgentName, Author, By, Via};

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
}

/// An owner.
pub struct Owner {
    /// As they act.
    pub actor: Actor,
}

/// Either of them, for what both may read.
pub enum Caller {
    /// An agent, who sees its own.
    Agent(Agent),
    /// An owner, who sees all.
    Owner(Owner),
}

impl FromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Problem> {
        let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let secret = header.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let (_, secret) = secret.ok_or_else(Problem::unauthenticated)?;
        let found = shared.service.store.token(&secrets::hash(secret.trim())).await.map_err(ServiceError::from)?;
        let token = found.ok_or_else(Problem::unauthenticated)?;
        match token.role {
            Role::Agent => Ok(Self::Agent(agent(token, client(parts))?)),
            Role::Owner => {
                let by = By::token(Kind::Owner, &token.name, client(parts));
                Ok(Self::Owner(Owner { actor: Actor { by, token: Some(token.id) } }))
            }
        }
    }
}

impl FromRequestParts<Shared> for Agent {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Problem> {
        match Caller::from_request_parts(parts, shared).await? {
            Caller::Agent(agent) => Ok(agent),
            Caller::Owner(_) => Err(Problem::forbidden("agent")),
        }
    }
}

impl FromRequestParts<Shared> for Owner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Problem> {
        match Caller::from_request_parts(parts, shared).await? {
            Caller::Owner(owner) => Ok(owner),
            Caller::Agent(_) => Err(Problem::forbidden("owner")),
        }
    }
}

fn agent(token: Token, via: Via) -> Result<Agent, Problem> {
    let name = AgentName::parse(&token.name).map_err(|_| Problem::unauthenticated())?;
    let by = By::agent(name.as_str(), via);
    Ok(Agent { name: name.into(), actor: Actor { by, token: Some(token.id.clone()) }, token: token.id })
}

/// Our own command line tool says so, and its inbox in a terminal, for the record only; it proves nothing and grants nothing.
fn client(parts: &Parts) -> Via {
    let agent = parts.headers.get("user-agent").and_then(|value| value.to_str().ok()).unwrap_or_default();
    match agent.split('/').next() {
        Some("ask") => Via::Cli,
        Some("ask-inbox") => Via::Tui,
        Some(_) | None => Via::Http,
    }
}
