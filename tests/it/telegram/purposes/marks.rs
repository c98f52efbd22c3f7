//! Several options may be picked: marks, and what sends them.

use pager_tests::fake_telegram::{FORUM, Fault, Message};
use serde_json::json;

use super::{begun, data, has_buttons, presses, told};
use crate::world::{Shown, World, until};

const UNMARKED: [&str; 5] = ["☐ Linux", "☐ macOS", "☐ Windows", "☐ BSD", "Send"];

async fn asks(world: &World, id: &str) -> Shown {
    let options = ["Linux", "macOS", "Windows", "BSD"].map(|label| json!({"label": label}));
    world.asks_with(json!({"id": id, "text": format!("Targets of {id}?"), "options": options, "multi": true})).await;
    world.shown(id).await
}

#[tokio::test]
async fn options_are_marked_and_unmarked_and_send_settles_with_what_is_marked() {
    let world = World::with_telegram().await;
    let shown = asks(&world, "t").await;
    assert_eq!(world.message(shown).labels(), UNMARKED);
    assert_eq!(presses(&world, shown, "Windows").await, "Marked: Windows. Send settles it.");
    has_buttons(&world, shown.message, &["☐ Linux", "☐ macOS", "☑ Windows", "☐ BSD", "Send (1)"]).await;
    assert_eq!(presses(&world, shown, "Linux").await, "Marked: Linux, Windows. Send settles it.");
    assert_eq!(presses(&world, shown, "BSD").await, "Marked: Linux, Windows, BSD. Send settles it.");
    assert_eq!(presses(&world, shown, "BSD").await, "Marked: Linux, Windows. Send settles it.");
    let message = has_buttons(&world, shown.message, &["☑ Linux", "☐ macOS", "☑ Windows", "☐ BSD", "Send (2)"]).await;
    assert!(message.buttons().all(|button| button.callback_data.as_ref().unwrap().len() < 64));
    assert_eq!(world.record("t").await["state"], "open", "marks settle nothing");
    presses(&world, shown, "Send").await;
    let saved = world.in_state("t", "answered").await["answer"].clone();
    assert_eq!((&saved["choice"], &saved["answer"]), (&json!("1,3"), &json!("Linux, Windows")));
    assert_eq!(saved["choices"], json!(["1", "3"]));
    assert_eq!(world.saved_answer("t").await, saved);
    let message = world.closed(shown).await;
    for words in ["You answered: Linux, Windows", "✅ 1. Linux", "✅ 3. Windows"] {
        assert!(message.words().contains(words), "{words:?} in {}", message.words());
    }
    for act in ["t:*:1", "s:*"] {
        let toast = told(&world, shown.message, &data(&world, "t", act).await).await;
        assert!(toast.contains("You answered: Linux, Windows"), "{act}: {toast}");
    }
}

#[tokio::test]
async fn send_with_nothing_marked_is_told_so_and_settles_nothing() {
    let world = World::with_telegram().await;
    let shown = asks(&world, "t").await;
    assert_eq!(presses(&world, shown, "Send").await, "Nothing is marked yet: mark what you pick, then press Send.");
    presses(&world, shown, "BSD").await;
    has_buttons(&world, shown.message, &["☐ Linux", "☐ macOS", "☐ Windows", "☑ BSD", "Send (1)"]).await;
    assert_eq!(presses(&world, shown, "BSD").await, "Nothing is marked.");
    has_buttons(&world, shown.message, &UNMARKED).await;
    presses(&world, shown, "Send").await;
    assert_eq!(world.record("t").await["state"], "open");
}

#[tokio::test]
async fn words_settle_it_too_whatever_is_marked() {
    let world = World::with_telegram().await;
    let shown = asks(&world, "t").await;
    presses(&world, shown, "BSD").await;
    world.telegram().write_in_topic(shown.thread, "All but BSD").unwrap();
    let answer = world.in_state("t", "answered").await["answer"].clone();
    assert_eq!((&answer["outcome"], &answer["answer"]), (&json!("own_words"), &json!("All but BSD")));
    let message = world.closed(shown).await;
    assert!(!message.words().contains('✅'), "{}", message.words());
}

#[tokio::test]
async fn marks_outlive_kills_and_one_press_marks_once() {
    let mut world = World::with_telegram().await;
    let shown = asks(&world, "t").await;
    world.kill9().await;
    world.serve_to_crash("update.stored").await;
    world.telegram().press(shown.message, "macOS").unwrap();
    world.until_crashed().await;
    world.serve().await;
    has_buttons(&world, shown.message, &["☐ Linux", "☑ macOS", "☐ Windows", "☐ BSD", "Send (1)"]).await;
    world.restart().await;
    presses(&world, shown, "Linux").await;
    has_buttons(&world, shown.message, &["☑ Linux", "☑ macOS", "☐ Windows", "☐ BSD", "Send (2)"]).await;
    world.restart().await;
    presses(&world, shown, "Send").await;
    assert_eq!(world.in_state("t", "answered").await["answer"]["choice"], "1,2");
}

#[tokio::test]
async fn every_copy_shows_the_marks_and_every_owner_shares_them() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__OWNERS", "4242, 777")]).await;
    world.telegram().add_user(777, "Otto", "Owner");
    world.telegram().fault("sendMessage", Fault::ResetAfter);
    let shown = asks(&world, "t").await;
    let copies = world.telegram().messages_in_topic(shown.thread);
    let unknown = copies.iter().find(|message| message.id != shown.message).unwrap().id;
    world.telegram().press_as(FORUM, 777, unknown, "Windows").unwrap();
    world.telegram().press(shown.message, "Linux").unwrap();
    for message in [shown.message, unknown] {
        has_buttons(&world, message, &["☑ Linux", "☐ macOS", "☑ Windows", "☐ BSD", "Send (2)"]).await;
    }
    world.telegram().press_as(FORUM, 777, unknown, "Send").unwrap();
    let answer = world.in_state("t", "answered").await["answer"].clone();
    assert_eq!((&answer["choice"], &answer["by"]["id"]), (&json!("1,3"), &json!("telegram:777")));
    for message in [shown.message, unknown] {
        has_buttons(&world, message, &[]).await;
    }
}

#[tokio::test]
async fn many_quick_marks_are_told_at_once_and_shown_by_few_edits() {
    let world = World::with_telegram().await;
    let shown = asks(&world, "t").await;
    world.telegram().fault("editMessageText", Fault::hang());
    presses(&world, shown, "BSD").await;
    begun(&world, "editMessageText", 1).await;
    for _ in 0..4 {
        for label in ["Linux", "macOS", "Windows"] {
            assert!(presses(&world, shown, label).await.contains("BSD"), "the toast does not wait for an edit");
        }
    }
    assert!(presses(&world, shown, "Linux").await.contains("Linux, BSD"));
    world.telegram().release();
    has_buttons(&world, shown.message, &["☑ Linux", "☐ macOS", "☐ Windows", "☑ BSD", "Send (2)"]).await;
    let edits = world.telegram().calls_of("editMessageText").len();
    assert!(edits <= 3, "{edits} edits for 14 presses");
}

#[tokio::test]
async fn an_edit_of_marks_that_is_refused_loses_no_mark() {
    let world = World::with_telegram().await;
    let shown = asks(&world, "t").await;
    for fault in [Fault::Http502, Fault::ResetAfter, Fault::flood(1)] {
        world.telegram().fault("editMessageText", fault);
    }
    presses(&world, shown, "BSD").await;
    presses(&world, shown, "Linux").await;
    has_buttons(&world, shown.message, &["☑ Linux", "☐ macOS", "☐ Windows", "☑ BSD", "Send (2)"]).await;
}

#[tokio::test]
async fn buttons_that_the_question_never_had_do_nothing() {
    let world = World::with_telegram().await;
    let several = asks(&world, "t").await;
    let one = world.asks_and_shows("rel-1").await;
    for (id, shown, acts) in [("t", several, &["a:*:0", "t:*:4", "s:*:0"][..]), ("rel-1", one, &["t:*:0", "s:*", "a:*:2"])] {
        for act in acts {
            let toast = told(&world, shown.message, &data(&world, id, act).await).await;
            assert!(toast.contains("belongs to no question"), "{id} {act}: {toast}");
        }
        assert_eq!(world.record(id).await["state"], "open");
    }
    assert_eq!(world.message(several).labels(), UNMARKED);
}

#[tokio::test]
async fn marks_after_the_end_change_no_message() {
    let world = World::with_telegram().await;
    let shown = asks(&world, "t").await;
    presses(&world, shown, "BSD").await;
    world.owner().post("/v1/questions/t/answer", &json!({"answer": "these", "option": "1,2"})).await.with(200);
    let toast = told(&world, shown.message, &data(&world, "t", "t:*:0").await).await;
    assert!(toast.contains("You answered: Linux, macOS"), "{toast}");
    let closed = |message: &Message| message.id == shown.message && message.keyboard.is_empty();
    world.telegram().wait_for_message("message without buttons", closed).await.unwrap();
    world.replies_by_now(shown).await;
    until("it stays without buttons", async || world.message(shown).keyboard.is_empty().then_some(())).await;
}
