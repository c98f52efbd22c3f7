//! Events of the control repository: what a forwarded body may hold, and whose act it is.

use pager_questions::control::{Act, ControlEvent, Dispatch, Sender, forwarded};
use pager_questions::fields::FaultCode;
use pager_questions::{Author, Incarnation, QuestionId, Time};
use serde_json::{Value, json};

fn with(mut body: Value, more: Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn ask(more: Value) -> Value {
    let options = json!([{"label": "Yes"}, {"label": "No"}]);
    with(json!({"type": "ask", "id": "rel-42", "text": "Release?", "options": options}), more)
}

fn withdrawal(more: Value) -> Value {
    with(json!({"type": "withdraw", "id": "rel-42"}), more)
}

#[track_caller]
fn refused(body: Value, code: FaultCode, field: &str) {
    let fault = ControlEvent::read(body).unwrap_err();
    assert_eq!((fault.code, fault.field.as_str()), (code, field), "{fault}");
}

#[test]
fn a_question_belongs_to_the_control_repository_and_the_agent_it_names() {
    for (agent, author) in [(json!("ci"), "control/ci"), (Value::Null, "control")] {
        let event = ControlEvent::read(ask(json!({"agent": agent, "source": {"agent": "root", "run": "7"}}))).unwrap();
        assert_eq!(event.author.as_str(), author);
        let Act::Ask(draft) = event.act else { panic!("it asks") };
        let asked = draft.ask(QuestionId::parse("a").unwrap(), Incarnation::from_random([1; 8]), Time::from_millis(5));
        assert_eq!((asked.source.agent.as_str(), asked.source.run.as_deref()), (author, Some("7")));
        assert_eq!(asked.asked_at, Time::from_millis(5), "by the service's clock");
    }
}

#[test]
fn an_event_may_tell_when_and_by_whom_it_was_sent() {
    let more = json!({"sent_at": "2026-11-30T13:25:03Z", "sender": {"login": "olga", "id": 4242}, "agent": "ci"});
    let event = ControlEvent::read(withdrawal(with(more, json!({"reason": "solved"})))).unwrap();
    let expected = ControlEvent {
        author: Author::parse("control/ci").unwrap(),
        sent_at: Time::parse("2026-11-30T13:25:03Z"),
        sender: Some(Sender { id: 4242, login: Some("olga".to_owned()) }),
        act: Act::Withdraw { id: QuestionId::parse("rel-42").unwrap(), reason: Some("solved".to_owned()) },
    };
    assert_eq!(event, expected);
}

#[test]
fn seconds_since_1970_are_a_time_as_a_number_and_as_a_text() {
    for sent_at in [json!(1_796_045_103), json!(1_796_045_103.0), json!("1796045103"), json!("2026-11-30T13:25:03Z")] {
        let event = ControlEvent::read(withdrawal(json!({"sent_at": sent_at}))).unwrap();
        assert_eq!(event.sent_at, Some(Time::from_millis(1_796_045_103_000)), "{sent_at}");
    }
    assert_eq!(ControlEvent::read(withdrawal(json!({"sent_at": null}))).unwrap().sent_at, None);
}

#[test]
fn anything_else_in_it_is_an_unknown_field() {
    refused(ask(json!({"event": "x"})), FaultCode::UnknownField, "event");
    refused(withdrawal(json!({"text": "x"})), FaultCode::UnknownField, "text");
    refused(withdrawal(json!({"sender": {"id": 1, "admin": true}})), FaultCode::UnknownField, "sender.admin");
}

#[test]
fn work_replies_and_offers_are_read_with_their_own_fields_and_the_request_they_are_about() {
    let read = |body: Value| ControlEvent::read(body).unwrap().act;
    let request = read(json!({"type": "request", "title": "Build it", "text": "In Rust.", "tags": ["cap:rust"], "sent_at": 5}));
    assert!(matches!(request, Act::Request(_)) && request.name() == "request");
    match read(json!({"type": "reply", "request": "r-1", "title": "Built", "text": "It is there.", "agent": "ci"})) {
        Act::Reply { request, draft } => assert_eq!((request.as_str(), draft.text.as_str()), ("r-1", "It is there.")),
        other => panic!("{other:?}"),
    }
    let offer =
        json!({"type": "offer", "request": "r-1", "deliverable": "untested code", "missing": "a build", "why": "no compiler"});
    assert!(matches!(read(offer), Act::Offer { .. }));
    refused(json!({"type": "reply", "title": "Built", "text": "x"}), FaultCode::Invalid, "request");
    refused(json!({"type": "offer", "request": "R 1", "deliverable": "x"}), FaultCode::Invalid, "request");
    refused(json!({"type": "offer", "request": "r-1"}), FaultCode::Invalid, "deliverable");
    refused(json!({"type": "request", "title": "x", "text": "x", "request": "r-1"}), FaultCode::UnknownField, "request");
    refused(json!({"type": "pick", "id": "r-1"}), FaultCode::Invalid, "type");
}

#[test]
fn the_field_at_fault_is_named() {
    let invalid = FaultCode::Invalid;
    for body in [json!([]), json!("ask"), Value::Null] {
        refused(body, invalid, "");
    }
    refused(json!({"id": "rel-42"}), invalid, "type");
    refused(json!({"type": "answer", "id": "rel-42"}), invalid, "type");
    refused(json!({"type": 7}), invalid, "type");
    refused(json!({"type": "withdraw"}), invalid, "id");
    refused(withdrawal(json!({"id": "../x"})), invalid, "id");
    refused(withdrawal(json!({"reason": " "})), invalid, "reason");
    refused(withdrawal(json!({"sent_at": "soon"})), invalid, "sent_at");
    refused(withdrawal(json!({"sent_at": -5})), invalid, "sent_at");
    refused(withdrawal(json!({"sent_at": true})), invalid, "sent_at");
    refused(withdrawal(json!({"agent": "control"})), invalid, "agent");
    refused(withdrawal(json!({"agent": "a/b"})), invalid, "agent");
    refused(withdrawal(json!({"sender": 7})), invalid, "sender");
    for id in [json!("4242"), json!(-1), json!(1.5), Value::Null] {
        refused(withdrawal(json!({"sender": {"id": id}})), invalid, "sender.id");
    }
    refused(ask(json!({"options": [{"label": "Yes"}]})), invalid, "options");
}

#[test]
fn the_same_question_of_another_source_is_another_draft() {
    let print = |body: Value| match ControlEvent::read(body).unwrap().act {
        Act::Ask(draft) => draft.fingerprint(),
        _ => panic!("it asks"),
    };
    let (one, same) =
        (print(ask(json!({"agent": "ci"}))), print(ask(json!({"agent": "ci", "sent_at": "5", "sender": {"id": 1}}))));
    assert_eq!(one, same);
    assert_ne!(one, print(ask(json!({}))));
}

fn dispatch(action: &str, pager: Value) -> Value {
    json!({
        "action": action, "branch": "main", "client_payload": {"pager": pager},
        "repository": {"id": 42, "full_name": "o/control"}, "sender": {"login": "olga", "id": 4242, "type": "User"},
    })
}

#[test]
fn a_dispatch_of_github_s_is_what_a_workflow_would_have_forwarded() {
    let pager = json!({"id": "rel-42", "reason": "solved", "agent": "ci", "sent_at": "5", "event": "0198f2c4-7d5e"});
    let Dispatch::Event(body) = forwarded(&dispatch("pager-withdraw", pager)).unwrap() else { panic!("it is an event") };
    let expected = json!({
        "type": "withdraw", "id": "rel-42", "reason": "solved", "agent": "ci", "sent_at": "5",
        "sender": {"id": 4242, "login": "olga"},
    });
    assert_eq!(body, expected);
    assert_eq!(ControlEvent::read(body).unwrap().author.as_str(), "control/ci");
}

#[test]
fn a_dispatch_names_neither_its_own_sender_nor_another_type() {
    for stamped in ["sender", "type"] {
        let fault = forwarded(&dispatch("pager-withdraw", json!({"id": "a", stamped: {"id": 1}}))).unwrap_err();
        assert_eq!((fault.code, fault.field.as_str()), (FaultCode::UnknownField, stamped));
    }
    let without = json!({"action": "pager-ask", "client_payload": {}, "sender": {"id": 1}});
    assert_eq!(forwarded(&without).unwrap_err().field, "client_payload.pager");
}

#[test]
fn a_dispatch_of_another_type_is_somebody_else_s() {
    for action in ["deploy", "pager-text", "pager-answered", "pager-", "ask"] {
        assert!(matches!(forwarded(&dispatch(action, json!({"id": "a"}))), Ok(Dispatch::Ignored(_))), "{action}");
    }
    assert!(matches!(forwarded(&json!({"zen": "Design for failure."})), Ok(Dispatch::Ignored(_))));
}
