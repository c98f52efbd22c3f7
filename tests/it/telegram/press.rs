//! Buttons: shown, pressed, closed.

use std::time::{Duration, Instant};

use pager_tests::fake_telegram::{FORUM, OWNER};
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn a_question_gets_a_topic_with_its_icon_and_a_message_with_buttons() {
    let world = World::with_telegram().await;
    let record = world
        .asks_with(json!({
            "id": "rel-1", "text": "Release 2.4\nnow?", "recommended": "yes", "reversibility": "hard_to_reverse",
            "options": [{"id": "yes", "label": "Yes, release", "detail": "It is tested."}, {"label": "No"}],
            "waiting_on": "the announcement", "source": {"task": "T-9", "project": "shop", "run": "run-77"},
            "issue": {"tracker": "github", "key": "shop#9", "url": "https://github.com/example/shop/issues/9"},
        }))
        .await;
    let on_the_page = format!("{}/#q-{}", world.address.url(), record["incarnation"].as_str().unwrap());
    assert_eq!(record["delivery"], json!({"state": "queued", "reason": null, "link": on_the_page}));
    let shown = world.shown("rel-1").await;
    let topic = world.telegram().topic(shown.thread).unwrap();
    assert_eq!((topic.name.as_str(), &topic.icon), ("Release 2.4 now?", &world.icon("❓").await));
    let message = world.message(shown);
    assert_eq!(message.thread, Some(shown.thread));
    assert_eq!(message.labels(), ["★ Yes, release", "No"]);
    for words in
        ["Release 2.4\nnow?", "It is tested.", "the announcement", "ard to reverse", "tester", "T-9", "shop", "run-77", "shop#9"]
    {
        assert!(message.words().contains(words), "{words:?} in {}", message.words());
    }
    for button in message.buttons() {
        assert!(button.callback_data.as_ref().unwrap().len() < 64, "{button:?}");
    }
}

#[tokio::test]
async fn a_press_settles_the_question_in_git_and_closes_its_message() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let waiting = tokio::spawn({
        let agent = world.agent();
        async move { agent.answer("rel-1").await }
    });
    let press = world.telegram().press(shown.message, "Yes, release").unwrap();
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    let message = world.closed(shown).await;
    for words in ["You answered: Yes, release", "telegram:4242", "in Telegram"] {
        assert!(message.words().contains(words), "{words:?} in {}", message.words());
    }
    let saved = world.saved_answer("rel-1").await;
    assert_eq!(waiting.await.unwrap(), saved);
    let record = world.record("rel-1").await;
    assert_eq!((&record["state"], &record["answer"]), (&json!("answered"), &saved));
    assert_eq!(record["resolved_by"], json!({"kind": "owner", "id": "telegram:4242", "via": "telegram"}));
    assert_eq!(record["delivery"]["state"], "shown");
}

#[tokio::test]
async fn the_file_has_the_exact_keys_in_order_and_ends_with_a_line_end() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    let record = world.in_state("rel-1", "answered").await;
    let expected = format!(
        r#"{{
  "id": "rel-1",
  "incarnation": {incarnation},
  "outcome": "chosen",
  "choice": "2",
  "answer": "No",
  "at": {at},
  "asked_at": {asked_at},
  "by": {{
    "kind": "owner",
    "id": "telegram:4242",
    "via": "telegram"
  }},
  "question": "Release rel-1?",
  "options": [
    {{
      "id": "1",
      "label": "Yes, release"
    }},
    {{
      "id": "2",
      "label": "No"
    }}
  ],
  "recorded": "No",
  "digest": null,
  "signature": {signature}
}}
"#,
        incarnation = record["incarnation"],
        at = record["resolved_at"],
        asked_at = record["asked_at"],
        signature = record["answer"]["signature"],
    );
    assert_eq!(world.answer_file("rel-1").unwrap(), expected);
    world.saved_answer("rel-1").await;
}

#[tokio::test]
async fn a_question_answered_over_http_loses_its_keyboard_at_once() {
    let world = World::with_telegram().await;
    let mut quickest = Duration::MAX;
    // The quickest of three: other tests run on this machine at the same time.
    for id in ["rel-1", "rel-2", "rel-3"] {
        let shown = world.asks_and_shows(id).await;
        let began = Instant::now();
        world.owner().post(&format!("/v1/questions/{id}/answer"), &json!({"answer": "yes", "option": "1"})).await.with(200);
        let message = world.message_says(shown, "You answered: Yes, release").await;
        quickest = quickest.min(began.elapsed());
        assert!(message.keyboard.is_empty());
        assert!(message.words().contains("token:olga over HTTP"), "{}", message.words());
    }
    assert!(quickest < Duration::from_secs(1), "{quickest:?}");
}

#[tokio::test]
async fn a_press_on_an_ended_question_is_told_what_happened() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let data = world.message(shown).buttons().next().unwrap().callback_data.clone().unwrap();
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "no", "option": "2"})).await.with(200);
    let press = world.telegram().press_data(FORUM, OWNER, shown.message, &data);
    let toast = world.telegram().wait_for_callback_answer(&press).await.unwrap();
    assert!(toast.text.contains("You answered: No"), "{}", toast.text);
    assert!(toast.text.contains("token:olga"), "{}", toast.text);
    assert_eq!(world.commits_of("rel-1").len(), 1);

    let shown = world.asks_and_shows("rel-2").await;
    let data = world.message(shown).buttons().next().unwrap().callback_data.clone().unwrap();
    world.agent().post("/v1/questions/rel-2/withdraw", &json!({"reason": "solved"})).await.with(200);
    let press = world.telegram().press_data(FORUM, OWNER, shown.message, &data);
    let toast = world.telegram().wait_for_callback_answer(&press).await.unwrap();
    assert!(toast.text.contains("The agent took it back: solved"), "{}", toast.text);
}

#[tokio::test]
async fn of_two_presses_exactly_one_counts_and_both_are_answered() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let presses = ["Yes, release", "No"].map(|label| world.telegram().press(shown.message, label).unwrap());
    for press in &presses {
        world.telegram().wait_for_callback_answer(press).await.unwrap();
    }
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "1");
}

#[tokio::test]
async fn an_answer_belongs_to_the_question_whose_button_was_pressed() {
    let world = World::with_telegram().await;
    let mut places = Vec::new();
    for id in ["a-1", "a-2", "a-3"] {
        places.push(world.asks_and_shows(id).await);
    }
    world.telegram().press(places[1].message, "No").unwrap();
    world.telegram().write_in_topic(places[2].thread, "Neither").unwrap();
    assert_eq!(world.in_state("a-2", "answered").await["answer"]["choice"], "2");
    assert_eq!(world.in_state("a-3", "answered").await["answer"]["answer"], "Neither");
    assert_eq!(world.record("a-1").await["state"], "open");
}

#[tokio::test]
async fn buttons_work_after_a_restart() {
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.restart().await;
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn without_telegram_a_question_stays_stored() {
    let world = World::start().await;
    let record = world.asks("rel-1").await;
    let on_the_page = format!("{}/#q-{}", world.address.url(), record["incarnation"].as_str().unwrap());
    assert_eq!(record["delivery"], json!({"state": "stored", "reason": null, "link": on_the_page}));
}

#[tokio::test]
async fn each_owner_on_the_list_may_press_and_the_answer_says_which() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__OWNERS", "4242, 777")]).await;
    world.telegram().add_user(777, "Otto", "Owner");
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().press_as(FORUM, 777, shown.message, "No").unwrap();
    assert!(world.closed(shown).await.words().contains("telegram:777"));
    assert_eq!(world.saved_answer("rel-1").await["by"]["id"], "telegram:777");
}

#[tokio::test]
async fn a_message_that_was_deleted_by_hand_keeps_no_answer_from_counting() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().delete_message(FORUM, shown.message);
    world.telegram().write_in_topic(shown.thread, "Go").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "Go");
    let next = world.asks_and_shows("rel-2").await;
    world.telegram().press(next.message, "No").unwrap();
    world.closed(next).await;
}
