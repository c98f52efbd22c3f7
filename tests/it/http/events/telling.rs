//! What is told, when, and with what in it.

use std::time::{Duration, Instant};

use serde_json::json;

use super::stream::Stream;
use crate::world::World;

#[tokio::test]
async fn a_question_is_told_from_asking_to_its_end_each_time_with_the_whole_record() {
    let world = World::start().await;
    let mut stream = Stream::open(&world.owner()).await;
    assert_eq!((stream.header("content-type"), stream.header("cache-control")), ("text/event-stream", "no-store"));
    assert_eq!(stream.header("x-accel-buffering"), "no");
    let asked = world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "x", "option": "1"})).await.with(200);
    world.asks("rel-2").await;
    world.agent().post("/v1/questions/rel-2/withdraw", &json!({"reason": "solved"})).await.with(200);
    let heard = stream
        .hears(&[
            ("question.asked", "rel-1"),
            ("question.answering", "rel-1"),
            ("question.ended", "rel-1"),
            ("answer.shown", "rel-1"),
            ("question.asked", "rel-2"),
            ("question.ended", "rel-2"),
        ])
        .await;
    let ended = world.record("rel-1").await;
    assert_eq!(heard[2].data, ended);
    assert_eq!(heard[5].data, world.record("rel-2").await);
    // The whole record: nothing that the reply to asking has is missing.
    for (name, value) in asked.as_object().unwrap().iter().filter(|(name, _)| *name != "warnings") {
        assert!(heard[0].data.get(name).is_some(), "{name}: {value}");
    }
    let shown = &heard[3];
    assert_eq!(
        shown.data,
        json!({
            "event_id": shown.id, "question_id": "rel-1", "incarnation": ended["incarnation"], "group": null,
            "text": "Release rel-1?", "shown": "You answered: Yes, release",
            "answer_receipt": {
                "id": "rel-1", "incarnation": ended["incarnation"], "outcome": "chosen", "at": ended["resolved_at"],
                "by": ended["resolved_by"], "commit": world.git(&["rev-parse", "main"]).trim(),
            },
        })
    );
}

#[tokio::test]
async fn what_became_of_the_way_to_telegram_is_told() {
    let world = World::with_telegram().await;
    let mut stream = Stream::open(&world.owner()).await;
    world.asks("rel-1").await;
    assert_eq!(stream.next().await.unwrap().named(), ("question.asked", "rel-1"));
    let told = stream.next().await.unwrap();
    assert_eq!(told.named(), ("question.delivery", "rel-1"));
    assert_eq!(told.data["delivery"]["state"], "shown");
    world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    let heard = stream.hears(&[("question.answering", "rel-1"), ("question.ended", "rel-1")]).await;
    assert_eq!(heard[1].data["state"], "declined", "a decline is no answer to be shown");
}

#[tokio::test]
async fn an_update_is_told_when_it_is_published_read_and_dismissed() {
    let world = World::start().await;
    let (mut all, mut own) = (Stream::open(&world.owner()).await, Stream::open(&world.agent()).await);
    let other = world.caller(&world.new_token("agent", "other").await);
    other.post("/v1/updates", &json!({"title": "Theirs", "body": "Not for you."})).await.with(201);
    let update = world.agent().post("/v1/updates", &json!({"title": "Shipped", "body": "It is out."})).await.with(201);
    let path = format!("/v1/updates/{}", update["id"].as_str().unwrap());
    // A repetition changes nothing, so nothing is told of it.
    for step in ["read", "read", "dismiss", "read"] {
        world.owner().post_empty(&format!("{path}/{step}")).await.with(200);
    }
    world.asks("next").await;
    let id = update["id"].as_str().unwrap();
    let told = [("update.published", id), ("update.read", id), ("update.dismissed", id), ("question.asked", "next")];
    own.hears(&told).await;
    assert_eq!(all.next().await.unwrap().data["title"], "Theirs");
    let heard = all.hears(&told).await;
    assert_eq!(heard[2].data, world.owner().get(&path).await.with(200));
}

#[tokio::test]
async fn an_event_is_heard_at_once() {
    let world = World::start().await;
    let mut stream = Stream::open(&world.owner()).await;
    let mut quickest = Duration::MAX;
    // The quickest of five: other tests run on this machine at the same time.
    for id in ["one", "two", "three", "four", "five"] {
        world.asks(id).await;
        let asked = Instant::now();
        assert_eq!(stream.next().await.unwrap().named(), ("question.asked", id));
        quickest = quickest.min(asked.elapsed());
    }
    assert!(quickest < Duration::from_millis(500), "{quickest:?}");
}

#[tokio::test]
async fn hostile_text_stays_within_its_event() {
    let world = World::start().await;
    let mut stream = Stream::open(&world.owner()).await;
    let text = "a\n\nevent: question.ended\ndata: {}\r\n\r\nid: 9-9\u{2028}\u{2029}\u{85}b";
    world.asks_with(json!({"id": "lure", "text": text, "options": [{"label": "A"}, {"label": "B"}]})).await;
    world.asks("next").await;
    let heard = stream.hears(&[("question.asked", "lure"), ("question.asked", "next")]).await;
    assert_eq!(heard[0].data["text"], text);
    assert_ne!(stream.last, "9-9");
}

#[tokio::test]
async fn while_nothing_happens_a_comment_comes_again_and_again() {
    let world = World::start_with(&[("PAGER_EVENTS_BEAT_MILLIS", "30")]).await;
    let (mut owner, mut agent) = (Stream::open(&world.owner()).await, Stream::open(&world.agent()).await);
    let begun = agent.last.clone();
    for _ in 0..3 {
        assert_eq!(owner.any().await.unwrap(), None, "a comment");
    }
    assert_eq!(owner.comments, 3);
    // What is not for this agent is not told to it, but how far it is comes along.
    let other = world.caller(&world.new_token("agent", "other").await);
    let draft = json!({"id": "theirs", "text": "Theirs?", "options": [{"label": "A"}, {"label": "B"}]});
    other.post("/v1/questions", &draft).await.with(201);
    let theirs = owner.next().await.unwrap();
    while agent.last == begun {
        assert_eq!(agent.any().await.unwrap(), None);
    }
    assert_eq!(agent.last, theirs.id);
}
