//! Pressing, writing, declining, calling off: and what does not count comes back with every word.

use std::fs::File;

use fantoccini::key::Key;
use rustix::fs::{FlockOperation, flock};
use serde_json::json;

use super::driver::Browser;
use super::page::card;
use super::plain::{Plain, location};
use crate::world::World;

#[tokio::test]
async fn a_pressed_option_is_in_the_answers_repository() {
    let world = World::start().await;
    let question = world.asks("press").await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    assert_eq!(browser.title().await.unwrap(), "(1) pager");
    browser.press(&format!("{} .option", card(&question))).await;
    browser.sees(".notice.done", "You answered: Yes, release").await;
    browser.sees("#ended", "token:olga on the page").await;
    browser.lacks(&card(&question)).await;
    assert_eq!(browser.title().await.unwrap(), "pager");
    let answer = world.saved_answer("press").await;
    assert_eq!((&answer["outcome"], &answer["choice"]), (&json!("chosen"), &json!("1")));
    assert_eq!(answer["by"], json!({"kind": "owner", "id": "token:olga", "via": "web"}));
}

#[tokio::test]
async fn the_keyboard_alone_is_enough() {
    let world = World::start().await;
    world.asks("keys").await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.tab_to(".option").await;
    browser.active_element().await.unwrap().send_keys(&char::from(Key::Enter).to_string()).await.unwrap();
    browser.sees(".notice.done", "You answered: Yes, release").await;
    assert_eq!(world.saved_answer("keys").await["choice"], "1");
}

#[tokio::test]
async fn own_words_are_saved_as_they_were_typed() {
    let world = World::start().await;
    let question = world.asks_for_words("words").await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.write(&format!("{} textarea", card(&question)), "8443 \u{2013} \"as before\"\n<b>please</b>").await;
    browser.press(&format!("{} .send", card(&question))).await;
    browser.sees(".notice.done", "Your answer, in your own words").await;
    let answer = world.saved_answer("words").await;
    assert_eq!((&answer["outcome"], &answer["choice"]), (&json!("own_words"), &json!(null)));
    assert_eq!(answer["answer"], "8443 \u{2013} \"as before\"\n<b>please</b>");
}

#[tokio::test]
async fn declining_and_calling_off_end_a_question() {
    let world = World::start().await;
    let (declined, cancelled) = (world.asks("leave-it").await, world.asks("call-off").await);
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.press(&format!("{} form[action*=decline] button", card(&declined))).await;
    browser.sees(".notice.done", "Declined: the agent goes on by its own judgement.").await;
    browser.press(&format!("{} form[action*=cancel] button", card(&cancelled))).await;
    browser.sees(".notice.done", "Cancelled by token:olga.").await;
    browser.sees("#headline", "Nothing waits for you").await;
    assert_eq!(world.saved_answer("leave-it").await["outcome"], "declined");
    assert_eq!(world.saved_answer("call-off").await["outcome"], "cancelled");
}

#[tokio::test]
async fn what_cannot_be_taken_comes_back_with_every_word() {
    let world = World::start().await;
    let question = world.asks("long").await;
    let (card, browser) = (card(&question), Browser::start().await);
    browser.log_in(&world).await;
    let (field, send) = (format!("{card} textarea"), format!("{card} .send"));
    browser.press(&send).await;
    browser.sees(&format!("{card} .trouble"), "must not be blank").await;
    let long = "word ".repeat(250);
    browser.write(&field, &long).await;
    browser.press(&send).await;
    browser.sees(&format!("{card} .trouble"), "at most 1000").await;
    assert_eq!(browser.typed(&field).await, long);
    browser.the(&field).await.clear().await.unwrap();
    browser.write(&field, "only on Monday").await;
    browser.press(&format!("{card} .option")).await;
    browser.sees(&format!("{card} .trouble"), "one or the other").await;
    assert_eq!(browser.typed(&field).await, "only on Monday");
    assert_eq!(world.record("long").await["state"], "open");
    browser.press(&send).await;
    browser.sees(".notice.done", "You answered: only on Monday").await;
}

#[tokio::test]
async fn an_answer_that_was_not_saved_comes_back_and_counts_when_sent_again() {
    let world = World::start().await;
    let question = world.asks_for_words("unsaved").await;
    let (card, browser) = (card(&question), Browser::start().await);
    browser.log_in(&world).await;
    let (field, send) = (format!("{card} textarea"), format!("{card} .send"));
    world.break_repository();
    browser.write(&field, "8443").await;
    browser.press(&send).await;
    browser.sees(&format!("{card} .trouble"), "Your answer was not saved").await;
    assert_eq!(browser.typed(&field).await, "8443");
    world.mend_repository();
    browser.press(&send).await;
    browser.sees(".notice.done", "You answered: 8443").await;
    assert_eq!(world.saved_answer("unsaved").await["answer"], "8443");
}

#[tokio::test]
async fn a_save_that_takes_long_is_shown_as_such_and_by_whom() {
    let world = World::start().await;
    let question = world.asks("slow").await;
    let (card, browser, plain) = (card(&question), Browser::start().await, Plain::logged_in(&world).await);
    browser.log_in(&world).await;
    let lock = File::open(world.repository().join("pager-writer.lock")).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    let path = format!("/questions/{}/answer", question["incarnation"].as_str().unwrap());
    let (reply, ()) =
        tokio::join!(plain.post(&path).form(&[("csrf", plain.csrf.as_str()), ("answer", "on Monday")]).send(), async {
            let saving = browser.sees(&format!("{card}.saving"), "An answer is being saved.").await;
            assert!(saving.contains("token:olga on the page") && saving.contains("on Monday"), "{saving}");
            assert_eq!(browser.count(&format!("{card} button")).await, 0);
        });
    let reply = reply.unwrap();
    assert!(reply.status() == 303 && location(&reply).starts_with("/?done="), "{reply:?}");
    let page = plain.get(location(&reply)).await.text().await.unwrap();
    assert!(page.contains("on Monday") && !page.contains("You answered"), "{page}");
    drop(lock);
    browser.sees("#ended", "You answered: on Monday").await;
    browser.lacks(&card).await;
}

#[tokio::test]
async fn pressing_twice_is_one_answer() {
    let world = World::start().await;
    let question = world.asks("twice").await;
    let owner = Plain::logged_in(&world).await;
    let path = format!("/questions/{}/answer", question["incarnation"].as_str().unwrap());
    let press =
        async |option: &str| owner.post(&path).form(&[("csrf", owner.csrf.as_str()), ("option", option)]).send().await.unwrap();
    let (first, second) = tokio::join!(press("2"), press("2"));
    for reply in [first, second] {
        assert!(location(&reply).starts_with("/?done="), "{reply:?}");
    }
    let other = press("1").await;
    assert_eq!(other.status(), 409);
    assert!(other.text().await.unwrap().contains("You answered: No. Yours was not recorded."));
    assert_eq!(world.saved_answer("twice").await["choice"], "2");
}

#[tokio::test]
async fn many_questions_stand_on_pages_and_each_can_be_answered() {
    let world = World::start().await;
    for number in 0..51 {
        world.asks(&format!("q{number}")).await;
    }
    let hard = json!({"id": "hard", "text": "Drop it?", "options": [{"label": "Yes"}, {"label": "No"}], "reversibility": "hard_to_reverse"});
    let hard = world.asks_with(hard).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.sees("#headline", "52 questions wait for you").await;
    assert_eq!(browser.count(".card").await, 50);
    assert_eq!(browser.the(".card").await.attr("id").await.unwrap().unwrap(), card(&hard)[1..]);
    browser.press("#more a").await;
    browser.sees(".card", "Release q49?").await;
    assert_eq!(browser.count(".card").await, 2);
    browser.press(".option").await;
    browser.sees(".notice.done", "You answered: Yes, release").await;
    browser.sees(".card", "Release q50?").await;
    assert_eq!(browser.count(".card").await, 1);
    assert_eq!(world.saved_answer("q49").await["choice"], "1");
}
