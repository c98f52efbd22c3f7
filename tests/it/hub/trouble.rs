//! GitHub down, out of breath, or refusing: nothing is lost, the owner sees 👀 late or is told why never.

use pager_tests::fake_github::{Fault, Rights};
use pager_tests::fake_telegram::Message;
use sqlx::Connection as _;

use super::{CONTROL, DISPATCHES, Hub, pager};
use crate::world::until;

async fn degraded(hub: &Hub) -> String {
    hub.world.nobody().get("/readyz").await.with(200)["degraded"].to_string()
}

#[tokio::test]
async fn while_github_is_down_texts_wait_and_readyz_says_so() {
    let mut hub = Hub::start().await;
    hub.github.set_down(true);
    let [one, two] = ["one", "two"].map(|text| hub.world.telegram().write_in_general(text).unwrap());
    until("readyz tells of it", async || degraded(&hub).await.contains("github: ").then_some(())).await;
    hub.world.restart().await;
    until("readyz tells of it again", async || degraded(&hub).await.contains("github: ").then_some(())).await;
    assert!(!hub.is_seen(one));
    for figure in [
        "pager_dispatches{event=\"pager-text\",state=\"waiting\"} 2",
        "pager_dispatch_tries_total{event=\"pager-text\",outcome=\"unknown\"}",
    ] {
        until(figure, async || hub.world.nobody().get("/metrics").await.text.contains(figure).then_some(())).await;
    }
    hub.github.set_down(false);
    hub.seen(two).await;
    hub.seen(one).await;
    assert_eq!(hub.github.events().len(), 2);
    assert_eq!(degraded(&hub).await, "[]");
}

#[tokio::test]
async fn a_reply_that_got_lost_makes_a_second_event_with_the_same_id() {
    let hub = Hub::start().await;
    hub.github.fault("POST", DISPATCHES, Fault::reset_after());
    let text = hub.world.telegram().write_in_general("one").unwrap();
    hub.seen(text).await;
    let events = hub.github.events();
    assert_eq!(events.len(), 2, "it was taken both times");
    assert_eq!(events[0].client_payload, events[1].client_payload);
}

#[tokio::test]
async fn a_limit_is_waited_for_as_long_as_github_asks() {
    let hub = Hub::start().await;
    hub.github.fault("POST", DISPATCHES, Fault::SecondaryLimit { retry_after: Some(2), status: None });
    let text = hub.world.telegram().write_in_general("one").unwrap();
    hub.seen(text).await;
    let calls = hub.github.calls_of("POST", DISPATCHES);
    assert_eq!(calls.len(), 2);
    assert!(calls[1].at_ms - calls[0].at_ms >= 2000, "{calls:?}");
}

#[tokio::test]
async fn what_github_refuses_for_good_stays_stored_and_its_writer_is_told() {
    for (fault, words) in [
        (Fault::status(422, "client_payload is too large."), "client_payload is too large."),
        (Fault::Gone {}, "Not Found"),
        (Fault::status(401, "Bad credentials"), "Bad credentials"),
    ] {
        let hub = Hub::start().await;
        hub.github.fault("POST", DISPATCHES, fault);
        let text = hub.world.telegram().write_in_general("Build this").unwrap();
        let is_reply = |message: &Message| message.reply_to == Some(text) && message.words().contains("GitHub");
        let reply = hub.world.telegram().wait_for_message("reply", is_reply).await.unwrap();
        let request = hub.requests().await.remove(0);
        let told = reply.words();
        assert!(told.contains(words) && told.contains(request["id"].as_str().unwrap()), "{told}");
        assert!(!told.contains(&hub.token) && !hub.world.log().contains(&hub.token));
        assert!(!hub.is_seen(text));
        assert!(degraded(&hub).await.contains("github: "));
        // The next one goes its way.
        let next = hub.world.telegram().write_in_general("And this").unwrap();
        hub.seen(next).await;
        assert_eq!(pager(&hub.event("pager-text").await)["text"], "And this");
        assert_eq!(hub.github.events().len(), 1);
        assert_eq!(degraded(&hub).await, "[]");
    }
}

#[tokio::test]
async fn a_token_without_the_right_is_a_refusal_for_good_and_no_limit() {
    let hub = Hub::start().await;
    hub.github.set_rights(&hub.token, CONTROL, Some(Rights::read()));
    let text = hub.world.telegram().write_in_general("Build this").unwrap();
    let is_reply = |message: &Message| message.reply_to == Some(text) && message.words().contains("not accessible");
    hub.world.telegram().wait_for_message("reply", is_reply).await.unwrap();
    assert_eq!(hub.github.calls_of("POST", DISPATCHES).len(), 1);
}

#[tokio::test]
async fn a_refusal_that_somebody_mends_is_told_once_and_the_text_goes_after_all() {
    let mut hub = Hub::start().await;
    hub.github.set_rights(&hub.token, CONTROL, Some(Rights::read()));
    let text = hub.world.telegram().write_in_general("Build this").unwrap();
    let is_reply = |message: &Message| message.reply_to == Some(text) && message.words().contains("not passed on yet");
    hub.world.telegram().wait_for_message("reply", is_reply).await.unwrap();
    for (calls, is_mended) in [(2, false), (3, true)] {
        if is_mended {
            hub.github.set_rights(&hub.token, CONTROL, Some(Rights::write()));
        }
        hub.world.kill9().await;
        five_minutes_pass(&hub).await;
        hub.world.serve().await;
        until("it is tried again", async || (hub.github.calls_of("POST", DISPATCHES).len() >= calls).then_some(())).await;
    }
    hub.seen(text).await;
    assert_eq!(hub.github.events().len(), 1);
    assert_eq!(hub.world.telegram().calls_of("sendMessage").len(), 1, "its writer is told once");
}

/// What is to be tried later is due.
async fn five_minutes_pass(hub: &Hub) {
    let path = hub.world.data_dir().join("pager.sqlite");
    let mut store = sqlx::SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    sqlx::query("UPDATE dispatches SET due_at = due_at - 300000").execute(&mut store).await.unwrap();
    store.close().await.unwrap();
}

#[tokio::test]
async fn what_waits_when_the_control_repository_is_taken_out_is_told_of_and_sent_once_it_is_back() {
    let mut hub = Hub::start().await;
    hub.github.set_down(true);
    let text = hub.world.telegram().write_in_general("one").unwrap();
    until("readyz tells of it", async || degraded(&hub).await.contains("github: ").then_some(())).await;
    hub.world.kill9().await;
    hub.world.unset("PAGER_CONTROL__REPO");
    hub.world.unset("PAGER_WAKE__NIGHTLY__KIND");
    hub.world.serve().await;
    until("readyz tells of it", async || degraded(&hub).await.contains("set control.repo").then_some(())).await;
    hub.world.kill9().await;
    hub.github.set_down(false);
    hub.world.set("PAGER_CONTROL__REPO", CONTROL);
    hub.world.serve().await;
    hub.seen(text).await;
}
