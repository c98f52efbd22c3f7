//! What happens elsewhere is on the screen without a key.

use std::time::{Duration, Instant};

use serde_json::json;

use super::terminal::Terminal;
use crate::world::World;

#[tokio::test]
async fn a_question_goes_within_a_second_when_somebody_answers_elsewhere_and_the_screen_says_who() {
    let world = World::start().await;
    let terminal = Terminal::open(&world);
    terminal.shows("● live").await;
    let mut quickest = Duration::MAX;
    // The quickest of three: other tests run on this machine at the same time.
    for id in ["one", "two", "three"] {
        world.asks(id).await;
        terminal.shows(&format!("tester asks: Release {id}?")).await;
        let answer = json!({"answer": "x", "option": "2"});
        world.owner().post(&format!("/v1/questions/{id}/answer"), &answer).await.with(200);
        let since = Instant::now();
        terminal.shows(&format!("Release {id}? → Answered: No – token:olga over HTTP")).await;
        quickest = quickest.min(since.elapsed());
        terminal.shows("0 open").await;
    }
    assert!(quickest < Duration::from_secs(1), "{quickest:?}");
}

#[tokio::test]
async fn an_agent_that_takes_its_question_back_is_told_with_its_reason() {
    let world = World::start().await;
    world.asks("gone").await;
    let terminal = Terminal::open(&world);
    terminal.shows("Release gone?").await;
    world.agent().post("/v1/questions/gone/withdraw", &json!({"reason": "found it myself"})).await.with(200);
    terminal.shows("The agent took it back: found it myself").await;
    terminal.press(&["1"]);
    terminal.shows("This question has ended").await;
}

#[tokio::test]
async fn it_comes_back_to_life_after_a_restart_with_what_happened_meanwhile() {
    let mut world = World::start().await;
    world.asks("before").await;
    let terminal = Terminal::open(&world);
    terminal.shows("● live").await;
    terminal.press(&["w"]);
    terminal.write("half a tho");
    terminal.shows("half a tho").await;
    world.kill9().await;
    terminal.shows("○ no connection").await;
    world.serve_at_the_same_address().await;
    world.asks("after").await;
    terminal.shows("Release after?").await;
    terminal.shows("● live").await;
    terminal.write("ught");
    terminal.shows("half a thought").await;
    terminal.press(&["C-d"]);
    terminal.shows("→ Answered in own words: half a thought").await;
    assert_eq!(world.saved_answer("before").await["answer"], "half a thought");
}

#[tokio::test]
async fn an_answer_that_cannot_be_sent_is_told_and_sent_again_by_the_person() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    let terminal = Terminal::open(&world);
    terminal.shows("● live").await;
    world.kill9().await;
    terminal.shows("○ no connection").await;
    terminal.press(&["w"]);
    terminal.write("typed in the dark");
    terminal.press(&["C-d"]);
    terminal.shows("not known whether it arrived").await;
    terminal.shows("typed in the dark").await;
    world.serve_at_the_same_address().await;
    terminal.shows("● live").await;
    terminal.press(&["w"]);
    terminal.shows("Ctrl-D sends").await;
    terminal.press(&["C-d"]);
    terminal.shows("→ Answered in own words: typed in the dark").await;
    assert_eq!(world.saved_answer("rel-1").await["answer"], "typed in the dark");
}
