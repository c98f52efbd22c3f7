//! Own words: a text in the topic of an open question is its answer, and what cannot be one is told.

use pager_tests::fake_telegram::{FORUM, Written};
use serde_json::{Value, json};

use crate::world::{World, until};

#[tokio::test]
async fn a_text_in_the_topic_is_the_answer_and_gets_a_thumb_once_saved() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let text = world.telegram().write_in_topic(shown.thread, "  Only after lunch ").unwrap();
    let thumbed = |message: &pager_tests::fake_telegram::Message| message.id == text && message.reactions == ["👍"];
    world.telegram().wait_for_message("text with 👍", thumbed).await.unwrap();
    let saved = world.saved_answer("rel-1").await;
    assert_eq!((&saved["outcome"], &saved["choice"]), (&json!("own_words"), &Value::Null));
    assert_eq!((&saved["answer"], &saved["recorded"]), (&json!("  Only after lunch "), &json!("  Only after lunch ")));
    let message = world.closed(shown).await;
    assert!(message.words().contains("Your answer, in your own words\nYou answered:"), "{}", message.words());
    assert!(message.words().contains("Only after lunch"), "{}", message.words());
    assert_eq!(world.replies_by_now(shown).await, [""; 0]);
}

#[tokio::test]
async fn a_question_without_options_takes_words_and_has_no_buttons() {
    let world = World::with_telegram().await;
    world.asks_for_words("port").await;
    let shown = world.shown("port").await;
    assert!(world.message(shown).keyboard.is_empty());
    assert!(world.message(shown).words().contains("nclassified"), "{}", world.message(shown).words());
    world.telegram().write_in_topic(shown.thread, "8080").unwrap();
    let record = world.in_state("port", "answered").await;
    assert_eq!((&record["answer"]["answer"], &record["answer"]["options"]), (&json!("8080"), &json!([])));
}

#[tokio::test]
async fn a_text_that_is_too_long_gets_one_reply_with_the_number_and_its_tail_none() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, &"x".repeat(1001)).unwrap();
    world.telegram().write_in_topic(shown.thread, "the tail of it").unwrap();
    let replies = world.replies_by_now(shown).await;
    assert_eq!(replies.len(), 1, "{replies:?}");
    assert!(replies[0].contains("1001") && replies[0].contains("1000"), "{replies:?}");
    assert_eq!(world.record("rel-1").await["state"], "open");
    assert_eq!(world.message(shown).labels().len(), 2);

    world.telegram().age(3);
    world.telegram().write_in_topic(shown.thread, &"y".repeat(1000)).unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "y".repeat(1000));
}

#[tokio::test]
async fn a_text_that_a_client_split_is_told_once() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_long(Written::text("z".repeat(4096 * 2 + 10)).in_topic(shown.thread)).unwrap();
    assert_eq!(world.replies_by_now(shown).await.len(), 1);
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn a_blank_text_gets_a_reply_and_the_question_stays_open() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, "\u{200b}\u{202e} \u{3164}").unwrap();
    let replies = world.replies_by_now(shown).await;
    assert!(replies.len() == 1 && replies[0].contains("nothing to see"), "{replies:?}");
    assert_eq!(world.record("rel-1").await["state"], "open");
    assert_eq!(world.message(shown).labels().len(), 2);
}

#[tokio::test]
async fn a_question_about_the_question_is_its_answer() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, "What is in it?").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "What is in it?");
}

#[tokio::test]
async fn words_that_equal_a_label_are_still_own_words() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, "No").unwrap();
    let answer = world.in_state("rel-1", "answered").await["answer"].clone();
    assert_eq!((&answer["outcome"], &answer["choice"]), (&json!("own_words"), &Value::Null));
}

#[tokio::test]
async fn a_slash_that_is_no_command_is_text() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, "/usr/local/bin").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "/usr/local/bin");
}

#[tokio::test]
async fn words_count_beside_an_external_reply_and_an_unknown_entity() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let strange = json!({
        "external_reply": {"origin": {"type": "of_the_future", "date": 1}, "message_id": 3},
        "entities": [{"type": "sparkle", "offset": 0, "length": 4, "glow": 7}],
        "of_the_future": {"deep": [1, 2]},
    });
    world.telegram().write(Written::text("Blue, please").in_topic(shown.thread).with(strange)).unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "Blue, please");
}

#[tokio::test]
async fn a_text_in_general_or_in_an_ended_topic_is_no_answer() {
    let world = World::with_telegram().await;
    let ended = world.asks_and_shows("rel-1").await;
    world.telegram().press(ended.message, "No").unwrap();
    world.closed(ended).await;
    let open = world.asks_and_shows("rel-2").await;
    world.telegram().write_in_topic(ended.thread, "Or rather yes").unwrap();
    let general = world.telegram().write_in_general("Hello").unwrap();
    // A reply in General has a thread id that means nothing.
    world.telegram().write(Written::text("Hello again").replying_to(general)).unwrap();
    world.telegram().write(Written::text("To you").replying_to(general).with(json!({"message_thread_id": open.thread}))).unwrap();
    world.replies_by_now(open).await;
    assert_eq!(world.record("rel-2").await["state"], "open");
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
    let message = world.telegram().message(FORUM, ended.message).unwrap();
    assert!(message.words().contains("You answered: No") && !message.words().contains("rather"), "{}", message.words());
}

#[tokio::test]
async fn a_press_and_a_text_settle_it_once() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    let text = world.telegram().write_in_topic(shown.thread, "Yes!").unwrap();
    world.closed(shown).await;
    world.replies_by_now(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
    // It answers nothing any more, so it is kept as a request.
    let seen = |message: &pager_tests::fake_telegram::Message| message.id == text && message.reactions == ["👀"];
    world.telegram().wait_for_message("text with 👀", seen).await.unwrap();
}

#[tokio::test]
async fn a_refused_thumb_undoes_nothing() {
    let world = World::with_telegram().await;
    world.telegram().set_reactions(FORUM, Some(&["🔥"]));
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, "Go").unwrap();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["answer"], "Go");
    let refused = async || (!world.telegram().calls_of("setMessageReaction").is_empty()).then_some(());
    until("the thumb was tried", refused).await;
}
