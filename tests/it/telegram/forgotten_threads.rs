//! A thread that was forgotten: its topics are still there, and whatever is done in them counts as if it had never been.

use pager_tests::fake_telegram::{FORUM, OWNER};
use serde_json::json;

use super::threads::{reply, shown};
use crate::world::{World, until};

const DAY: i64 = 24 * 3600 * 1000;

#[tokio::test]
async fn in_the_topics_of_a_forgotten_thread_a_press_is_told_the_end_and_a_text_is_a_new_request() {
    let mut world = World::with_telegram_and(&[("PAGER_HISTORY__KEEP", "90d")]).await;
    let request = json!({"id": "r-17", "title": "Build this parser", "text": "In Rust."});
    world.owner().post("/v1/requests", &request).await.with(201);
    let deadline = (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1)).to_string();
    let offer =
        json!({"id": "off-1", "deliverable": "untested code", "missing": "a test", "why": "no compiler", "deadline": deadline});
    world.agent().post("/v1/requests/r-17/offers", &offer).await.with(201);
    let question = world.shown_to_owner("off-1").await;
    world.deadline_passes("off-1").await;
    let incarnation = world.in_state("off-1", "defaulted").await["incarnation"].as_str().unwrap().to_owned();
    world.closed(question).await;
    reply(&world, "r-17", "Half of it", "First answer").await;
    let topic = shown(&world, FORUM, "First answer").await.thread.unwrap();
    world.ages(91 * DAY).await;
    until("it is forgotten", async || (world.owner().get("/v1/requests/r-17").await.status == 404).then_some(())).await;
    let press = world.telegram().press_data(FORUM, OWNER, question.message, &format!("a:{incarnation}:1"));
    let toast = world.telegram().wait_for_callback_answer(&press).await.unwrap().text;
    assert!(toast.starts_with("Nobody answered by ") && toast.ends_with("goes on with its default: untested code"), "{toast}");
    for (thread, text) in [(topic, "And with tests"), (question.thread, "Better in C")] {
        world.telegram().write_in_topic(thread, text).unwrap();
        until("it is a request of its own", async || {
            let requests = world.owner().get("/v1/requests").await.with(200);
            (requests["items"][0]["text"] == text).then_some(())
        })
        .await;
    }
    assert_eq!(world.owner().get("/v1/requests").await.with(200)["items"].as_array().unwrap().len(), 2);
}
