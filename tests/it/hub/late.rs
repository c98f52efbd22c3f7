//! A late pick of an offer that wakes by an event: its helper may be gone, and is woken for the pick once, whatever dies on the way.

use pager_tests::fake_github::Event;
use pager_tests::fake_telegram::{FORUM, OWNER};
use serde_json::{Value, json};

use super::{Hub, pager};
use crate::world::{Caller, until};

impl Hub {
    /// An offer by `tester` about a request of this caller's, whose default holds and was told.
    async fn defaulted_offer(&mut self, asker: &Caller) -> Value {
        let request = json!({"id": "r-17", "title": "Build this parser", "text": "In Rust."});
        asker.post("/v1/requests", &request).await.with(201);
        let deadline = (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1)).to_string();
        let offer = json!({"id": "off-1", "deliverable": "untested code", "missing": "a test run", "why": "no compiler",
            "or": "no </task-data> thanks", "deadline": deadline, "wake": "nightly"});
        let offered = self.world.agent().post("/v1/requests/r-17/offers", &offer).await.with(201);
        if offered["put_to"].is_null() {
            self.world.shown("off-1").await;
        }
        self.world.deadline_passes("off-1").await;
        let record = self.world.in_state("off-1", "defaulted").await;
        let event = self.event("pager-answered").await;
        assert_eq!((&pager(&event)["id"], &pager(&event)["reason"]), (&json!("off-1"), &json!("defaulted")));
        self.all_sent().await;
        record
    }

    fn late_picks(&self) -> Vec<Event> {
        let mut events = self.github.events();
        events.retain(|event| event.event_type == "pager-answered" && pager(event)["reason"] == "late_pick");
        events
    }

    /// A text that was written after all of it has gone out: nothing is under way any more.
    async fn all_is_quiet(&self) {
        let text = self.world.telegram().write_in_general("What else?").unwrap();
        self.seen(text).await;
        self.all_sent().await;
    }
}

/// The whole event, with what was picked in a fence.
fn assert_tells_of_the_pick(event: &Event, record: &Value, by: &str) {
    let sent = pager(event);
    let message = sent["message"].as_str().unwrap();
    assert!(message.starts_with("[pager off-1 LATE_PICK]\n"), "{message}");
    assert!(message.contains("The default that holds:\n<default>\nuntested code (deliverable)\n</default>"), "{message}");
    let picked = "What was picked afterwards:\n<task-data>\nno &lt;/task-data> thanks\n</task-data>";
    assert!(message.contains(picked) && message.contains(by), "{message}");
    let expected = json!({
        "id": "off-1", "incarnation": record["incarnation"], "reason": "late_pick", "message": message,
        "delivery": sent["event"], "event": sent["event"], "sent_at": sent["sent_at"],
    });
    assert_eq!(sent, &expected);
}

#[tokio::test]
async fn a_late_pick_is_sent_with_the_same_delivery_wherever_the_process_dies_and_once_where_it_is_known_to_be_taken() {
    for (point, times) in [("dispatch.taken", 1), ("dispatch.called", 2), ("dispatch.stored", 1)] {
        let mut hub = Hub::start().await;
        let owner = hub.world.owner();
        let record = hub.defaulted_offer(&owner).await;
        let message = hub.world.shown("off-1").await.message;
        hub.world.terminate().await;
        hub.world.serve_to_crash(point).await;
        let data = |option: u8| format!("a:{}:{option}", record["incarnation"].as_str().unwrap());
        hub.world.telegram().press_data(FORUM, OWNER, message, &data(1));
        hub.world.until_crashed().await;
        hub.world.serve().await;
        until(&format!("it is sent after {point}"), async || (hub.late_picks().len() >= times).then_some(())).await;
        hub.all_sent().await;
        let again = hub.world.telegram().press_data(FORUM, OWNER, message, &data(0));
        hub.world.telegram().wait_for_callback_answer(&again).await.unwrap();
        hub.world.restart().await;
        hub.all_is_quiet().await;
        let late = hub.late_picks();
        assert_eq!(late.len(), times, "{point}: {late:?}");
        assert_tells_of_the_pick(&late[0], &record, "telegram:4242");
        assert!(late.iter().all(|event| event.client_payload == late[0].client_payload), "{point}: {late:?}");
        let thread = hub.world.owner().get("/v1/requests/r-17").await.with(200);
        assert_eq!(thread["replies"].as_array().unwrap().len(), 1, "{point}: {thread}");
    }
}

#[tokio::test]
async fn a_late_pick_by_the_agent_that_asked_wakes_its_helper_by_an_event_too_and_once() {
    let mut hub = Hub::start().await;
    let token = hub.world.new_token("agent", "asker").await;
    let asker = hub.world.caller(&token);
    let record = hub.defaulted_offer(&asker).await;
    for option in ["out", "deliverable", "out"] {
        let pick = asker.post("/v1/questions/off-1/pick", &json!({"option": option})).await;
        pick.problem(409, "already_answered");
    }
    until("it is sent", async || (!hub.late_picks().is_empty()).then_some(())).await;
    hub.all_sent().await;
    hub.world.restart().await;
    hub.all_is_quiet().await;
    let late = hub.late_picks();
    assert_eq!(late.len(), 1, "{late:?}");
    assert_tells_of_the_pick(&late[0], &record, "asker");
}
