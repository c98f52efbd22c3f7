//! What may be asked: every refusal names its field and a stable code.

use pager_questions::fields::Fault;
use pager_questions::{Draft, Question, QuestionId, Time};
use serde_json::{Value, json};

use crate::samples;

/// The body with these fields set; null takes one out.
pub fn body(changes: Value) -> Value {
    let mut body = json!({"text": "Release now?", "options": [{"label": "Yes"}, {"label": "No"}]});
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

pub fn read(body: Value) -> Result<Draft, Fault> {
    Draft::read(body, &samples::agent())
}

pub fn asked(body: Value) -> Question {
    let id = QuestionId::parse("made").unwrap();
    read(body).unwrap().ask(id, samples::question().incarnation, Time::from_millis(1))
}

#[track_caller]
pub fn check_refused(body: Value, code: &str, field: &str) {
    match read(body.clone()) {
        Ok(_) => panic!("it was taken: {body}"),
        Err(fault) => {
            assert_eq!((fault.code.as_str(), fault.field.as_str()), (code, field), "{body}: {fault}");
            assert!(!fault.detail.is_empty());
        }
    }
}

#[test]
fn options_have_default_ids_and_make_it_a_question() {
    let question = asked(body(json!({"options": [{"label": "A"}, {"label": "B"}, {"label": "C"}, {"label": "D"}]})));
    let ids: Vec<&str> = question.options.iter().map(|option| option.id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "3", "4"]);
    assert_eq!(question.purpose, pager_questions::Purpose::Question);
}

#[test]
fn without_options_it_is_a_clarification_and_says_what_waits() {
    for options in [json!(null), json!([])] {
        let question = asked(body(json!({"options": options, "waiting_on": "the release"})));
        assert_eq!(question.purpose, pager_questions::Purpose::Clarification);
        check_refused(body(json!({"options": options})), "invalid", "waiting_on");
    }
    let named = json!({"purpose": "clarification", "waiting_on": "the release"});
    check_refused(body(named), "invalid", "options");
    check_refused(body(json!({"purpose": "question", "options": null})), "invalid", "options");
}

#[test]
fn options_are_distinct_by_id_and_by_label() {
    let with = |options: Value| body(json!({"options": options}));
    check_refused(with(json!([{"label": "Yes"}, {"label": " Yes "}])), "invalid", "options[1].label");
    check_refused(with(json!([{"id": "a", "label": "Yes"}, {"id": "a", "label": "No"}])), "invalid", "options[1].id");
    check_refused(with(json!([{"id": "2", "label": "Yes"}, {"label": "No"}])), "invalid", "options[1].id");
    assert!(read(with(json!([{"id": "b", "label": "yes"}, {"id": "a_-9", "label": "Yes"}]))).is_ok());
}

#[test]
fn a_recommendation_is_one_of_the_options() {
    assert!(read(body(json!({"recommended": "2"}))).is_ok());
    for unknown in ["3", "Yes", "../1"] {
        check_refused(body(json!({"recommended": unknown})), "invalid", "recommended");
    }
}

#[test]
fn what_nobody_knows_is_refused_by_name_at_every_depth() {
    check_refused(body(json!({"txet": "?"})), "unknown_field", "txet");
    check_refused(body(json!({"agent": "somebody"})), "unknown_field", "agent");
    check_refused(body(json!({"asked_at": "2026-11-30T13:22:15Z"})), "unknown_field", "asked_at");
    check_refused(body(json!({"incarnation": "9f3c2a715be04d18"})), "unknown_field", "incarnation");
    check_refused(body(json!({"source": {"foo": 1}})), "unknown_field", "source.foo");
    let options = json!([{"label": "Yes"}, {"label": "No", "colour": "red"}]);
    check_refused(body(json!({"options": options})), "unknown_field", "options[1].colour");
    let issue = json!({"tracker": "gh", "key": "1", "url": "https://x.example", "title": "x"});
    check_refused(body(json!({"issue": issue})), "unknown_field", "issue.title");
}

#[test]
fn what_it_is_about_and_for_is_named_as_it_can_be() {
    assert_eq!(asked(body(json!({"about": "r-1"}))).about.map(|about| about.to_string()).as_deref(), Some("r-1"));
    check_refused(body(json!({"about": "R 1"})), "invalid", "about");
    check_refused(body(json!({"purpose": "offer"})), "invalid", "about");
    check_refused(body(json!({"put_to": "builder"})), "unknown_field", "put_to");
    for purpose in ["Question", "poll", ""] {
        check_refused(body(json!({"purpose": purpose})), "invalid", "purpose");
    }
}

#[test]
fn null_is_the_same_as_absent_and_false_asks_for_nothing() {
    let plain = asked(body(json!({})));
    let nulls = json!({
        "id": null, "purpose": null, "recommended": null, "multi": null, "header": null, "group": null,
        "reversibility": null, "waiting_on": null, "deadline": null, "default": null, "gate": null, "subject": null,
        "digest": null, "steps": null, "secret": null, "issue": null, "about": null, "source": null, "wake": null,
        "publication_id": null
    });
    assert_eq!(asked(body(nulls)), plain);
    assert_eq!(asked(body(json!({"multi": false, "secret": false}))), plain);
    assert_eq!(
        asked(body(json!({"source": {"run": null}, "options": [{"label": "Yes", "detail": null}, {"label": "No"}]}))),
        plain
    );
}

#[test]
fn the_asking_agent_is_never_taken_from_the_body() {
    let question = asked(body(json!({"source": {"agent": "root", "run": "7", "seat_hint": "desk"}})));
    assert_eq!(question.source.agent, samples::agent());
    assert_eq!(question.source.run.as_deref(), Some("7"));
    assert_eq!(asked(body(json!({"source": {"agent": {"name": "root"}}}))).source.agent, samples::agent());
}

#[test]
fn an_issue_is_a_link_to_the_web() {
    let with = |url: &str| body(json!({"issue": {"tracker": "gh", "key": "12", "url": url}}));
    for url in [
        "javascript:alert(1)",
        "ftp://x.example",
        "//x.example",
        "x.example",
        "https://",
        "https:///x",
        "https://x.example/a b",
        "https://x.example/\u{1}",
        "data:text/html,x",
        "file:///etc/passwd",
    ] {
        check_refused(with(url), "invalid", "issue.url");
    }
    for url in ["https://x.example/12?a=b#c", "http://127.0.0.1:3000/i/12"] {
        assert!(read(with(url)).is_ok(), "{url}");
    }
    check_refused(body(json!({"issue": {"tracker": "gh", "url": "https://x.example"}})), "invalid", "issue.key");
}

#[test]
fn an_id_that_could_be_a_path_is_no_id() {
    for id in ["Rel-42", "../rel", "a/b", "a.json", "-a", "", " a", "ä", "a\u{0}"] {
        check_refused(body(json!({"id": id})), "invalid", "id");
    }
    assert_eq!(read(body(json!({"id": "rel-42"}))).unwrap().id.unwrap().as_str(), "rel-42");
    assert_eq!(read(body(json!({}))).unwrap().id, None);
}

#[test]
fn a_value_of_another_kind_is_refused_where_it_stands() {
    check_refused(json!([]), "invalid", "");
    check_refused(json!("Release now?"), "invalid", "");
    check_refused(body(json!({"text": 7})), "invalid", "text");
    check_refused(body(json!({"text": null})), "invalid", "text");
    check_refused(body(json!({"options": "Yes,No"})), "invalid", "options");
    check_refused(body(json!({"options": [{"label": "Yes"}, "No"]})), "invalid", "options[1]");
    check_refused(body(json!({"options": [{"label": "Yes"}, {}]})), "invalid", "options[1].label");
    check_refused(body(json!({"source": "ci"})), "invalid", "source");
    check_refused(body(json!({"issue": "gh#12"})), "invalid", "issue");
    check_refused(body(json!({"reversibility": "risky"})), "invalid", "reversibility");
}
