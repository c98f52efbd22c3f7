//! What proves an event: a token of the pinned workflow, a signature in the form of Standard Webhooks, or GitHub's own
//! signature on what it sends to an App. A proof is looked at before anybody reads the body.

mod app;
mod claims;
mod jwks;
mod keys;
mod standard;
mod token;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use hmac::{Hmac, KeyInit};
use pager_questions::fields::Fault;
use pager_questions::{EventId, Time};
use sha2::Sha256;

use super::event::{ProvedBy, VerifiedControlEvent, digest};
use crate::configuration;

use app::App;
use token::Tokens;

/// The header with the event's id.
const ID: &str = "webhook-id";

/// The header of what GitHub sends to an App.
pub(super) const APP_SIGNATURE: &str = app::SIGNATURE;
/// A secret, ready to check what was signed with it.
type Mac = Hmac<Sha256>;

/// Everything that proofs are checked against.
pub(super) struct Proofs {
    tokens: Option<Tokens>,
    standard: Vec<Mac>,
    app: App,
}

/// What a request turned out to be.
#[derive(Debug)]
pub(super) enum Proved {
    /// An event.
    Event(VerifiedControlEvent),
    /// Truly from GitHub, and nothing for pager; with the reason.
    Ignored(&'static str),
}

/// Why a request is turned away.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unproved {
    /// The proof does not hold.
    #[error("{0}")]
    Refused(String),
    /// It holds, and the request is none.
    #[error("{0}")]
    Malformed(String),
    /// It holds, and what was sent has a fault.
    #[error("{0}")]
    Wrong(Fault),
    /// It could not be checked.
    #[error("{0}")]
    Uncertain(String),
}

impl Unproved {
    fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(reason.into())
    }
}

impl Proofs {
    pub(super) fn of(settings: &configuration::Control) -> anyhow::Result<Self> {
        let tokens = settings.oidc.clone().map(Tokens::of).transpose()?;
        let app = App::of(settings);
        Ok(Self { tokens, standard: standard::macs(&settings.secrets), app })
    }

    /// Checks the one proof that the request brings.
    pub(super) async fn check(&self, headers: &HeaderMap, body: &[u8], now: Time) -> Result<Proved, Unproved> {
        let is_there = |name: &str| headers.contains_key(name);
        match (bearer(headers).is_some(), is_there(standard::SIGNATURE), is_there(app::SIGNATURE)) {
            (true, false, false) => self.by_token(headers, body, now).await.map(Proved::Event),
            (false, true, false) => {
                standard::check(&self.standard, headers, body, now)?;
                event(headers, body, ProvedBy::Signature, Vec::new()).map(Proved::Event)
            }
            (false, false, true) => self.app.check(headers, body),
            (false, false, false) if is_there(AUTHORIZATION.as_str()) => {
                Err(Unproved::refused("its Authorization is no `Bearer` and a token"))
            }
            (false, false, false) => Err(Unproved::refused("it brings no proof: a token or a signature")),
            _ => Err(Unproved::refused("it brings more than one proof; send one")),
        }
    }

    async fn by_token(&self, headers: &HeaderMap, body: &[u8], now: Time) -> Result<VerifiedControlEvent, Unproved> {
        let token = bearer(headers).ok_or_else(|| Unproved::refused("its Authorization is no `Bearer` and a token"))?;
        let tokens = self.tokens.as_ref().ok_or_else(|| Unproved::refused("no control.oidc is set, so no token is taken"))?;
        let once = tokens.check(token.trim(), &digest(body), now).await?;
        event(headers, body, ProvedBy::Token, vec![once])
    }
}

fn event(headers: &HeaderMap, body: &[u8], proved_by: ProvedBy, once: Vec<String>) -> Result<VerifiedControlEvent, Unproved> {
    let id = event_id(headers, ID)?;
    Ok(VerifiedControlEvent { id, body: body.to_vec(), digest: digest(body), proved_by, once })
}

fn event_id(headers: &HeaderMap, name: &str) -> Result<EventId, Unproved> {
    let id = text(headers, name).ok_or_else(|| Unproved::Malformed(format!("The header {name} is missing.")))?;
    EventId::parse(id).map_err(|error| Unproved::Malformed(format!("The header {name}: {error}.")))
}

/// The token. An Authorization of another kind is for whoever stands before pagerd, and no proof.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = text(headers, AUTHORIZATION.as_str())?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

/// A header that is there once, as text.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

fn mac(secret: &[u8]) -> Mac {
    Mac::new_from_slice(secret).expect("HMAC takes keys of any length")
}
