//! A pagerd with one request of somebody else's, r-17, and one offer about the caller's own, r-1-offer. It reads every body with
//! the rules of the real one, and knows a publication when it comes again.

use std::collections::HashMap;
use std::sync::Mutex;

use pager_questions::fields::Fault;
use pager_questions::words::PickBody;
use pager_questions::{Author, OfferDraft, ReplyDraft, RequestDraft};
use serde_json::{Value, json};

use crate::command::INCARNATION;
use crate::server::{Reply, Request, Server, none_yet, problem, reply};

pub const AT: &str = "2026-11-30T13:22:15.004Z";

pub fn pagerd() -> Server {
    pagerd_with(|_| None)
}

/// One that says something else where this closure does.
pub fn pagerd_with(first: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static) -> Server {
    let published = Mutex::new(HashMap::new());
    Server::start(move |request| first(request).unwrap_or_else(|| respond(request, &published)))
}

fn respond(request: &Request, published: &Mutex<HashMap<String, Value>>) -> Reply {
    let made = match request.line.as_str() {
        "POST /v1/requests" => RequestDraft::read(request.body.clone()).map(|draft| {
            json!({
                "id": draft.id.map_or("r-0707070707070707".to_owned(), |id| id.to_string()), "title": request.body["title"],
                "at": AT, "state": "open", "warnings": draft.warnings,
            })
        }),
        "POST /v1/requests/r-17/replies" => ReplyDraft::read(request.body.clone()).map(|draft| {
            json!({"id": "y-0707070707070707", "request": "r-17", "kind": "answer", "title": draft.title, "text": draft.text, "at": AT})
        }),
        "POST /v1/requests/r-17/offers" => OfferDraft::read(request.body.clone(), &helper()).map(|_| offered("open")),
        "GET /v1/questions/r-1-offer" => return reply(200, &record("r-1-offer", "open")),
        "POST /v1/questions/r-1-offer/pick" => match PickBody::read(request.body.clone()) {
            Ok(_) => return reply(200, &picked("r-1-offer", "chosen")),
            Err(fault) => Err(fault),
        },
        line if line.starts_with("GET /v1/questions/r-17-offer/answer") => return none_yet(),
        _ => return problem(404, "not_found"),
    };
    match made {
        Ok(made) => once(request, made, published),
        Err(fault) => refuse(&fault),
    }
}

/// Published again under its name, the original comes back, and anything else does not.
fn once(request: &Request, made: Value, published: &Mutex<HashMap<String, Value>>) -> Reply {
    let Some(publication) = request.body["publication_id"].as_str() else { return reply(201, &made) };
    match published.lock().unwrap().insert(publication.to_owned(), request.body.clone()) {
        None => reply(201, &made),
        Some(before) if before == request.body => reply(200, &made),
        Some(_) => problem(409, "draft_changed"),
    }
}

fn refuse(fault: &Fault) -> Reply {
    reply(422, &json!({"status": 422, "code": fault.code.as_str(), "field": fault.field, "detail": fault.detail}))
}

fn helper() -> Author {
    Author::parse("helper").unwrap()
}

pub fn record(id: &str, state: &str) -> Value {
    json!({
        "id": id, "incarnation": INCARNATION, "asked_at": AT, "state": state, "purpose": "offer", "multi": false,
        "options": [{"id": "deliverable", "label": "untested code"}, {"id": "out", "label": "no thanks"}],
        "delivery": {"state": "not_applicable", "reason": null, "link": null}, "warnings": [],
    })
}

fn offered(state: &str) -> Value {
    record("r-17-offer", state)
}

pub fn picked(id: &str, outcome: &str) -> Value {
    json!({
        "id": id, "incarnation": INCARNATION, "outcome": outcome, "choice": "deliverable", "answer": "untested code",
        "at": "2026-11-30T13:25:03.120Z", "digest": null, "default": (outcome == "defaulted").then_some("deliverable"),
        "options": [{"id": "deliverable", "label": "untested code"}, {"id": "out", "label": "no thanks"}],
    })
}
