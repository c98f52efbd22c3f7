//! An owner's text that answers no question: to GitHub as `pager-text`, and 👀 only once GitHub took it.

use pager_tests::fake_github::Fault;
use pager_tests::fake_telegram::FORUM;
use serde_json::json;

use super::{DISPATCHES, Hub, pager};
use crate::browser::plain::{Plain, location};
use crate::control::sending::signed_settings;

#[tokio::test]
async fn a_text_in_general_goes_to_the_control_repository_and_gets_eyes_once_github_took_it() {
    let hub = Hub::start().await;
    hub.github.fault("POST", DISPATCHES, Fault::hang());
    let text = hub.world.telegram().write_in_general("Build this\n<parser> \"now\"").unwrap();
    hub.github.wait_for("the call", |state| (!state.calls.is_empty()).then_some(())).await.unwrap();
    assert_eq!(hub.requests().await.len(), 1, "it is stored first");
    assert!(!hub.is_seen(text), "GitHub has not said yet that it took it");
    hub.github.release();
    hub.seen(text).await;
    let event = hub.event("pager-text").await;
    let request = &hub.requests().await[0];
    let sent = pager(&event);
    let expected = json!({
        "text": "Build this\n<parser> \"now\"", "request": request["id"], "chat": FORUM, "at": request["at"],
        "message_link": format!("https://t.me/c/{}/{text}", &FORUM.to_string()[4..]),
        "event": sent["event"], "sent_at": sent["sent_at"],
    });
    assert_eq!(sent, &expected);
    assert_eq!(sent["event"].as_str().unwrap().len(), 36);
    assert_eq!(hub.github.events().len(), 1);
    assert!(hub.world.telegram().calls_of("sendMessage").is_empty(), "nothing is said");
}

#[tokio::test]
async fn a_text_in_the_topic_of_an_ended_question_says_what_it_is_about() {
    let hub = Hub::start().await;
    let shown = hub.world.asks_and_shows("rel-1").await;
    hub.world.telegram().press(shown.message, "No").unwrap();
    hub.world.closed(shown).await;
    let text = hub.world.telegram().write_in_topic(shown.thread, "Or rather on Monday").unwrap();
    hub.seen(text).await;
    let event = hub.event("pager-text").await;
    let sent = pager(&event);
    assert_eq!((&sent["about"], &sent["topic"]), (&json!("rel-1"), &json!(shown.thread)));
    let place = format!("{}/{}/{text}", &FORUM.to_string()[4..], shown.thread);
    assert_eq!(sent["message_link"], format!("https://t.me/c/{place}"));
}

#[tokio::test]
async fn the_longest_text_that_telegram_takes_goes_whole() {
    let hub = Hub::start().await;
    let longest = "\u{fc}".repeat(4096);
    let text = hub.world.telegram().write_in_general(&longest).unwrap();
    hub.seen(text).await;
    assert_eq!(pager(&hub.event("pager-text").await)["text"], longest);
}

#[tokio::test]
async fn texts_of_one_chat_arrive_in_their_order_also_past_a_failed_call() {
    let hub = Hub::start().await;
    hub.github.fault("POST", DISPATCHES, Fault::bad_gateway());
    let texts: Vec<i64> = ["one", "two", "three"].map(|text| hub.world.telegram().write_in_general(text).unwrap()).into();
    hub.seen(texts[2]).await;
    let sent: Vec<String> = hub.github.events().iter().map(|event| pager(event)["text"].as_str().unwrap().to_owned()).collect();
    assert_eq!(sent, ["one", "two", "three"]);
    let times: Vec<i64> = hub.github.calls_of("POST", DISPATCHES).iter().map(|call| call.at_ms).collect();
    assert!(times.is_sorted_by(|one, next| next - one >= 990), "a second lies between two calls: {times:?}");
}

#[tokio::test]
async fn without_a_control_repository_a_text_gets_eyes_once_it_is_stored() {
    let mut hub = Hub::prepare().await;
    // The name alone, without anything to call GitHub with, is a pin for events that come in.
    hub.world.unset("PAGER_GITHUB__TOKEN");
    hub.world.unset("PAGER_WAKE__NIGHTLY__KIND");
    hub.world.serve().await;
    let text = hub.world.telegram().write_in_general("Build this").unwrap();
    hub.seen(text).await;
    assert!(hub.github.calls().is_empty());
}

#[tokio::test]
async fn a_further_message_in_the_thread_of_an_owners_request_leaves_as_a_text_with_the_same_request() {
    let hub = Hub::start().await;
    let owner = Plain::logged_in(&hub.world).await;
    let send = async |path: &str, text: &str| {
        let form = [("csrf", owner.csrf.as_str()), ("once", "same"), ("text", text)];
        location(&owner.post(path).form(&form).send().await.unwrap()).to_owned()
    };
    send("/requests", "Build a parser").await;
    let request = hub.event("pager-text").await;
    let request = pager(&request);
    let id = request["request"].as_str().unwrap();
    let path = format!("/requests/{id}/replies");
    let first = send(&path, "In Rust,\nplease").await;
    assert_eq!(send(&path, "In Rust,\nplease").await, first, "one press twice is one message");
    let event = hub.github.wait_for_event("pager-text", 1).await.unwrap();
    let further = pager(&event);
    assert_eq!((&further["text"], &further["request"]), (&json!("In Rust,\nplease"), &json!(id)));
    assert_eq!(format!("/requests/{id}#{}", further["reply"].as_str().unwrap()), first);
    assert!(request.get("reply").is_none() && further["event"] != request["event"]);
    send("/requests", "The last one").await;
    let last = hub.github.wait_for_event("pager-text", 2).await.unwrap();
    assert_eq!(pager(&last)["text"], "The last one");
}

#[tokio::test]
async fn what_an_owner_asks_for_over_http_goes_too_and_an_agents_request_does_not() {
    let hub = Hub::start().await;
    let body = |id: &str| json!({"id": id, "title": "Build this", "text": "Build this\nin Rust."});
    hub.world.agent().post("/v1/requests", &body("r-1")).await.with(201);
    hub.world.owner().post("/v1/requests", &body("r-2")).await.with(201);
    let event = hub.event("pager-text").await;
    let sent = pager(&event);
    assert_eq!((&sent["request"], &sent["text"]), (&json!("r-2"), &json!("Build this\nin Rust.")));
    assert_eq!(sent["message_link"], json!(null));
    hub.world.owner().post("/v1/requests", &body("r-2")).await.with(200);
    hub.world.owner().post("/v1/requests", &body("r-3")).await.with(201);
    hub.github.wait_for("the second", |state| (state.events.len() == 2).then_some(())).await.unwrap();
    let sent: Vec<_> = hub.github.events().iter().map(|event| pager(event)["request"].clone()).collect();
    assert_eq!(sent, ["r-2", "r-3"], "each once");
    let further = json!({"title": "One more thing", "text": "On Windows, too."});
    hub.world.agent().post("/v1/requests/r-2/replies", &json!({"title": "Built", "text": "It is there."})).await.with(201);
    hub.world.owner().post("/v1/requests/r-1/replies", &further).await.with(201);
    let reply = hub.world.owner().post("/v1/requests/r-2/replies", &further).await.with(201);
    let event = hub.github.wait_for_event("pager-text", 2).await.unwrap();
    let sent = pager(&event);
    assert_eq!((&sent["text"], &sent["request"], &sent["reply"]), (&json!("On Windows, too."), &json!("r-2"), &reply["id"]));
}

#[tokio::test]
async fn what_an_owner_writes_to_a_request_through_the_control_repository_leaves_from_every_door() {
    let mut hub = Hub::prepare().await;
    for (name, value) in signed_settings() {
        hub.world.set(name, &value);
    }
    hub.world.serve().await;
    let body = json!({"type": "request", "id": "r-1", "agent": "ci", "title": "Build it", "text": "In Rust."});
    hub.world.sends("event-0001", &body).await.with(201);
    let answer = json!({"title": "Which one?", "text": "Say more."});
    hub.world.agent().post("/v1/requests/r-1/replies", &answer).await.with(201);
    let reply = hub.world.owner().post("/v1/requests/r-1/replies", &answer).await.with(201);
    let event = hub.event("pager-text").await;
    let sent = pager(&event);
    assert_eq!((&sent["request"], &sent["reply"]), (&json!("r-1"), &reply["id"]), "and not what the agent wrote");
    let owner = Plain::logged_in(&hub.world).await;
    let form = [("csrf", owner.csrf.as_str()), ("once", "same"), ("text", "On the page")];
    owner.post("/requests/r-1/replies").form(&form).send().await.unwrap();
    let event = hub.github.wait_for_event("pager-text", 1).await.unwrap();
    assert_eq!((&pager(&event)["request"], &pager(&event)["text"]), (&json!("r-1"), &json!("On the page")));
}
