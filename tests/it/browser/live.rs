//! What happens elsewhere is on the page within a second, and takes no word from whoever is typing.

use std::time::{Duration, Instant};

use serde_json::json;

use super::driver::Browser;
use super::page::card;
use crate::world::World;

#[tokio::test]
async fn a_card_goes_within_a_second_when_somebody_answers_elsewhere_and_says_who() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let mut quickest = Duration::MAX;
    // The quickest of three: other tests run on this machine at the same time.
    for id in ["one", "two", "three"] {
        let question = world.asks(id).await;
        browser.sees(&card(&question), "Release").await;
        let answer = json!({"answer": "x", "option": "2"});
        world.owner().post(&format!("/v1/questions/{id}/answer"), &answer).await.with(200);
        let since = Instant::now();
        browser.lacks(&card(&question)).await;
        quickest = quickest.min(since.elapsed());
        browser.sees("#news", "You answered: No – token:olga over HTTP").await;
    }
    assert!(quickest < Duration::from_secs(1), "{quickest:?}");
    let ended = browser.sees("#ended", "You answered: No").await;
    assert!(ended.contains("token:olga over HTTP"), "{ended}");
}

#[tokio::test]
async fn a_new_question_appears_by_itself_and_is_read_out() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.sees(".empty", "").await;
    let question = world.asks("news").await;
    browser.sees(&card(&question), "Release news?").await;
    browser.sees("[aria-live=polite]", "tester asks: Release news?").await;
    browser.lacks(".empty").await;
    assert_eq!(browser.title().await.unwrap(), "(1) pager");
}

#[tokio::test]
async fn typed_words_and_the_cursor_survive_what_happens_to_other_cards() {
    let world = World::start().await;
    let (first, mine) = (world.asks("first").await, world.asks("mine").await);
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let field = format!("{} textarea", card(&mine));
    browser.write(&field, "half a tho").await;
    world.owner().post_empty("/v1/questions/first/decline").await.with(200);
    let later = world.asks("later").await;
    browser.lacks(&card(&first)).await;
    browser.sees(&card(&later), "Release later?").await;
    browser.active_element().await.unwrap().send_keys("ught").await.unwrap();
    assert_eq!(browser.typed(&field).await, "half a thought");
}

#[tokio::test]
async fn words_for_a_question_that_ended_stay_readable_beside_who_answered() {
    let world = World::start().await;
    let question = world.asks("gone").await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.write(&format!("{} textarea", card(&question)), "my careful words").await;
    world.agent().post("/v1/questions/gone/withdraw", &json!({"reason": "found it myself"})).await.with(200);
    let over = browser.sees(".card.over", "my careful words").await;
    assert!(over.contains("The agent took it back: found it myself"), "{over}");
    browser.press(".card.over button").await;
    browser.lacks(".card.over").await;
}

#[tokio::test]
async fn of_two_windows_the_second_is_told_who_was_faster() {
    let world = World::start().await;
    let question = world.asks("race").await;
    // Without scripts a window goes on showing what has ended meanwhile.
    let (quick, slow) = (Browser::start().await, Browser::without_scripts().await);
    quick.log_in(&world).await;
    slow.log_in(&world).await;
    quick.press(&format!("{} .option", card(&question))).await;
    quick.sees(".notice.done", "You answered: Yes, release").await;
    slow.write(&format!("{} textarea", card(&question)), "wait for Monday").await;
    slow.press(&format!("{} .send", card(&question))).await;
    let told = slow.sees(".notice.trouble", "It was settled before").await;
    assert!(told.contains("token:olga on the page") && told.contains("You answered: Yes, release."), "{told}");
    assert!(told.contains("wait for Monday"), "{told}");
    assert_eq!(world.saved_answer("race").await["choice"], "1");
}

#[tokio::test]
async fn the_page_comes_back_to_life_after_a_restart() {
    let mut world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    world.kill9().await;
    browser.sees("#line", "The connection is lost").await;
    world.serve_at_the_same_address().await;
    let question = world.asks("after").await;
    browser.sees(&card(&question), "Release after?").await;
    browser.lacks("#line:not([hidden])").await;
}

#[tokio::test]
async fn a_card_that_others_push_off_the_page_stays_with_what_is_typed_in_it() {
    let world = World::start_with(&[("PAGER_LIMITS__RECORDS", "0")]).await;
    let mut last = json!(null);
    for number in 0..50 {
        last = world.asks(&format!("q-{number}")).await;
    }
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let field = format!("{} textarea", card(&last));
    browser.write(&field, "half a thought").await;
    browser.execute("document.activeElement.blur()", vec![]).await.unwrap();
    let urgent = json!({"id": "urgent", "text": "Drop it?", "reversibility": "hard_to_reverse",
                        "options": [{"label": "Yes"}, {"label": "No"}]});
    let urgent = world.asks_with(urgent).await;
    browser.sees(&card(&urgent), "Drop it?").await;
    browser.sees("#more", "Next questions").await;
    assert_eq!(browser.typed(&field).await, "half a thought");
    browser.press(&format!("{} .send", card(&last))).await;
    world.in_state("q-49", "answered").await;
    assert_eq!(world.saved_answer("q-49").await["answer"], "half a thought");
}

#[tokio::test]
async fn a_question_with_a_page_of_its_own_says_there_who_was_faster_and_keeps_the_words() {
    let world = World::start().await;
    let question = world.asks("own").await;
    world.asks("other").await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, &format!("/questions/{}", question["incarnation"].as_str().unwrap())).await;
    assert_eq!(browser.title().await.unwrap(), "(2) Release own? · pager");
    let field = format!("{} textarea", card(&question));
    browser.write(&field, "my careful words").await;
    world.owner().post("/v1/questions/own/answer", &json!({"answer": "x", "option": "2"})).await.with(200);
    let end = browser.sees(&format!("{} .notice.done", card(&question)), "You answered: No").await;
    assert!(end.contains("token:olga over HTTP"), "{end}");
    // In the field, or beside it when the page was made anew while the answer was being saved.
    let script = "const field = document.querySelector('#open textarea');
        return field ? field.value : [...document.querySelectorAll('#open .kept')].pop().textContent";
    let words = browser.run(script).await;
    assert_eq!(words, "my careful words");
    assert_eq!(browser.count("#open button:enabled").await, 0);
    assert_eq!(browser.title().await.unwrap(), "(1) Release own? · pager");
}

#[tokio::test]
async fn a_tab_that_nobody_sees_holds_no_connection_and_catches_up() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.sees(".empty", "").await;
    let becomes = async |state: &str| {
        let script = "Object.defineProperty(document, 'visibilityState', { value: arguments[0], configurable: true });
            document.dispatchEvent(new Event('visibilitychange')); return source.readyState === EventSource.CLOSED";
        browser.execute(script, vec![state.into()]).await.unwrap()
    };
    assert_eq!(becomes("hidden").await, true);
    let question = world.asks("meanwhile").await;
    assert_eq!(becomes("visible").await, false);
    browser.sees(&card(&question), "Release meanwhile?").await;
}

#[tokio::test]
async fn whoever_stands_in_a_row_that_goes_is_taken_to_the_next() {
    let world = World::start().await;
    for title in ["Below", "Above"] {
        world.agent().post("/v1/updates", &json!({"title": title, "body": "x"})).await.with(201);
    }
    let list = world.owner().get("/v1/updates?state=unread").await.with(200);
    let (gone, next) = (list["items"][0]["id"].as_str().unwrap(), list["items"][1]["id"].as_str().unwrap());
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.open(&world, "/updates").await;
    let focus = format!("document.querySelector('#{gone} form[action*=dismiss] button').focus()");
    browser.execute(&focus, vec![]).await.unwrap();
    world.owner().post_empty(&format!("/v1/updates/{gone}/dismiss")).await.with(200);
    browser.lacks(&format!("#{gone}")).await;
    assert!(browser.has_focus(&format!("#{next} h2")).await);
    world.owner().post_empty(&format!("/v1/updates/{next}/dismiss")).await.with(200);
    browser.lacks(&format!("#{next}")).await;
    assert!(browser.has_focus("#main").await);
}
