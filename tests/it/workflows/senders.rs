//! `pager-forward.yml`: whose events are taken, and which events are events at all. The same in both of its jobs.

use serde_json::{Value, json};

use super::door::Door;
use super::event::{event, question, signing, with_payload};
use super::steps::step;

/// Lets both jobs meet this event; whether they sent something, and what they said.
async fn sent(event: &Value, maintainers: &str) -> (bool, String) {
    let mut said = String::new();
    let mut sent = Vec::new();
    for job in ["forward", "inbox"] {
        let door = Door::with_status(201).await;
        let mut runner = signing(event, &door.url);
        runner.set("GITHUB_API_URL", &door.url);
        runner.context.set("vars.PAGER_MAINTAINER", maintainers);
        let outcome = runner.run(&step("pager-forward.yml", job)).await;
        assert_eq!(outcome.succeeded, !door.lines().is_empty(), "{job}: {outcome:?}");
        assert_eq!(outcome.log.lines().count(), 1, "{outcome:?}");
        sent.push(outcome.succeeded);
        said = outcome.log;
    }
    assert_eq!(sent[0], sent[1], "the two jobs differ");
    (sent[0], said)
}

#[tokio::test]
async fn only_the_ids_in_the_variable_may_send() {
    let from = event("pager-ask", &question());
    for taken in ["4711", "1,4711", " 4711 , 2", "4711,", "1,\n4711"] {
        assert!(sent(&from, taken).await.0, "{taken}");
    }
    for refused in ["", ",", "471", "47110", "4711 2", "olga", "*", "1,2", "[4711]"] {
        let (was_sent, said) = sent(&from, refused).await;
        assert!(!was_sent, "{refused}");
        assert_eq!(said, "::error::pager-forward: the sender 4711 is not in the variable PAGER_MAINTAINER");
    }
}

#[tokio::test]
async fn an_event_without_a_numeric_sender_is_nobodys() {
    for sender in
        [Value::Null, json!({}), json!({"login": "olga"}), json!({"login": "olga", "id": "4711"}), json!([4711]), json!("4711")]
    {
        let mut from = event("pager-ask", &question());
        from["sender"] = sender;
        let (was_sent, said) = sent(&from, "4711,null,").await;
        assert!(!was_sent);
        assert_eq!(said, "::error::pager-forward: the event names no sender");
    }
}

#[tokio::test]
async fn a_payload_without_the_key_pager_is_refused() {
    for payload in [
        Value::Null,
        json!({}),
        json!({"pager": "text"}),
        json!({"pager": []}),
        json!({"pager": null}),
        json!("pager"),
        json!([1]),
    ] {
        let (was_sent, said) = sent(&with_payload("pager-ask", &payload), "4711").await;
        assert!(!was_sent, "{payload}");
        assert_eq!(said, "::error::pager-forward: client_payload holds no object pager");
    }
}

#[tokio::test]
async fn an_event_id_that_is_no_uuid_is_refused_and_not_repeated_in_the_log() {
    let ids = [
        Value::Null,
        json!(7),
        json!(""),
        json!("-rf"),
        json!("../../main/x"),
        json!("0191d2a4-6b1e-7c3f-8a55-0f6f5f0e9c11\n"),
        json!("0191d2a4-6b1e-7c3f-8a55-0f6f5f0e9c11\n::error::forged"),
        json!("0191d2a4-6b1e-7c3f-8a55-0f6f5f0e9c1é"),
    ];
    for id in ids {
        let (was_sent, said) = sent(&with_payload("pager-ask", &json!({"pager": {"id": "rel-42", "event": id}})), "4711").await;
        assert!(!was_sent, "{id}");
        assert_eq!(said, "::error::pager-forward: client_payload.pager.event is not a UUID");
    }
}

#[tokio::test]
async fn an_event_of_another_type_is_refused() {
    for kind in [Value::Null, json!("ask"), json!("pager-"), json!("pager-ask\n"), json!("pager-$(id)"), json!(["pager-ask"])] {
        let mut from = event("pager-ask", &question());
        from["action"] = kind;
        let (was_sent, said) = sent(&from, "4711").await;
        assert!(!was_sent);
        assert_eq!(said, "::error::pager-forward: the type of the event is not one of ours");
    }
}

#[test]
fn both_jobs_make_the_body_by_the_same_program() {
    let program = |job| step("pager-forward.yml", job).environment["MAKE_BODY"].clone();
    assert_eq!(program("forward"), program("inbox"));
}
