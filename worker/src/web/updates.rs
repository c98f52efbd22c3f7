//! News of agents, to be read and put away. Links lead elsewhere and nothing of them is fetched.

use askama::Template;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use jiff::tz::TimeZone;
use pager_questions::update::{Mark, UpdateMedia};
use pager_questions::{Update, UpdateId, UpdateState};
use serde::Deserialize;

use super::Site;
use super::forms::{BareForm, taken};
use super::links::Link;
use super::pages::{Problem, page};
use super::session::Visitor;
use super::shell::{Place, Shell};
use super::shown::Shown;
use crate::http::Shared;
use crate::http::cursors;
use crate::service::ServiceError;
use crate::store::{Cursor, ShownUpdates, StoreError, UpdateListing};

/// The most updates of one page.
const MOST: usize = 50;

/// The address of the page.
#[derive(Debug, Default, Deserialize)]
pub struct Looking {
    /// `dismissed` for those; else what is not.
    state: Option<String>,
    /// Where the page begins.
    after: Option<String>,
}

#[derive(Template)]
#[template(path = "updates.html")]
struct Page {
    shell: Shell,
    is_dismissed: bool,
    updates: Vec<Row>,
    /// What the forms carry, so that they lead back here.
    query: String,
    is_first: bool,
    next: Option<String>,
}

/// One update, as the list shows it.
struct Row {
    id: String,
    agent: String,
    title: Shown,
    body: Shown,
    links: Vec<Link>,
    media: Vec<Link>,
    issue: Option<Link>,
    context: Vec<Shown>,
    at: String,
    at_time: String,
    is_unread: bool,
    is_dismissed: bool,
}

/// `GET /updates`.
pub async fn show(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Query(looking): Query<Looking>,
) -> Result<Response, Problem> {
    let gathered = gather(&shared, &site, &visitor, &looking).await;
    Ok(page(StatusCode::OK, &gathered.map_err(|error| Problem::unavailable(&error))?))
}

/// `POST /updates/{id}/read`.
pub async fn read(
    visitor: Visitor,
    State(shared): State<Shared>,
    Path(id): Path<String>,
    Query(looking): Query<Looking>,
    form: Result<Form<BareForm>, FormRejection>,
) -> Result<Response, Problem> {
    mark(&visitor, &shared, &id, &looking, &taken(form)?, Mark::Read).await
}

/// `POST /updates/{id}/dismiss`.
pub async fn dismiss(
    visitor: Visitor,
    State(shared): State<Shared>,
    Path(id): Path<String>,
    Query(looking): Query<Looking>,
    form: Result<Form<BareForm>, FormRejection>,
) -> Result<Response, Problem> {
    mark(&visitor, &shared, &id, &looking, &taken(form)?, Mark::Dismiss).await
}

/// A page of an earlier login changes nothing and is shown anew: nothing was typed that could be lost.
async fn mark(
    visitor: &Visitor,
    shared: &Shared,
    id: &str,
    looking: &Looking,
    form: &BareForm,
    mark: Mark,
) -> Result<Response, Problem> {
    let back = Redirect::to(&format!("/updates{}", looking.query()));
    let id = UpdateId::parse(id).map_err(|_| Problem::no_such_update())?;
    if !visitor.owns(&form.csrf) {
        return Ok(back.into_response());
    }
    match shared.service.mark(&visitor.actor(), &id, mark, &[]).await {
        Ok(_) => Ok(back.into_response()),
        Err(ServiceError::NotFound) => Err(Problem::no_such_update()),
        Err(ServiceError::Revoked) => Ok(Redirect::to("/login").into_response()),
        Err(error) => Err(Problem::unavailable(&error)),
    }
}

async fn gather(shared: &Shared, site: &Site, visitor: &Visitor, looking: &Looking) -> Result<Page, StoreError> {
    let store = shared.service.store.as_ref();
    let shell = Shell::gather(store, visitor, Place::Updates).await?;
    let is_dismissed = looking.is_dismissed();
    let shown = if is_dismissed { ShownUpdates::Dismissed } else { ShownUpdates::NotDismissed };
    let after = looking.after.as_deref().and_then(cursors::read);
    let limit = u32::try_from(MOST + 1).unwrap_or(u32::MAX);
    let mut listed = store.updates(&UpdateListing { source: None, shown, limit, after: after.clone() }).await?;
    let has_more = listed.len() > MOST;
    listed.truncate(MOST);
    Ok(Page {
        shell,
        is_dismissed,
        query: looking.query(),
        is_first: after.is_none(),
        next: listed.last().filter(|_| has_more).map(|last| cursors::write(&last.cursor)),
        updates: listed.iter().map(|listed| Row::of(&listed.update, &site.zone)).collect(),
    })
}

impl Looking {
    fn is_dismissed(&self) -> bool {
        self.state.as_deref() == Some("dismissed")
    }

    /// The address of this page again, made of what is known to be plain.
    fn query(&self) -> String {
        let after =
            self.after.as_deref().and_then(cursors::read::<Cursor>).map(|after| format!("after={}", cursors::write(&after)));
        let state = self.is_dismissed().then(|| "state=dismissed".to_owned());
        let parts: Vec<String> = [state, after].into_iter().flatten().collect();
        if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
    }
}

impl Row {
    fn of(update: &Update, zone: &TimeZone) -> Self {
        let source = &update.source;
        let context = [&source.project, &source.task, &source.run, &source.seat_hint];
        Self {
            id: update.id.to_string(),
            agent: source.agent.to_string(),
            title: Shown::of(&update.title),
            body: Shown::of(&update.body),
            links: update.links.iter().map(|link| Link::of(&link.label, &link.url)).collect(),
            media: update.media.iter().map(medium).collect(),
            issue: update.issue.as_ref().map(Link::to_issue),
            context: context.into_iter().filter_map(|value| Shown::some(value.as_ref())).collect(),
            at: update.at.for_people(zone),
            at_time: update.at.to_string(),
            is_unread: update.state == UpdateState::Unread,
            is_dismissed: update.state.dismissed_at().is_some(),
        }
    }
}

/// By its description where there is one, with its kind.
fn medium(medium: &UpdateMedia) -> Link {
    let words = medium.alt.as_ref().unwrap_or(&medium.url);
    Link::of(&format!("{words} ({})", medium.mime_type), &medium.url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_that_a_form_leads_back_to_is_made_anew() {
        let query = |state: Option<&str>, after: Option<&str>| {
            Looking { state: state.map(str::to_owned), after: after.map(str::to_owned) }.query()
        };
        assert_eq!(query(None, None), "");
        assert_eq!(query(Some("dismissed"), None), "?state=dismissed");
        assert_eq!(query(Some("x\r\nset-cookie: a"), Some("\"><script>")), "");
    }
}
