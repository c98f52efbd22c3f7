//! `kill -9` at random moments while questions go to Telegram and are pressed: each is shown in one topic, answered once,
//! and closed.

use std::collections::BTreeSet;
use std::time::Duration;

use pager_tests::fake_telegram::FORUM;

use crate::world::{World, until, within};

const QUESTIONS: usize = 10;
const KILLS: usize = 10;
/// A call that was cut off is looked after for ten seconds before it is repeated.
const LONG: Duration = Duration::from_secs(90);

#[tokio::test]
async fn every_question_is_shown_answered_once_and_closed_however_often_pagerd_is_killed() {
    let mut world = World::with_telegram().await;
    for number in 0..QUESTIONS {
        world.asks(&format!("q-{number}")).await;
    }
    let mut pressed = BTreeSet::new();
    for kill in 0..KILLS {
        // So many more calls to Telegram, another number each time. In a long pause between two tries it dies, too.
        let goal = world.telegram().calls().len() + 6 + (kill * 5) % 7;
        let looks = std::cell::Cell::new(0);
        until("pagerd calls Telegram", async || {
            press_all(&world, &mut pressed);
            looks.set(looks.get() + 1);
            (world.telegram().calls().len() >= goal || looks.get() > 100).then_some(())
        })
        .await;
        world.kill9().await;
        world.serve().await;
    }
    within(LONG, "every question is answered", async || {
        press_all(&world, &mut pressed);
        let open = world.owner().get("/v1/inbox/open").await.with(200);
        (open["items"].as_array().unwrap().is_empty()).then_some(())
    })
    .await;
    within(LONG, "every message is closed", async || {
        press_all(&world, &mut pressed);
        world.telegram().messages(FORUM).iter().all(|message| message.keyboard.is_empty()).then_some(())
    })
    .await;
    for number in 0..QUESTIONS {
        let id = format!("q-{number}");
        world.in_state(&id, "answered").await;
        assert_eq!(world.saved_answer(&id).await["choice"], "1");
        let copies = world.telegram().messages(FORUM);
        let copies = copies.iter().filter(|message| message.words().contains(&format!("Release {id}?"))).count();
        assert!((1..=2).contains(&copies), "{copies} copies of {id}");
    }
    let topics: Vec<String> = world.telegram().topics().into_iter().map(|topic| topic.name).collect();
    assert_eq!(topics.len(), QUESTIONS, "{topics:?}");
}

/// The owner presses the first button of every message that was not pressed yet.
fn press_all(world: &World, pressed: &mut BTreeSet<i64>) {
    for message in world.telegram().messages(FORUM) {
        if !message.keyboard.is_empty() && pressed.insert(message.id) {
            world.telegram().press(message.id, 0).unwrap();
        }
    }
}
