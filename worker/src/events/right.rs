//! Who may listen, and to what: a bearer token, or the session of the page in a browser. It ends the stream when it ends.

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use pager_questions::Author;

use super::frame::Frame;
use crate::clock;
use crate::http::Shared;
use crate::http::callers::Caller;
use crate::http::problem::Problem;
use crate::service::{Service, ServiceError};
use crate::store::{Session, Store, Stored};
use crate::web::{self, Site};

/// What somebody may hear, and what that rests on.
#[derive(Debug, Clone)]
pub struct Right {
    /// Only what is about this agent's own, or put to it; None for everything.
    only: Option<Author>,
    /// The token that must not be revoked.
    token: String,
    /// The session that must not be over.
    session: Option<Session>,
}

impl Right {
    /// Is this for them?
    pub fn hears(&self, frame: &Frame) -> bool {
        let is_of = |own: &Author| [&frame.agent, &frame.settles].into_iter().flatten().any(|agent| agent == own);
        !frame.bytes.is_empty() && self.only.as_ref().is_none_or(is_of)
    }

    /// Does it still stand?
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn stands(&self, store: &dyn Store) -> Stored<bool> {
        let is_logged_in = match &self.session {
            Some(session) => store.session(&session.hash, clock::now()).await?.is_some(),
            None => true,
        };
        Ok(is_logged_in && store.token_by_id(&self.token).await?.is_some())
    }

    /// Returns once it does not stand any more.
    pub async fn until_over(&self, service: &Service) {
        let logged_out = async {
            match &self.session {
                Some(session) => service.revocations.until_logged_out(service.store.as_ref(), session).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = service.revocations.until_revoked(&self.token) => {}
            () = logged_out => {}
        }
    }
}

impl FromRequestParts<Shared> for Right {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Problem> {
        if !parts.headers.contains_key(AUTHORIZATION)
            && let Some(session) = session(parts, shared).await?
        {
            return Ok(Self { only: None, token: session.token.clone(), session: Some(session) });
        }
        match Caller::from_request_parts(parts, shared).await? {
            Caller::Agent(agent) => Ok(Self { only: Some(agent.name), token: agent.token, session: None }),
            Caller::Owner(owner) => {
                let token = owner.actor.token.ok_or_else(Problem::unauthenticated)?;
                Ok(Self { only: None, token, session: None })
            }
        }
    }
}

/// The session of our own page. A foreign page, or a foreign name that leads here, gets nothing by the browser's cookie.
async fn session(parts: &Parts, shared: &Shared) -> Result<Option<Session>, Problem> {
    let site = parts.extensions.get::<Site>().expect("the route has its site");
    let found = web::session_of(site, shared.service.store.as_ref(), &parts.headers).await;
    let Some(session) = found.map_err(ServiceError::from)? else { return Ok(None) };
    if !web::is_our_host(site, &parts.headers) {
        let detail = "This host is not one that pagerd answers to. Use a name that it knows, or add this one to server.hosts.";
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "misdirected", "Not a name of this service", detail));
    }
    if !is_our_page(&parts.headers) {
        let detail = "A session is for pagerd's own page alone. Send a token as `Authorization: Bearer …`.";
        return Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", detail));
    }
    Ok(Some(session))
}

/// Browsers say who asks; what says nothing is no browser that a foreign page could use.
fn is_our_page(headers: &HeaderMap) -> bool {
    headers.get_all("sec-fetch-site").iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
}
