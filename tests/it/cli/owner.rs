//! The owner's verbs.

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn an_owner_decides_declines_and_cancels_from_the_command_line() {
    let world = World::with_telegram().await;
    for (id, arguments, outcome) in [
        ("rel-1", &["decide", "rel-1", "--option", "2"][..], "chosen"),
        ("rel-2", &["decide", "rel-2", "--words", "On Monday"], "own_words"),
        ("rel-3", &["decline", "rel-3"], "declined"),
        ("rel-4", &["cancel", "rel-4"], "cancelled"),
    ] {
        let shown = world.asks_and_shows(id).await;
        let ended = world.ask_as_owner(arguments).await;
        assert_eq!((ended.code, &ended.json()["outcome"]), (Some(0), &json!(outcome)), "{ended:?}");
        let saved: Value = world.saved_answer(id).await;
        assert_eq!(saved["by"], json!({"kind": "owner", "id": "token:olga", "via": "cli"}));
        world.closed(shown).await;
    }
}

#[tokio::test]
async fn an_owner_who_comes_too_late_is_told_the_outcome() {
    let world = World::start().await;
    world.asks("rel-1").await;
    world.ask_as_owner(&["decide", "rel-1", "--option", "1"]).await;
    let late = world.ask_as_owner(&["decide", "rel-1", "--option", "2"]).await;
    assert_eq!(late.code, Some(7), "{late:?}");
    assert!(late.output.contains("Yes, release"), "{late:?}");
    assert_eq!(world.saved_answer("rel-1").await["choice"], "1");
}

#[tokio::test]
async fn an_agent_cannot_use_the_owners_verbs() {
    let world = World::start().await;
    world.asks("rel-1").await;
    for arguments in [&["decide", "rel-1", "--option", "1"][..], &["decline", "rel-1"], &["cancel", "rel-1"]] {
        let ended = world.ask(arguments).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
    }
    assert_eq!(world.record("rel-1").await["state"], "open");
}
