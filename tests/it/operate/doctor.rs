//! `pagerd doctor` names each broken set-up, with the one thing to do.

use pager_tests::fake_telegram::{BOT, FORUM, FakeTelegram, OWNER, Standing, TOKEN};
use serde_json::{Value, json};

use crate::world::{Ended, World, until};

/// A pagerd with a fake Telegram that has been started once and stands still.
async fn world() -> World {
    let telegram = FakeTelegram::start().await;
    World::prepare(&[], Some(telegram)).await
}

/// The line of one check.
#[track_caller]
fn line<'a>(ended: &'a Ended, check: &str) -> &'a str {
    let is_it = |line: &&str| line.get(5..).is_some_and(|rest| rest.starts_with(&format!("{check}:")));
    ended.output.lines().find(is_it).unwrap_or_else(|| panic!("no line on {check}: {ended:?}"))
}

/// Runs it; this check failed, says these words, and has something to do; secrets are nowhere.
async fn names(world: &World, check: &str, words: &[&str]) -> Ended {
    let ended = world.pagerd(&["doctor"]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let line = line(&ended, check);
    assert!(line.starts_with("FAIL ") && line.contains("To do: "), "{line}");
    for word in words {
        assert!(line.contains(word), "{word:?}: {line}");
    }
    for secret in ["test-token", &FORUM.to_string()] {
        assert!(!ended.output.contains(secret) && !ended.words.contains(secret), "{ended:?}");
    }
    ended
}

#[tokio::test]
async fn a_good_set_up_passes_every_check_beside_the_service_and_without_it() {
    let mut world = world().await;
    let before = world.pagerd(&["doctor"]).await;
    assert_eq!(before.code, Some(0), "{before:?}");
    assert!(line(&before, "receiving").contains("nobody else"), "{before:?}");
    assert!(!world.repository().exists(), "it made a repository");
    world.serve().await;
    // A poll ends when there is something to tell.
    world.telegram().write_in_general("Hello").unwrap();
    until("a poll was noted", async || {
        let beside = world.pagerd(&["doctor"]).await;
        line(&beside, "receiving").starts_with("ok ").then_some(())
    })
    .await;
    let beside = world.pagerd(&["doctor", "--json"]).await;
    let report: Value = beside.json();
    assert_eq!((beside.code, &report["ok"]), (Some(0), &json!(true)), "{report}");
    let checks = report["checks"].as_array().unwrap();
    let store = checks.iter().find(|check| check["check"] == "store").unwrap();
    assert!(store["says"].as_str().unwrap().contains(&world.process().to_string()), "{store}");
    assert!(checks.iter().all(|check| check["verdict"] == "ok"), "{report}");
}

#[tokio::test]
async fn a_wrong_token_is_named() {
    let mut world = world().await;
    world.set("PAGER_TELEGRAM__TOKEN", "999:other-test-token");
    names(&world, "token", &["@BotFather"]).await;
}

#[tokio::test]
async fn a_chat_id_without_its_prefix_is_named() {
    for id in ["1000000001", "-1000000001"] {
        let mut world = world().await;
        world.set("PAGER_TELEGRAM__CHAT_ID", id);
        names(&world, "chat", &["-100"]).await;
    }
}

#[tokio::test]
async fn a_chat_that_the_bot_is_not_in_is_named() {
    let mut world = world().await;
    world.set("PAGER_TELEGRAM__CHAT_ID", "-1007777777777");
    names(&world, "chat", &["add the bot", "telegram.chat_id"]).await;
}

#[tokio::test]
async fn a_group_without_topics_is_named() {
    let world = world().await;
    world.telegram().set_topics(FORUM, false);
    let ended = world.pagerd(&["doctor"]).await;
    // It serves all the same, by keys.
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let line = line(&ended, "topics");
    assert!(line.starts_with("warn ") && line.contains("/answer KEY") && line.contains("switch Topics on"), "{line}");
}

#[tokio::test]
async fn a_bot_that_is_no_administrator_is_named() {
    let world = world().await;
    world.telegram().set_privacy_mode(false);
    world.telegram().set_standing(FORUM, BOT, Standing::Member, OWNER);
    let ended = names(&world, "rights", &["no administrator", "Manage Topics"]).await;
    assert!(line(&ended, "privacy mode").starts_with("ok "), "{ended:?}");
}

#[tokio::test]
async fn a_bot_without_the_right_to_manage_topics_is_named() {
    let world = world().await;
    world.telegram().demote_bot(OWNER);
    let ended = names(&world, "rights", &["without the right", "Manage Topics"]).await;
    assert!(line(&ended, "privacy mode").starts_with("ok "), "{ended:?}");
}

#[tokio::test]
async fn privacy_mode_is_named() {
    let world = world().await;
    world.telegram().set_standing(FORUM, BOT, Standing::Member, OWNER);
    names(&world, "privacy mode", &["sees no texts", "administrator"]).await;
}

#[tokio::test]
async fn a_webhook_in_the_way_is_named() {
    let world = world().await;
    let url = format!("{}/bot{TOKEN}/setWebhook", world.telegram().base_url());
    let set = crate::world::sent(client().post(url).json(&json!({"url": "https://example.org/secret-path"}))).await.unwrap();
    assert_eq!(set.status, 200, "{set:?}");
    let ended = names(&world, "webhook", &["start pagerd"]).await;
    assert!(!ended.output.contains("secret-path"), "{ended:?}");
}

#[tokio::test]
async fn a_second_poller_is_named_while_no_pagerd_serves() {
    let world = world().await;
    let other = second_poller(world.telegram());
    names(&world, "receiving", &["another program", "stop the other program"]).await;
    other.abort();
}

#[tokio::test]
async fn a_second_poller_is_named_beside_the_service() {
    let mut world = world().await;
    world.serve().await;
    let other = second_poller(world.telegram());
    until("the conflict was noted", async || {
        let ended = world.pagerd(&["doctor"]).await;
        line(&ended, "receiving").starts_with("FAIL ").then_some(())
    })
    .await;
    names(&world, "receiving", &["another program"]).await;
    other.abort();
}

#[tokio::test]
async fn an_owner_who_is_unknown_or_not_in_the_group_is_named() {
    let mut world = world().await;
    world.telegram().add_user(5151, "Otto", "Outside");
    for owner in ["987654", "5151"] {
        world.set("PAGER_TELEGRAM__OWNERS", owner);
        names(&world, "owner", &[owner, "telegram.owners"]).await;
    }
}

#[tokio::test]
async fn a_clock_that_is_off_is_named() {
    let world = world().await;
    world.telegram().age(120);
    let ended = names(&world, "clock", &["behind", "timedatectl"]).await;
    let seconds: i64 = line(&ended, "clock").split(' ').find_map(|word| word.parse().ok()).unwrap();
    assert!((115..=125).contains(&seconds), "{ended:?}");
}

#[tokio::test]
async fn a_key_that_others_can_read_is_named_with_the_command() {
    use std::os::unix::fs::PermissionsExt;
    let mut world = world().await;
    world.serve().await;
    world.terminate().await;
    let key = world.data_dir().join("key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    names(&world, "key", &["chmod 600", key.to_str().unwrap()]).await;
}

#[tokio::test]
async fn a_configuration_that_does_not_load_is_named_line_by_line() {
    let mut world = world().await;
    world.set("PAGER_TELEGRAM__OWNERS", "@olga");
    world.set("PAGER_TIME_ZONE", "Mars/Olympus");
    let ended = names(&world, "configuration", &[]).await;
    for key in ["telegram.owners", "time_zone"] {
        assert!(ended.output.lines().any(|line| line.starts_with("FAIL configuration") && line.contains(key)), "{ended:?}");
    }
}

#[tokio::test]
async fn a_corrupt_store_is_named_and_left_alone() {
    let world = world().await;
    let path = world.data_dir().join("pager.sqlite");
    std::fs::write(&path, "not a database ".repeat(1000)).unwrap();
    let before = std::fs::read(&path).unwrap();
    names(&world, "store", &["corrupt", "backup"]).await;
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn without_telegram_nothing_of_it_is_looked_at() {
    let world = World::prepare(&[], None).await;
    let ended = world.pagerd(&["doctor"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(line(&ended, "telegram").contains("off"), "{ended:?}");
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// Another program that polls with the same token, for ever.
pub fn second_poller(telegram: &FakeTelegram) -> tokio::task::JoinHandle<()> {
    let url = format!("{}/bot{TOKEN}/getUpdates", telegram.base_url());
    tokio::spawn(async move {
        let client = client();
        let mut offset = 0;
        loop {
            let polled = crate::world::sent(client.post(&url).json(&json!({"timeout": 20, "offset": offset}))).await;
            let last = polled.ok().and_then(|reply| reply.json()["result"].as_array()?.last()?["update_id"].as_i64());
            offset = last.map_or(offset, |last| last + 1);
            crate::world::a_moment().await;
        }
    })
}

#[tokio::test]
async fn in_webhook_mode_it_looks_where_the_webhook_leads() {
    let mut world = world().await;
    world.use_webhook("a-secret").await;
    let before = world.pagerd(&["doctor"]).await;
    assert_eq!(before.code, Some(0), "{before:?}");
    assert!(line(&before, "webhook").contains("pagerd sets it when it starts"), "{before:?}");
    world.serve().await;
    until("it leads here", async || {
        let ended = world.pagerd(&["doctor"]).await;
        line(&ended, "webhook").contains("it leads here").then_some(())
    })
    .await;
    let url = format!("{}/bot{TOKEN}/setWebhook", world.telegram().base_url());
    let elsewhere = json!({"url": "https://elsewhere.example/hook"});
    // More than one such call a second is refused.
    world.telegram().age(2);
    let reply = reqwest::Client::new().post(url).json(&elsewhere).send().await.unwrap();
    assert_eq!(reply.status(), 200);
    names(&world, "webhook", &["does not lead to this service"]).await;
}
