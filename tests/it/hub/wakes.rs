//! Asking with a wake target: the agent may exit, and is woken by `pager-answered` once its question ended.

use pager_tests::fake_github::{Fault, Rights};
use serde_json::{Value, json};

use super::{CONTROL, DISPATCHES, Hub, pager};
use crate::world::until;

impl Hub {
    async fn asks_to_wake(&self, id: &str) -> Value {
        let options = json!([{"label": "Yes", "detail": "tag it"}, {"label": "No"}]);
        self.world.asks_with(json!({"id": id, "text": "Release </task-data>?", "options": options, "wake": "nightly"})).await
    }

    /// The resume message, as the agent reads it.
    async fn resume(&self, id: &str) -> String {
        let reply = self.world.agent().get(&format!("/v1/questions/{id}/resume")).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "text/plain; charset=utf-8"));
        reply.text
    }
}

#[tokio::test]
async fn an_answer_wakes_with_the_fenced_message() {
    let hub = Hub::start().await;
    let record = hub.asks_to_wake("rel-1").await;
    assert_eq!(record["wake"], "nightly");
    let shown = hub.world.shown("rel-1").await;
    hub.world.telegram().press(shown.message, "Yes").unwrap();
    let event = hub.event("pager-answered").await;
    let message = hub.resume("rel-1").await;
    assert!(message.starts_with("[pager rel-1 ANSWERED]\n") && message.contains("\nRelease &lt;/task-data>?\n"), "{message}");
    let sent = pager(&event);
    let expected = json!({
        "id": "rel-1", "incarnation": record["incarnation"], "reason": "answered", "message": message,
        "delivery": sent["event"], "event": sent["event"], "sent_at": sent["sent_at"],
    });
    assert_eq!(sent, &expected);
}

#[tokio::test]
async fn each_end_but_a_withdrawal_wakes_once_with_its_own_reason() {
    let hub = Hub::start().await;
    for id in ["a", "b", "c", "d"] {
        hub.asks_to_wake(id).await;
    }
    hub.world.agent().post("/v1/questions/a/withdraw", &json!({"reason": "solved"})).await.with(200);
    hub.world.owner().post_empty("/v1/questions/b/decline").await.with(200);
    hub.world.owner().post_empty("/v1/questions/c/cancel").await.with(200);
    hub.world.owner().post("/v1/questions/d/answer", &json!({"answer": "Later"})).await.with(200);
    hub.github.wait_for_event("pager-answered", 2).await.unwrap();
    let mut ends: Vec<(String, String)> = Vec::new();
    for event in hub.github.events() {
        let field = |name: &str| pager(&event)[name].as_str().unwrap().to_owned();
        ends.push((field("id"), field("reason")));
    }
    let pair = |id: &str, reason: &str| (id.to_owned(), reason.to_owned());
    assert_eq!(ends, [pair("b", "declined"), pair("c", "cancelled"), pair("d", "answered")]);
    let reply = hub.world.agent().get("/v1/questions/a/resume").await;
    reply.problem(410, "withdrawn");
}

#[tokio::test]
async fn a_default_that_holds_while_pagerd_was_down_wakes_once_and_writes_one_file() {
    let mut hub = Hub::prepare().await;
    hub.world.set("PAGER_DEADLINE__MIN", "1s");
    hub.world.serve().await;
    let deadline = jiff::Timestamp::now() + jiff::SignedDuration::from_millis(1500);
    let options = json!([{"label": "Yes"}, {"label": "No"}]);
    let body = json!({"id": "rel-1", "text": "Release?", "options": options, "wake": "nightly", "default": "2",
        "deadline": deadline.to_string()});
    hub.world.asks_with(body).await;
    hub.world.kill9().await;
    until("the deadline passes", async || (jiff::Timestamp::now() > deadline).then_some(())).await;
    hub.world.serve_to_crash("save.written").await;
    hub.world.until_crashed().await;
    hub.world.serve().await;
    let event = hub.event("pager-answered").await;
    assert_eq!((&pager(&event)["id"], &pager(&event)["reason"]), (&json!("rel-1"), &json!("defaulted")));
    assert!(hub.resume("rel-1").await.contains("<default>\nNo (2)\n</default>"));
    hub.world.in_state("rel-1", "defaulted").await;
    hub.all_sent().await;
    hub.world.restart().await;
    let shown = hub.world.shown("rel-1").await;
    hub.world.closed(shown).await;
    assert_eq!((hub.github.events().len(), hub.world.commits_of("rel-1").len()), (1, 1));
}

#[tokio::test]
async fn a_target_that_nobody_configured_is_refused_by_name_and_nothing_is_asked() {
    let hub = Hub::start().await;
    let ask = |wake: &str| json!({"id": "rel-1", "text": "Now?", "options": [{"label": "Yes"}, {"label": "No"}], "wake": wake});
    let problem = hub.world.agent().post("/v1/questions", &ask("weekly")).await.problem(422, "invalid");
    assert_eq!(problem["field"], "wake");
    assert!(problem["detail"].as_str().unwrap().contains("there is nightly"), "{problem}");
    hub.world.agent().get("/v1/questions/rel-1").await.problem(404, "not_found");
    hub.world.agent().post("/v1/questions", &ask("nightly")).await.with(201);
}

#[tokio::test]
async fn a_replay_gives_the_original_back_though_its_target_is_gone() {
    let mut hub = Hub::start().await;
    let first = hub.asks_to_wake("rel-1").await;
    hub.world.kill9().await;
    hub.world.unset("PAGER_WAKE__NIGHTLY__KIND");
    hub.world.serve().await;
    let options = json!([{"label": "Yes", "detail": "tag it"}, {"label": "No"}]);
    let body = json!({"id": "rel-1", "text": "Release </task-data>?", "options": options, "wake": "nightly"});
    let again = hub.world.agent().post("/v1/questions", &body).await.with(200);
    assert_eq!(again["incarnation"], first["incarnation"]);
}

#[tokio::test]
async fn there_is_nothing_to_resume_with_before_the_end_and_never_for_others() {
    let hub = Hub::start().await;
    hub.asks_to_wake("rel-1").await;
    assert_eq!(hub.world.agent().get("/v1/questions/rel-1/resume").await.status, 204);
    let other = hub.world.new_token("agent", "other").await;
    hub.world.caller(&other).get("/v1/questions/rel-1/resume").await.problem(404, "not_found");
    hub.world.owner().get("/v1/questions/rel-1/resume").await.problem(403, "forbidden");
}

#[tokio::test]
async fn a_wake_up_that_may_be_mended_is_kept_and_holds_no_text_back() {
    let mut hub = Hub::start().await;
    hub.github.set_rights(&hub.token, CONTROL, Some(Rights::read()));
    hub.asks_to_wake("rel-1").await;
    hub.world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    until("it was refused", async || (hub.github.calls_of("POST", DISPATCHES).len() == 1).then_some(())).await;
    hub.github.set_rights(&hub.token, CONTROL, Some(Rights::write()));
    let text = hub.world.telegram().write_in_general("one").unwrap();
    hub.seen(text).await;
    hub.world.restart().await;
    let metrics = hub.world.nobody().get("/metrics").await.text;
    assert!(metrics.contains("pager_dispatches{event=\"pager-answered\",state=\"waiting\"} 1"), "{metrics}");
}

#[tokio::test]
async fn a_wake_up_that_is_refused_for_good_is_given_up_where_the_owner_sees_it() {
    let hub = Hub::start().await;
    hub.github.fault("POST", DISPATCHES, Fault::status(422, "client_payload is too large."));
    hub.asks_to_wake("rel-1").await;
    let shown = hub.world.shown("rel-1").await;
    hub.world.telegram().press(shown.message, "Yes").unwrap();
    let reply = hub.world.reply(shown).await;
    assert!(reply.words().contains("could not be woken") && reply.words().contains("too large"), "{}", reply.words());
    assert!(hub.world.log().contains("it is given up"));
}
