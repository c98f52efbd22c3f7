//! The named crash points of pagerd, each once and twice, for a press, for own words and for asking.

use std::collections::BTreeSet;
use std::path::Path;

use super::{deadline, reminder, stories};
use crate::telegram::{purposes, threads};
use crate::{hub, inbox};

/// What a press passes.
const PRESS: [&str; 12] = [
    "update.received",
    "update.stored",
    "press.acknowledged",
    "claim.decided",
    "claim.stored",
    "save.begun",
    "save.written",
    "save.stored",
    "job.taken",
    "edit.called",
    "edit.stored",
    "mark.called",
];
/// What own words pass beside it.
const WORDS: [&str; 10] = [
    "update.received",
    "update.stored",
    "claim.decided",
    "claim.stored",
    "save.begun",
    "save.written",
    "save.stored",
    "edit.stored",
    "mark.called",
    "thank.called",
];
/// What a text in General passes.
const REQUEST: [&str; 3] = ["update.received", "update.stored", "see.called"];
/// What asking passes: the topic and the message are made.
const ASKING: [&str; 3] = ["ask.stored", "job.taken", "job.attempted"];

/// What an event of the control repository passes; its story is told where such events are.
const CONTROL: [&str; 1] = ["control.stored"];
/// What the message of private words passes; its story is told where those are.
const PRIVATE: [&str; 1] = ["delete.called"];

#[test]
fn every_crash_point_of_pagerd_is_met_by_a_story() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../worker/src/crash.rs");
    let text = std::fs::read_to_string(path).unwrap();
    let list = text.split("= [").nth(1).unwrap().split("];").next().unwrap();
    let named: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    assert!(named.len() > 10, "the list was found: {named:?}");
    let met = [
        &PRESS[..],
        &WORDS,
        &REQUEST,
        &ASKING,
        &CONTROL,
        &PRIVATE,
        &deadline::POINTS,
        &reminder::POINTS,
        &hub::POINTS,
        &inbox::POINTS,
        &purposes::POINTS,
        &threads::POINTS,
    ]
    .concat();
    let met: BTreeSet<&str> = met.into_iter().collect();
    assert_eq!(named, met);
}

#[tokio::test]
async fn a_press_survives_a_crash_at_every_point() {
    for point in PRESS {
        stories::press(&[point]).await;
    }
}

#[tokio::test]
async fn a_press_survives_two_crashes_at_every_point() {
    for point in PRESS {
        stories::press(&[point, point]).await;
    }
}

#[tokio::test]
async fn own_words_survive_a_crash_at_every_point() {
    for point in WORDS {
        stories::words(&[point]).await;
    }
}

#[tokio::test]
async fn own_words_survive_two_crashes_at_every_point() {
    for point in WORDS {
        stories::words(&[point, point]).await;
    }
}

#[tokio::test]
async fn a_request_survives_crashes_at_every_point_and_is_stored_once() {
    for point in REQUEST {
        stories::request(&[point]).await;
        stories::request(&[point, point]).await;
    }
}

#[tokio::test]
async fn a_text_for_the_control_repository_survives_crashes_at_every_point_with_one_delivery_id() {
    for point in hub::POINTS {
        hub::story(&[point]).await;
        hub::story(&[point, point]).await;
    }
}

#[tokio::test]
async fn events_on_a_branch_survive_crashes_at_every_point_and_count_once() {
    for point in inbox::POINTS {
        inbox::story(&[point]).await;
        inbox::story(&[point, point]).await;
    }
}

#[tokio::test]
async fn a_deadline_survives_crashes_at_every_point_and_ends_a_question_once() {
    for point in deadline::POINTS {
        deadline::story(&[point]).await;
        deadline::story(&[point, point]).await;
    }
}

#[tokio::test]
async fn a_reminder_survives_crashes_at_every_point_and_never_comes_twice() {
    for point in reminder::POINTS {
        reminder::story(&[point]).await;
        reminder::story(&[point, point]).await;
    }
}

#[tokio::test]
async fn a_question_that_was_stored_is_shown_after_a_crash() {
    for point in ["ask.stored", "job.taken"] {
        stories::asking(&[point]).await;
        stories::asking(&[point, point]).await;
    }
}

#[tokio::test]
async fn a_question_whose_topic_was_about_to_be_made_is_shown_after_a_crash() {
    stories::asking(&["job.attempted"]).await;
}

#[tokio::test]
async fn a_question_whose_message_was_about_to_be_sent_is_shown_after_a_crash() {
    stories::asking(&["job.attempted:2"]).await;
}

#[tokio::test]
async fn a_question_is_shown_after_crashes_before_its_topic_and_before_its_message() {
    stories::asking(&["job.attempted", "job.attempted:2"]).await;
}
