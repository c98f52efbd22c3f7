//! One request with its thread: what was replied, what is offered and asked about it, and a field to write into it.

mod entry;
mod write;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::tz::TimeZone;
use pager_questions::text::{is_blank, one_line};
use pager_questions::{Party, ReplyKind, Request, RequestId, ends};

use super::Site;
use super::about::About;
use super::links::Link;
use super::pages::{Problem, page};
use super::session::Visitor;
use super::shell::{Place, Shell};
use super::shown::Shown;
use super::standing::Standing;
use crate::http::Shared;
use crate::service::ServiceError;
use crate::{clock, secrets};
use entry::{Entry, Said};

pub use write::{cancel, reply};

#[derive(Template)]
#[template(path = "thread.html")]
struct Page {
    shell: Shell,
    id: String,
    title: Shown,
    /// What it says besides its title.
    text: Option<Shown>,
    who: Shown,
    at: String,
    at_time: String,
    tags: Vec<Shown>,
    deadline: Option<Deadline>,
    issue: Option<Link>,
    about: Option<About>,
    standing: Standing,
    entries: Vec<Entry>,
    /// The agent that asks for it; None for the owner's own.
    agent: Option<Shown>,
    /// Tells two presses of the same form from two messages.
    once: String,
    typed: String,
    trouble: Option<Trouble>,
}

/// From when on a request counts as unanswered.
pub struct Deadline {
    /// In the owner's zone.
    pub shown: String,
    /// For machines.
    pub at: String,
    /// It lies behind.
    pub is_past: bool,
}

/// Why what was just sent does not count.
struct Trouble {
    message: String,
    /// It is about what stands in the field.
    is_in_field: bool,
}

impl Page {
    /// What stands in the field was not taken.
    fn is_refused(&self) -> bool {
        self.trouble.as_ref().is_some_and(|trouble| trouble.is_in_field)
    }
}

impl Deadline {
    /// That of this request.
    pub fn of(request: &Request, zone: &TimeZone) -> Option<Self> {
        let deadline = request.deadline?;
        Some(Self { shown: deadline.for_people(zone), at: deadline.to_string(), is_past: deadline <= clock::now() })
    }
}

/// What a request says besides its title: an owner's first line is the title already.
pub fn words(request: &Request) -> Option<Shown> {
    let text = request.text.trim_start();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let rest = if one_line(first) == request.title { rest.trim_start_matches('\n') } else { &*request.text };
    (!is_blank(rest)).then(|| Shown::of(rest))
}

/// `GET /requests/{id}`.
pub async fn show(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let request = known(&shared, &id).await?;
    respond(StatusCode::OK, &shared, &site, &visitor, &request, String::new(), None).await
}

/// The page, with what came of what was just sent.
async fn respond(
    status: StatusCode,
    shared: &Shared,
    site: &Site,
    visitor: &Visitor,
    request: &Request,
    typed: String,
    trouble: Option<Trouble>,
) -> Result<Response, Problem> {
    let gathered = gather(shared, site, visitor, request, typed, trouble).await;
    Ok(page(status, &gathered.map_err(|error| Problem::unavailable(&error))?))
}

/// The request of this id.
async fn known(shared: &Shared, id: &str) -> Result<Request, Problem> {
    let id = RequestId::parse(id).map_err(|_| Problem::no_such_request())?;
    match shared.service.request_of(&id).await {
        Ok(request) => Ok(request),
        Err(ServiceError::NotFound) => Err(Problem::no_such_request()),
        Err(error) => Err(Problem::unavailable(&error)),
    }
}

async fn gather(
    shared: &Shared,
    site: &Site,
    visitor: &Visitor,
    request: &Request,
    typed: String,
    trouble: Option<Trouble>,
) -> Result<Page, ServiceError> {
    let (service, zone) = (&shared.service, &site.zone);
    let store = service.store.as_ref();
    let shell = Shell::gather(store, visitor, Place::Requests).await?;
    let (replies, about) = (store.replies(&request.id).await?, store.about(&request.id.thread()).await?);
    let answers = replies.iter().filter(|reply| reply.kind == ReplyKind::Answer).count();
    let answers = u64::try_from(answers).unwrap_or(u64::MAX);
    let is_own = request.party() == Party::Owner;
    let unanswered = is_own.then(|| service.unanswered_request(request, answers, &about)).flatten();
    let place = request.from.via.map(|via| format!(" {}", via.place())).unwrap_or_default();
    let thread = request.about.as_ref().map(pager_questions::QuestionId::thread);
    Ok(Page {
        shell,
        id: request.id.to_string(),
        title: Shown::of(&request.title),
        text: words(request),
        who: Shown::of(&format!("{}{place}", ends::who(&request.from))),
        at: request.at.for_people(zone),
        at_time: request.at.to_string(),
        tags: request.tags.iter().map(|tag| Shown::of(tag)).collect(),
        deadline: Deadline::of(request, zone),
        issue: request.issue.as_ref().map(Link::to_issue),
        about: About::of(store, thread.as_ref()).await?,
        standing: Standing::of(answers, &about, unanswered.as_ref()),
        entries: entry::all(&replies, &about, zone),
        agent: request.party().agent().map(|agent| Shown::of(agent.as_str())),
        once: secrets::new(""),
        typed,
        trouble,
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use pager_questions::{By, Incarnation, Time};

    use super::*;

    #[test]
    fn the_first_line_is_not_said_twice_and_nothing_else_is_left_out() {
        let said = |text: &str| {
            let number = Incarnation::from_random([7; 8]);
            let request = Request::of_words(&number, By::telegram(4242), text, None, Time::from_millis(0)).unwrap();
            words(&request).map(|words| words.to_string())
        };
        assert_eq!(said("Build it"), None);
        assert_eq!(said("\n Build it\n\n  in Rust\n"), Some("  in Rust\n".to_owned()));
        let long = "a".repeat(300);
        assert_eq!(said(&long), Some(long.clone()), "a title that was cut does not say it all");
    }
}
