//! Everything works with scripts switched off: plain pages, plain forms.

use super::driver::Browser;
use super::page::card;
use crate::world::World;

#[tokio::test]
async fn a_browser_without_scripts_answers_and_declines() {
    let world = World::start().await;
    let (pressed, written, left) = (world.asks("one").await, world.asks_for_words("two").await, world.asks("three").await);
    let browser = Browser::without_scripts().await;
    browser.log_in(&world).await;
    browser.sees("main", "Without scripts this page does not renew itself").await;
    browser.press(&format!("{} .option", card(&pressed))).await;
    browser.sees(".notice.done", "You answered: Yes, release").await;
    browser.write(&format!("{} textarea", card(&written)), "first\nsecond").await;
    browser.press(&format!("{} .send", card(&written))).await;
    browser.sees(".notice.done", "first\nsecond").await;
    browser.press(&format!("{} form[action*=decline] button", card(&left))).await;
    browser.sees(".notice.done", "Declined").await;
    browser.refresh().await.unwrap();
    browser.sees("#headline", "Nothing waits for you").await;
    assert_eq!(world.saved_answer("one").await["choice"], "1");
    assert_eq!(world.saved_answer("two").await["answer"], "first\nsecond");
    assert_eq!(world.saved_answer("three").await["outcome"], "declined");
}

#[tokio::test]
async fn a_refused_answer_comes_back_in_its_field_without_scripts_too() {
    let world = World::start().await;
    let question = world.asks("kept").await;
    let (card, browser) = (card(&question), Browser::without_scripts().await);
    browser.log_in(&world).await;
    let words = "\nword ".repeat(220);
    browser.write(&format!("{card} textarea"), &words).await;
    browser.press(&format!("{card} .send")).await;
    browser.sees(&format!("{card} .trouble"), "at most 1000").await;
    assert_eq!(browser.typed(&format!("{card} textarea")).await, words);
}

#[tokio::test]
async fn every_kind_of_question_can_be_answered_without_scripts() {
    let world = World::start().await;
    let records = world.asks_everything().await;
    let browser = Browser::without_scripts().await;
    browser.log_in(&world).await;
    let presses =
        [(0, ".option[value=a]", "SQLite"), (1, ".option[value=approve]", "Approve"), (2, ".option[value=done]", "Done")];
    for (place, option, said) in presses.into_iter().chain([(3, ".option[value=works]", "It works")]) {
        browser.press(&format!("{} {option}", card(&records[place]))).await;
        browser.sees(".notice.done", &format!("You answered: {said}")).await;
    }
    let several = card(&records[4]);
    browser.press(&format!("{several} input[value='2']")).await;
    browser.press(&format!("{several} .send")).await;
    browser.sees(".notice.done", "You answered: List").await;
    let private = card(&records[5]);
    browser.write(&format!("{private} textarea"), "hunter2").await;
    browser.press(&format!("{private} .send")).await;
    browser.sees(".notice.done", "Private answer").await;
    let choices = [("decide", "a"), ("allow", "approve"), ("act", "done"), ("check", "works"), ("several", "2")];
    for (id, choice) in choices {
        assert_eq!(world.saved_answer(id).await["choice"], choice, "{id}");
    }
}
