//! A configuration that is wrong is refused, with everything that is wrong at once and the way out.

use pager_tests::fake_telegram::{BOT, FORUM, FakeTelegram, OWNER, Standing};

use crate::world::{Ended, World};

async fn refused(settings: &[(&str, &str)]) -> Ended {
    let mut world = World::empty();
    for (name, value) in settings {
        world.set(name, value);
    }
    let ended = world.pagerd(&["serve"]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(!world.data_dir().join("pager.sqlite").exists(), "nothing was begun");
    ended
}

#[tokio::test]
async fn telegram_without_owners_refuses_to_start() {
    let token = ("PAGER_TELEGRAM__TOKEN", "100:test-token");
    let chat = ("PAGER_TELEGRAM__CHAT_ID", "-1001000000001");
    for owners in [None, Some(""), Some(" , ")] {
        let mut settings = vec![token, chat];
        settings.extend(owners.map(|owners| ("PAGER_TELEGRAM__OWNERS", owners)));
        let ended = refused(&settings).await;
        assert!(ended.words.contains("telegram.owners"), "{ended:?}");
        assert!(!ended.words.contains("test-token"), "{ended:?}");
    }
}

#[tokio::test]
async fn an_empty_secret_refuses_to_start() {
    let chat = [("PAGER_TELEGRAM__CHAT_ID", "-1001000000001"), ("PAGER_TELEGRAM__OWNERS", "4242")];
    for token in ["", "  "] {
        let ended = refused(&[&[("PAGER_TELEGRAM__TOKEN", token)], &chat[..]].concat()).await;
        assert!(ended.words.contains("telegram.token") && ended.words.contains("empty"), "{ended:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "\n").unwrap();
    let ended = refused(&[&[("PAGER_TELEGRAM__TOKEN_FILE", file.to_str().unwrap())], &chat[..]].concat()).await;
    assert!(ended.words.contains("telegram.token") && ended.words.contains("empty"), "{ended:?}");
    let ended = refused(&[&[("PAGER_TELEGRAM__TOKEN_FILE", "/nowhere/token")], &chat[..]].concat()).await;
    assert!(ended.words.contains("token_file") && ended.words.contains("/nowhere/token"), "{ended:?}");
}

#[tokio::test]
async fn an_owner_that_is_no_number_refuses_to_start() {
    let ended = refused(&[
        ("PAGER_TELEGRAM__TOKEN", "100:test-token"),
        ("PAGER_TELEGRAM__CHAT_ID", "-1001000000001"),
        ("PAGER_TELEGRAM__OWNERS", "4242,@olga"),
    ])
    .await;
    assert!(ended.words.contains("telegram.owners") && ended.words.contains("@olga"), "{ended:?}");
}

#[tokio::test]
async fn every_mistake_of_the_file_is_told_at_once_with_file_key_and_fix() {
    let world = World::empty();
    let file = world.folder().join("pager.toml");
    let text = "time_zone = \"Mars/Olympus\"\ncolour = \"blue\"\n[server]\nlisten = \"everywhere\"\n\
                [telegram]\ntoken = \"100:test-token\"\nchat_id = \"our group\"\nowner = [4242]\n[store]\nurl = \"mysql://u:pass@h/d\"\n";
    std::fs::write(&file, text).unwrap();
    let mut command = world.pagerd_command();
    command.env_remove("PAGER_SERVER__LISTEN").env_remove("PAGER_TIME_ZONE").args(["serve", "--config", file.to_str().unwrap()]);
    let ended = crate::world::Running::start(&mut command).end().await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    for key in ["time_zone", "colour", "server.listen", "telegram.chat_id", "telegram.owners", "telegram.owner ", "store.url"] {
        let line = ended.words.lines().find(|line| line.contains(key)).unwrap_or_else(|| panic!("{key}: {}", ended.words));
        assert!(line.contains("pager.toml"), "{line}");
    }
    for secret in ["test-token", "pass@"] {
        assert!(!ended.words.contains(secret), "{}", ended.words);
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_read_or_is_no_toml_is_named() {
    let world = World::empty();
    let file = world.folder().join("mine.toml");
    let ended = world.pagerd(&["serve", "--config", file.to_str().unwrap()]).await;
    assert!(ended.code == Some(1) && ended.words.contains("mine.toml") && ended.words.contains("--config"), "{ended:?}");
    std::fs::write(&file, "listen = = 7\n").unwrap();
    let ended = world.pagerd(&["serve", "--config", file.to_str().unwrap()]).await;
    assert!(ended.code == Some(1) && ended.words.contains("mine.toml") && ended.words.contains("TOML"), "{ended:?}");
}

#[tokio::test]
async fn an_unknown_variable_is_a_warning_and_pagerd_starts() {
    let world = World::start_with(&[("PAGER_COLOUR", "blue")]).await;
    assert!(world.log().lines().any(|line| line.contains("WARN") && line.contains("PAGER_COLOUR")), "{}", world.log());
    world.asks("rel-1").await;
}

#[tokio::test]
async fn flags_win_over_variables_and_variables_over_the_file() {
    let mut world = World::prepare(&[], None).await;
    std::fs::write(world.folder().join("pager.toml"), "time_zone = \"Europe/Berlin\"\n[server]\nlisten = \"127.0.0.1:1\"\n")
        .unwrap();
    world.serve().await;
    assert_ne!(world.address.host(), "127.0.0.1:1");
    world.terminate().await;
    world.set("PAGER_SERVER__LISTEN", "nonsense");
    let ended = world.pagerd(&["serve", "--listen", "256.0.0.1:0"]).await;
    assert!(ended.words.contains("--listen") && !ended.words.contains("nonsense"), "{ended:?}");
}

#[tokio::test]
async fn a_bot_without_the_right_seat_says_what_is_missing_and_goes_on_serving() {
    let telegram = FakeTelegram::start().await;
    telegram.demote_bot(OWNER);
    let mut world = World::prepare(&[], Some(telegram)).await;
    world.serve().await;
    crate::world::until("readiness says what is missing", async || {
        let ready = world.nobody().get("/readyz").await.with(200);
        ready["degraded"].to_string().contains("may not manage topics").then_some(())
    })
    .await;
    world.telegram().set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    world.asks_and_shows("rel-1").await;
}
