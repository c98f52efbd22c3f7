//! One question with a page of its own: everything that was asked, and how it ended. What is open can be answered here too.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use pager_questions::{Incarnation, Record, State as QuestionState};

use super::Site;
use super::about::About;
use super::card::Card;
use super::over::Over;
use super::pages::{Problem, page};
use super::session::Visitor;
use super::shell::{Place, Shell};
use crate::http::Shared;

#[derive(Template)]
#[template(path = "question.html")]
struct Page {
    shell: Shell,
    csrf: String,
    query: &'static str,
    level: &'static str,
    card: Card,
    over: Option<Over>,
    kept: Option<Kept>,
    id: String,
}

/// Where the answer is kept.
struct Kept {
    path: String,
    commit: String,
}

/// `GET /questions/{incarnation}`.
pub async fn show(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Path(incarnation): Path<String>,
) -> Result<Response, Problem> {
    let unavailable = |error| Problem::unavailable(&error);
    let store = shared.service.store.as_ref();
    let incarnation = Incarnation::parse(&incarnation).map_err(|_| Problem::no_such_question())?;
    let record = store.record_of(&incarnation).await.map_err(|error| Problem::unavailable(&error))?;
    let record = record.ok_or_else(Problem::no_such_question)?;
    let place = if record.is_over() { Place::History } else { Place::Inbox };
    let shell = Shell::gather(store, &visitor, place).await.map_err(unavailable)?;
    let mut card = Card::whole(&record, &site.zone);
    card.about = About::of(store, record.question.about.as_ref()).await.map_err(unavailable)?;
    let page_of = Page {
        csrf: shell.csrf.clone(),
        shell,
        query: "",
        level: "h1",
        card,
        over: Over::of(&record, &site.zone),
        kept: kept(&record),
        id: record.question.id.to_string(),
    };
    Ok(page(StatusCode::OK, &page_of))
}

fn kept(record: &Record) -> Option<Kept> {
    match &record.state {
        QuestionState::Ended { commit, .. } => {
            Some(Kept { path: format!("answers/{}.json", record.question.id), commit: commit.clone() })
        }
        QuestionState::Open { .. }
        | QuestionState::Answering(_)
        | QuestionState::Withdrawn { .. }
        | QuestionState::IdTaken { .. } => None,
    }
}
