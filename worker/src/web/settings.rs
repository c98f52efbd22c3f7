//! How this pagerd is set up and how it is, and the owner's tokens. It shows what is configured; it configures nothing.

use std::time::Duration;

use askama::Template;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use jiff::tz::TimeZone;
use pager_questions::{Author, gate};
use serde::Deserialize;

use super::Site;
use super::forms::{BareForm, taken};
use super::pages::{Problem, page};
use super::session::Visitor;
use super::shell::{Place, Shell};
use super::shown::Shown;
use crate::clock;
use crate::http::Shared;
use crate::service::Policy;
use crate::store::{Listing, Role, Store, StoreError, Token, Write};

/// The most open questions of a revoked agent that are named.
const MOST_NAMED: u32 = 20;

/// The address of the page.
#[derive(Debug, Default, Deserialize)]
pub struct Looking {
    /// The token that was just revoked.
    revoked: Option<String>,
}

#[derive(Template)]
#[template(path = "settings.html")]
struct Page {
    shell: Shell,
    facts: Vec<(&'static str, String)>,
    troubles: Vec<Shown>,
    /// What the operator laid down, to be read only.
    rules: Vec<(String, String)>,
    /// None for a device, which has no say in them.
    tokens: Option<Vec<Row>>,
    revoked: Option<Revoked>,
}

/// One token, as the list shows it.
struct Row {
    id: String,
    name: String,
    role: &'static str,
    made: String,
    /// When it stopped working.
    over: Option<String>,
    /// This session rests on it.
    is_own: bool,
}

/// What came of a revocation.
struct Revoked {
    id: String,
    name: String,
    /// Open questions that stay.
    open: Vec<Shown>,
}

/// `GET /settings`.
pub async fn show(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Query(looking): Query<Looking>,
) -> Result<Response, Problem> {
    let gathered = gather(&shared, &site, &visitor, &looking).await;
    Ok(page(StatusCode::OK, &gathered.map_err(|error| Problem::unavailable(&error))?))
}

/// `POST /settings/tokens/{id}/revoke`. Its sessions are over with it, perhaps this one.
pub async fn revoke(
    visitor: Visitor,
    State(shared): State<Shared>,
    Path(id): Path<String>,
    form: Result<Form<BareForm>, FormRejection>,
) -> Result<Response, Problem> {
    if !visitor.owns(&taken(form)?.csrf) {
        return Ok(Redirect::to("/settings").into_response());
    }
    if !visitor.is_owner() {
        return Err(Problem {
            status: StatusCode::FORBIDDEN,
            title: "This needs an owner",
            detail: "A device has no say in tokens. Log in with an owner token to revoke one.".to_owned(),
        });
    }
    let store = shared.service.store.as_ref();
    let known = store.token_by_id(&id).await.map_err(|error| Problem::unavailable(&error))?;
    let Some(token) = known else { return Ok(Redirect::to("/settings#tokens").into_response()) };
    let at = clock::now();
    let writes = vec![Write::RequireToken(visitor.session.token.clone()), Write::RevokeToken { id: token.id.clone(), at }];
    match store.commit(writes).await {
        Ok(()) => {
            tracing::info!(token = token.id, by = visitor.session.name, "a token was revoked on the page");
            Ok(Redirect::to(&format!("/settings?revoked={}", token.id)).into_response())
        }
        Err(StoreError::Revoked) => Ok(Redirect::to("/login").into_response()),
        Err(error) => Err(Problem::unavailable(&error)),
    }
}

async fn gather(shared: &Shared, site: &Site, visitor: &Visitor, looking: &Looking) -> Result<Page, StoreError> {
    let (service, store) = (&shared.service, shared.service.store.as_ref());
    let shell = Shell::gather(store, visitor, Place::Settings).await?;
    let mut tokens = if visitor.is_owner() { store.tokens().await? } else { Vec::new() };
    // Those that work first, then by name.
    tokens.sort_by(|one, other| (one.revoked_at.is_some(), &one.name).cmp(&(other.revoked_at.is_some(), &other.name)));
    let just = looking.revoked.as_ref().and_then(|id| tokens.iter().find(|token| token.id == *id && token.revoked_at.is_some()));
    Ok(Page {
        shell,
        facts: vec![
            ("Version", env!("CARGO_PKG_VERSION").to_owned()),
            ("Address", service.url.clone()),
            ("Telegram", if service.has_telegram { "Questions go to the chat too." } else { "Not set up." }.to_owned()),
            (
                "Control repository",
                if service.outlet.is_open() { "Your texts and wake-ups are sent to it." } else { "Not set up." }.to_owned(),
            ),
        ],
        rules: rules(&service.policy),
        troubles: service.health.degraded().iter().map(|trouble| Shown::of(trouble)).collect(),
        revoked: match just {
            Some(token) => Some(Revoked::of(token, store).await?),
            None => None,
        },
        tokens: visitor
            .is_owner()
            .then(|| tokens.iter().map(|token| Row::of(token, &visitor.session.token, &site.zone)).collect()),
    })
}

/// The rules of the settings file under the names that they have there.
fn rules(policy: &Policy) -> Vec<(String, String)> {
    let word = |policy: &gate::Policy| match policy {
        gate::Policy::Owner => "owner: you are asked".to_owned(),
        gate::Policy::Delegated => "delegated: the agent goes on without asking".to_owned(),
    };
    let gates = policy.gates.everywhere.iter().map(|(category, policy)| (format!("gates.{category}"), word(policy)));
    let of_projects = policy.gates.projects.iter().flat_map(|(project, gates)| {
        gates.iter().map(move |(category, policy)| (format!("projects.{project}.gates.{category}"), word(policy)))
    });
    let most = |number: u32, what: &str| if number == 0 { "no limit".to_owned() } else { format!("{number} {what}") };
    let keep = policy.history_keep.map_or_else(|| "for ever".to_owned(), lasting);
    let others = [
        ("every other gate".to_owned(), "owner: you are asked".to_owned()),
        ("limits.records".to_owned(), most(policy.limits.records, "records of one source")),
        ("limits.bytes".to_owned(), most(policy.limits.bytes, "bytes of one source")),
        ("history.keep".to_owned(), keep),
    ];
    gates.chain(of_projects).chain(others).collect()
}

/// A time as people write it.
fn lasting(time: Duration) -> String {
    let seconds = time.as_secs();
    let units = [(86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds")];
    let (length, unit) = units.into_iter().find(|(length, _)| seconds.is_multiple_of(*length)).unwrap_or((1, "seconds"));
    format!("{} {unit}", seconds / length)
}

impl Row {
    fn of(token: &Token, own: &str, zone: &TimeZone) -> Self {
        Self {
            id: token.id.clone(),
            name: token.name.clone(),
            role: token.role.as_str(),
            made: token.created_at.for_people(zone),
            over: token.revoked_at.map(|at| at.for_people(zone)),
            is_own: token.id == own,
        }
    }
}

impl Revoked {
    /// Questions belong to the name of an agent: they stay open.
    async fn of(token: &Token, store: &dyn Store) -> Result<Self, StoreError> {
        let agent = Author::parse(&token.name).ok().filter(|_| token.role == Role::Agent);
        let mut open = Vec::new();
        if let Some(agent) = agent {
            let listing = Listing { agent: Some(agent), state: Some("open".to_owned()), limit: MOST_NAMED, after: None };
            let listed = store.newest(&listing).await?;
            open.extend(listed.iter().map(|listed| Shown::of(&listed.record.question.title())));
        }
        Ok(Self { id: token.id.clone(), name: token.name.clone(), open })
    }
}
