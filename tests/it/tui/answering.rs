//! Keys become answers in git.

use serde_json::{Value, json};

use super::terminal::Terminal;
use crate::world::World;

#[tokio::test]
async fn an_owner_answers_in_a_terminal_and_the_file_is_there() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let terminal = Terminal::open(&world);
    terminal.shows("Release rel-1?").await;
    terminal.press(&["1"]);
    terminal.shows("Enter sends: Yes, release").await;
    terminal.press(&["Enter"]);
    terminal.shows("Release rel-1? → Answered: Yes, release").await;
    let saved: Value = world.saved_answer("rel-1").await;
    assert_eq!((&saved["outcome"], &saved["choice"]), (&json!("chosen"), &json!("1")));
    assert_eq!(saved["by"], json!({"kind": "owner", "id": "token:olga", "via": "tui"}));
    terminal.shows("token:olga in the terminal").await;
    terminal.press(&["q"]);
    terminal.is_given_back(0).await;
}

#[tokio::test]
async fn own_words_are_kept_as_a_draft_and_sent_with_their_lines() {
    let world = World::start().await;
    world.asks_for_words("port").await;
    let terminal = Terminal::open(&world);
    terminal.shows("Which port for port?").await;
    terminal.press(&["w"]);
    terminal.write("8443, für 日本 👍");
    terminal.press(&["Enter"]);
    terminal.write("behind the proxy");
    terminal.shows("behind the proxy").await;
    terminal.press(&["Escape"]);
    terminal.shows("Your words, not sent").await;
    terminal.press(&["w"]);
    terminal.shows("Ctrl-D sends").await;
    terminal.press(&["C-d"]);
    terminal.shows("Answered in own words").await;
    let saved: Value = world.saved_answer("port").await;
    assert_eq!((&saved["outcome"], &saved["answer"]), (&json!("own_words"), &json!("8443, für 日本 👍\nbehind the proxy")));
}

#[tokio::test]
async fn declining_and_cancelling_ask_first() {
    let world = World::start().await;
    for (id, key, prompt, told, outcome) in [
        ("rel-1", "d", "Enter declines", "→ Declined", "declined"),
        ("rel-2", "c", "Enter cancels it", "→ Cancelled", "cancelled"),
    ] {
        world.asks(id).await;
        let terminal = Terminal::open(&world);
        terminal.shows(&format!("Release {id}?")).await;
        terminal.press(&[key]);
        terminal.shows(prompt).await;
        assert_eq!(world.record(id).await["state"], "open");
        terminal.press(&["Enter"]);
        terminal.shows(told).await;
        let saved: Value = world.saved_answer(id).await;
        assert_eq!((&saved["outcome"], &saved["by"]["via"]), (&json!(outcome), &json!("tui")));
    }
}

#[tokio::test]
async fn whoever_comes_too_late_is_told_who_was_faster_and_keeps_their_words() {
    let world = World::start().await;
    world.asks("race").await;
    let terminal = Terminal::open(&world);
    terminal.shows("Release race?").await;
    terminal.press(&["w"]);
    terminal.write("not before Monday");
    terminal.shows("not before Monday").await;
    world.owner().post("/v1/questions/race/answer", &json!({"answer": "x", "option": "2"})).await.with(200);
    terminal.shows("Answered: No – token:olga over HTTP").await;
    terminal.shows("not before Monday").await;
    terminal.press(&["C-d"]);
    terminal.shows("Your words stay here").await;
    assert_eq!(world.saved_answer("race").await["choice"], "2");
}
