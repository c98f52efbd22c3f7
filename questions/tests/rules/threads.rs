//! Requests, replies and offers: what may be written, what it becomes, and what tells two drafts apart.

use pager_questions::draft::Bounds;
use pager_questions::fields::Fault;
use pager_questions::reply::fingerprint as reply_fingerprint;
use pager_questions::request::fingerprint;
use pager_questions::{
    Author, By, Incarnation, OfferDraft, Party, Purpose, Question, ReplyDraft, ReplyKind, Request, RequestDraft, RequestId, Time,
    Via,
};
use serde_json::{Value, json};

use crate::samples;

const NOW: i64 = 1_000_000_000;

fn with(mut body: Value, more: Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn request_draft(more: Value) -> Result<RequestDraft, Fault> {
    RequestDraft::read(with(json!({"title": "Build it", "text": "In Rust."}), more))
}

fn reply_draft(more: Value) -> Result<ReplyDraft, Fault> {
    ReplyDraft::read(with(json!({"title": "Built", "text": "Here."}), more))
}

fn requested(from: By, more: Value) -> Request {
    request_draft(more).unwrap().ask(RequestId::parse("r-1").unwrap(), from, Time::from_millis(NOW))
}

fn offer_draft(more: Value) -> Result<OfferDraft, Fault> {
    let body = json!({"deliverable": "untested code", "missing": "a build", "why": "no compiler"});
    OfferDraft::read(with(body, more), &samples::agent())
}

fn offered(more: Value) -> Question {
    let request = requested(By::agent("asker", Via::Http), json!({}));
    offer_draft(more).unwrap().question(&request, &samples::agent()).unwrap().question().clone()
}

#[track_caller]
fn check<T: std::fmt::Debug>(read: Result<T, Fault>, code: &str, field: &str) {
    let fault = read.unwrap_err();
    assert_eq!((fault.code.as_str(), fault.field.as_str()), (code, field), "{fault:?}");
}

#[test]
fn a_request_has_a_title_on_one_line_and_a_text_as_it_came() {
    let request = requested(samples::owner(), json!({"title": "Build\n  it", "text": " In\nRust. ", "tags": ["cap:rust", "x"]}));
    assert_eq!((request.title.as_str(), request.text.as_str()), ("Build it", " In\nRust. "));
    assert_eq!((request.tags.as_slice(), request.about), (["cap:rust".to_owned(), "x".to_owned()].as_slice(), None));
    assert!(request_draft(json!({"title": "ä".repeat(200), "text": "ä".repeat(4096)})).is_ok());
}

#[test]
fn what_breaks_a_rule_of_a_request_is_named() {
    for (more, code, field) in [
        (json!({"title": null}), "invalid", "title"),
        (json!({"title": "\u{200b}"}), "invalid", "title"),
        (json!({"title": "ä".repeat(201)}), "invalid", "title"),
        (json!({"text": "ä".repeat(4097)}), "invalid", "text"),
        (json!({"tags": "cap:rust"}), "invalid", "tags"),
        (json!({"tags": ["a", "b,c"]}), "invalid", "tags[1]"),
        (json!({"tags": ["a", "a"]}), "invalid", "tags[1]"),
        (json!({"tags": (0..11).map(|number| format!("t{number}")).collect::<Vec<_>>()}), "invalid", "tags"),
        (json!({"issue": {"tracker": "t", "key": "k", "url": "javascript:x"}}), "invalid", "issue.url"),
        (json!({"id": "R 1"}), "invalid", "id"),
        (json!({"default": "x"}), "unknown_field", "default"),
    ] {
        check(request_draft(more), code, field);
    }
}

#[test]
fn a_request_s_deadline_is_read_leniently_and_held_to_the_operators_bounds() {
    let bounds = Bounds { least: 60_000, most: 600_000 };
    let now = Time::from_millis(NOW);
    let held = |millis: i64| {
        let deadline = Time::from_millis(NOW + millis).to_string();
        request_draft(json!({"deadline": deadline})).unwrap().within(&bounds, now)
    };
    let of = |draft: RequestDraft| {
        (draft.clone().ask(RequestId::parse("r-1").unwrap(), samples::owner(), now).deadline, draft.warnings.len())
    };
    assert_eq!(of(held(1).unwrap()), (Some(Time::from_millis(NOW + 60_000)), 1), "never earlier than the minimum");
    assert_eq!(of(held(600_000).unwrap()), (Some(Time::from_millis(NOW + 600_000)), 0));
    check(held(600_001), "invalid", "deadline");
    for odd in [json!(1.5), json!(-3), json!(1_796_126_400_000_u64), json!("tomorrow"), json!({})] {
        assert_eq!(of(request_draft(json!({"deadline": odd})).unwrap().within(&bounds, now).unwrap()), (None, 1), "{odd}");
    }
}

#[test]
fn two_requests_are_told_apart_by_what_they_ask_for_and_not_by_when() {
    let draft = |more| request_draft(more).unwrap();
    let first = draft(json!({}));
    assert_eq!(first.fingerprint(), fingerprint(&requested(samples::owner(), json!({}))));
    assert_eq!(first.fingerprint(), draft(json!({"deadline": "2026-12-01T00:00:00Z", "id": "r-9"})).fingerprint());
    for more in [json!({"title": "Other"}), json!({"text": "Other"}), json!({"tags": ["a"]})] {
        assert_ne!(first.fingerprint(), draft(more).fingerprint());
    }
}

#[test]
fn a_request_is_settled_by_the_agent_that_asked_where_it_has_a_door() {
    let settled = |from: By| requested(from, json!({})).settled_by_agent().map(|author| author.to_string());
    assert_eq!(settled(By::agent("asker", Via::Http)).as_deref(), Some("asker"));
    assert_eq!(settled(samples::owner()), None);
    for control in ["control", "control/ci"] {
        assert_eq!(settled(By::agent(control, Via::Http)), None, "{control}");
    }
}

#[test]
fn a_request_is_of_interest_by_its_tags() {
    let skills = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let tagged = requested(samples::owner(), json!({"tags": ["cap:rust", "cap:go"]}));
    let bare = requested(samples::owner(), json!({}));
    assert!(tagged.is_of_interest(&skills(&["cap:go"])) && tagged.is_of_interest(&[]));
    assert!(!tagged.is_of_interest(&skills(&["cap:ruby"])) && bare.is_of_interest(&skills(&["cap:ruby"])));
}

#[test]
fn a_reply_of_whoever_asked_is_a_message_and_of_anybody_else_an_answer() {
    let by_agent = requested(By::agent("asker", Via::Http), json!({}));
    let by_owner = requested(samples::owner(), json!({}));
    let agent = |name: &str| Party::Agent(Author::parse(name).unwrap());
    for (party, request, kind) in [
        (agent("asker"), &by_agent, ReplyKind::Message),
        (agent("other"), &by_agent, ReplyKind::Answer),
        (Party::Owner, &by_agent, ReplyKind::Answer),
        (Party::Owner, &by_owner, ReplyKind::Message),
        (agent("owner"), &by_owner, ReplyKind::Answer),
    ] {
        assert_eq!(ReplyKind::of(&party, request), kind, "{party}");
    }
}

#[test]
fn a_reply_needs_a_title_and_a_text_and_is_told_apart_by_them() {
    for (more, code, field) in [
        (json!({"title": null}), "invalid", "title"),
        (json!({"title": "ä".repeat(201)}), "invalid", "title"),
        (json!({"text": " "}), "invalid", "text"),
        (json!({"text": "ä".repeat(4097)}), "invalid", "text"),
        (json!({"offer": "o-1"}), "unknown_field", "offer"),
    ] {
        check(reply_draft(more), code, field);
    }
    let request = requested(samples::owner(), json!({}));
    let draft = reply_draft(json!({"publication_id": "p-1"})).unwrap();
    let key = Incarnation::from_random([7; 8]);
    let reply = draft.reply(&key, &request, samples::asking_agent(), ReplyKind::Answer, Time::from_millis(0));
    assert_eq!((reply.id.as_str(), reply.request.as_str(), &reply.offer), ("y-0707070707070707", "r-1", &None));
    assert_eq!(reply_fingerprint(&reply), draft.fingerprint());
    assert_ne!(draft.fingerprint(), reply_draft(json!({"text": "Other"})).unwrap().fingerprint());
}

#[test]
fn an_offer_is_a_question_with_the_deliverable_first_and_the_way_out_last() {
    let question = offered(json!({}));
    assert_eq!((question.purpose, question.about.as_ref().map(ToString::to_string)), (Purpose::Offer, Some("r-1".to_owned())));
    assert_eq!(question.text, "A partial offer for 'Build it': untested code\nMissing: a build\nWhy: no compiler");
    let options: Vec<_> = question.options.iter().map(|option| (option.id.as_str(), option.label.as_str())).collect();
    assert_eq!(options, [("deliverable", "untested code"), ("out", "no thanks")]);
    assert_eq!((question.default, question.put_to), (None, None), "whom it is put to is the service's to say");
    assert_eq!(offered(json!({"or": "wait for a build"})).options[1].label, "wait for a build");
}

#[test]
fn with_a_deadline_an_offer_has_a_default_and_the_deliverable_unless_it_says_otherwise() {
    let default = |more| offered(more).default.map(|default| default.to_string());
    let deadline = "2026-12-01T00:00:00Z";
    assert_eq!(default(json!({"deadline": deadline})).as_deref(), Some("deliverable"));
    assert_eq!(default(json!({"deadline": deadline, "default": "out"})).as_deref(), Some("out"));
    assert_eq!(default(json!({"deadline": 1.5})), None, "what is no time is left out with its default");
    for (more, field) in [
        (json!({"default": "deliverable"}), "default"),
        (json!({"deadline": deadline, "default": "no thanks"}), "default"),
        (json!({"or": " untested  code"}), "or"),
        (json!({"deliverable": "x".repeat(101)}), "deliverable"),
        (json!({"missing": null}), "missing"),
        (json!({"why": " "}), "why"),
    ] {
        check(offer_draft(more), "invalid", field);
    }
    check(offer_draft(json!({"reversibility": "reversible"})), "unknown_field", "reversibility");
}
