//! What is asked of agents and how it stands, and the field to ask for more: what is written here goes the way of a text to the bot.

use askama::Template;
use axum::extract::rejection::FormRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use jiff::tz::TimeZone;
use pager_questions::fields::check_text;
use pager_questions::request::MOST_IN_TEXT;
use pager_questions::{Incarnation, Party, QuestionId, Unanswered, ends};
use serde::Deserialize;

use super::Site;
use super::about::About;
use super::forms::{RequestForm, as_typed, taken};
use super::links::Link;
use super::pages::{Problem, page};
use super::session::Visitor;
use super::shell::{Place, Shell};
use super::shown::Shown;
use super::standing::Standing;
use super::thread::{Deadline, words};
use crate::http::Shared;
use crate::http::cursors;
use crate::service::{ServiceError, Written};
use crate::store::{ListedRequest, RequestListing, Store, StoreError};
use crate::{clock, secrets};

/// The most requests of one page.
const MOST: usize = 50;

/// The address of the page.
#[derive(Debug, Default, Deserialize)]
pub struct Looking {
    after: Option<String>,
}

#[derive(Template)]
#[template(path = "requests.html")]
struct Page {
    shell: Shell,
    /// Tells two presses of the same form from two requests.
    once: String,
    typed: String,
    trouble: Option<String>,
    /// What nobody answered of the owner's own, oldest first.
    unanswered: Vec<Late>,
    requests: Vec<Row>,
    is_first: bool,
    next: Option<String>,
}

/// One request, as the list shows it.
struct Row {
    id: String,
    title: Shown,
    /// What it says besides its title.
    text: Option<Shown>,
    who: Shown,
    at: String,
    at_time: String,
    about: Option<About>,
    tags: Vec<Shown>,
    issue: Option<Link>,
    deadline: Option<Deadline>,
    standing: Standing,
}

/// One request of the owner's own that nobody answered.
struct Late {
    id: String,
    notice: Shown,
}

/// `GET /requests`.
pub async fn show(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Query(looking): Query<Looking>,
) -> Result<Response, Problem> {
    respond(StatusCode::OK, &shared, &site, &visitor, &looking, String::new(), None).await
}

/// `POST /requests`.
pub async fn make(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    form: Result<Form<RequestForm>, FormRejection>,
) -> Result<Response, Problem> {
    let form = taken(form)?;
    let text = as_typed(&form.text);
    let trouble = if visitor.owns(&form.csrf) {
        check_text(&text, MOST_IN_TEXT).err().map(|detail| format!("Your request {detail}."))
    } else {
        Some("This page was from an earlier login, so nothing was recorded. Send again.".to_owned())
    };
    if trouble.is_some() {
        return respond(StatusCode::UNPROCESSABLE_ENTITY, &shared, &site, &visitor, &Looking::default(), text, trouble).await;
    }
    // The same press twice is one request; other words under the same mark are another.
    let named = secrets::hash(&format!("{}\n{}\n{text}", visitor.session.hash, form.once));
    let number = Incarnation::parse(&named[..16]).map_err(|_| Problem::unreadable())?;
    let actor = visitor.actor();
    let origin = format!("web:{number}");
    let written = Written { from: actor.by, text: &text, about: None, at: clock::now(), place: None, origin };
    match shared.service.request(&number, visitor.session.token.clone(), written).await {
        Ok(()) => Ok(Redirect::to(&format!("/requests#r-{number}")).into_response()),
        Err(ServiceError::Revoked) => Ok(Redirect::to("/login").into_response()),
        Err(error) => {
            tracing::error!(%error, "a request on the page could not be stored");
            let trouble =
                "The service cannot use its store at the moment. Nothing was recorded; send again in a moment.".to_owned();
            respond(StatusCode::SERVICE_UNAVAILABLE, &shared, &site, &visitor, &Looking::default(), text, Some(trouble)).await
        }
    }
}

async fn respond(
    status: StatusCode,
    shared: &Shared,
    site: &Site,
    visitor: &Visitor,
    looking: &Looking,
    typed: String,
    trouble: Option<String>,
) -> Result<Response, Problem> {
    let gathered = gather(shared, site, visitor, looking, typed, trouble).await;
    Ok(page(status, &gathered.map_err(|error| Problem::unavailable(&error))?))
}

async fn gather(
    shared: &Shared,
    site: &Site,
    visitor: &Visitor,
    looking: &Looking,
    typed: String,
    trouble: Option<String>,
) -> Result<Page, ServiceError> {
    let store = shared.service.store.as_ref();
    let shell = Shell::gather(store, visitor, Place::Requests).await?;
    let after = looking.after.as_deref().and_then(cursors::read);
    let is_first = after.is_none();
    let limit = u32::try_from(MOST + 1).unwrap_or(u32::MAX);
    let mut listed = store.requests(&RequestListing { limit, after, ..RequestListing::default() }).await?;
    let has_more = listed.len() > MOST;
    listed.truncate(MOST);
    let unanswered = shared.service.unanswered(&Party::Owner).await?;
    let mut rows = Vec::with_capacity(listed.len());
    for listed in &listed {
        rows.push(Row::find(store, listed, &unanswered, &site.zone).await?);
    }
    let late = |summary: &Unanswered| Late { id: summary.id.to_string(), notice: Shown::of(&summary.notice) };
    Ok(Page {
        shell,
        once: secrets::new(""),
        typed,
        trouble,
        is_first,
        next: listed.last().filter(|_| has_more).map(|last| cursors::write(&last.cursor)),
        unanswered: unanswered.iter().filter(|_| is_first).map(late).collect(),
        requests: rows,
    })
}

impl Row {
    async fn find(
        store: &dyn Store,
        listed: &ListedRequest,
        unanswered: &[Unanswered],
        zone: &TimeZone,
    ) -> Result<Self, StoreError> {
        let request = &listed.request;
        let about = request.about.as_ref().map(QuestionId::thread);
        let from = &request.from;
        let place = from.via.map(|via| format!(" {}", via.place())).unwrap_or_default();
        Ok(Self {
            id: request.id.to_string(),
            title: Shown::of(&request.title),
            text: words(request),
            who: Shown::of(&format!("{}{place}", ends::who(from))),
            at: request.at.for_people(zone),
            at_time: request.at.to_string(),
            about: About::of(store, about.as_ref()).await?,
            tags: request.tags.iter().map(|tag| Shown::of(tag)).collect(),
            issue: request.issue.as_ref().map(Link::to_issue),
            deadline: Deadline::of(request, zone),
            standing: Standing::find(store, request, unanswered).await?,
        })
    }
}
