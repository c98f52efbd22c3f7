//! The inbox as one page: `GET /`, and the same page again with what came of what was just sent.

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::Site;
use super::contents::{Inbox, Notice, Trouble};
use super::pages::{Problem, page};
use super::session::Visitor;
use super::shell::{Place, Shell};
use crate::http::Shared;

/// The address of the page.
#[derive(Debug, Default, Clone, Deserialize)]
pub struct Looking {
    /// Where the page begins.
    pub after: Option<String>,
    /// What was just settled.
    pub done: Option<String>,
    /// The cards that stand on the page already, separated by commas.
    #[serde(default)]
    pub shown: String,
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    shell: &'a Shell,
    inbox: &'a Inbox,
}

/// `GET /`.
pub async fn show(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Query(looking): Query<Looking>,
) -> Result<Response, Problem> {
    respond(StatusCode::OK, &shared, &site, &visitor, &looking, None).await
}

/// The page, with what came of what was just sent.
pub async fn respond(
    status: StatusCode,
    shared: &Shared,
    site: &Site,
    visitor: &Visitor,
    looking: &Looking,
    trouble: Option<Trouble>,
) -> Result<Response, Problem> {
    let inbox = Inbox::gather(shared, site, visitor, looking, trouble).await.map_err(|error| Problem::unavailable(&error))?;
    Ok(page(status, &Page { shell: &inbox.shell, inbox: &inbox }))
}
