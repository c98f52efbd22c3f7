//! A store that is corrupt, newer, empty or in use stops the start; pagerd never begins anew in its place.

use std::io::{Seek, SeekFrom, Write};

use serde_json::json;

use crate::world::World;

/// A store with something in it; nothing serves.
async fn stopped() -> World {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    world.terminate().await;
    world
}

async fn refuses(world: &World, words: &[&str]) {
    let before = std::fs::read(world.data_dir().join("pager.sqlite")).unwrap();
    for arguments in [&["serve"][..], &["try"], &["token", "list"]] {
        let ended = world.pagerd(arguments).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{arguments:?}: {ended:?}");
        for word in words {
            assert!(ended.words.contains(word), "{arguments:?}: {ended:?}");
        }
    }
    assert!(std::fs::read(world.data_dir().join("pager.sqlite")).unwrap() == before, "the store was written");
}

#[tokio::test]
async fn a_store_that_is_something_else_stops_the_start() {
    let world = stopped().await;
    std::fs::write(world.data_dir().join("pager.sqlite"), "not a database ".repeat(1000)).unwrap();
    refuses(&world, &["corrupt", "pager.sqlite", "backup"]).await;
}

#[tokio::test]
async fn an_orderly_end_leaves_the_whole_store_in_its_file() {
    let world = stopped().await;
    // A copy of the one file, or a log that went missing, must not be an empty store.
    for name in ["pager.sqlite-wal", "pager.sqlite-shm"] {
        let _ = std::fs::remove_file(world.data_dir().join(name));
    }
    let listed = world.pagerd(&["token", "list"]).await;
    assert!(listed.code == Some(0) && listed.output.contains("tester"), "{listed:?}");
}

#[tokio::test]
async fn a_store_with_damaged_pages_stops_the_start() {
    let world = stopped().await;
    let path = world.data_dir().join("pager.sqlite");
    let mut connection = <sqlx::SqliteConnection as sqlx::Connection>::connect(path.to_str().unwrap()).await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let mut file = std::fs::OpenOptions::new().write(true).open(world.data_dir().join("pager.sqlite")).unwrap();
    let length = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(4096)).unwrap();
    file.write_all(&vec![0xa5; usize::try_from(length - 4096).unwrap()]).unwrap();
    refuses(&world, &["corrupt", "pager.sqlite"]).await;
}

#[tokio::test]
async fn an_empty_file_in_the_stores_place_stops_the_start() {
    let world = stopped().await;
    std::fs::write(world.data_dir().join("pager.sqlite"), "").unwrap();
    refuses(&world, &["empty", "pager.sqlite", "backup"]).await;
}

#[tokio::test]
async fn a_newer_store_stops_the_start() {
    let world = stopped().await;
    let path = world.data_dir().join("pager.sqlite");
    let mut connection = <sqlx::SqliteConnection as sqlx::Connection>::connect(path.to_str().unwrap()).await.unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, installed_on, success, checksum, execution_time) \
         VALUES (9999, 'of the future', '2036-01-01', 1, x'00', 1)",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    refuses(&world, &["newer", "9999", "pager.sqlite"]).await;
}

#[tokio::test]
async fn a_second_pagerd_on_the_same_store_refuses_and_names_the_first() {
    let world = World::start().await;
    let process = world.process().to_string();
    let ended = world.pagerd(&["serve"]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.words.contains(&process) && ended.words.contains("in use"), "{ended:?}");
    // The first goes on, and tokens can be made beside it.
    world.asks("rel-1").await;
    world.new_token("agent", "another").await;
}

#[tokio::test]
async fn after_a_kill_the_store_is_free_again() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    world.restart().await;
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn a_damaged_key_stops_the_start_and_is_not_replaced() {
    let mut world = stopped().await;
    std::fs::write(world.data_dir().join("key"), "ed25519-seed:short\n").unwrap();
    let ended = world.pagerd(&["serve"]).await;
    assert!(ended.code == Some(1) && ended.words.contains("key_file"), "{ended:?}");
    assert_eq!(std::fs::read_to_string(world.data_dir().join("key")).unwrap(), "ed25519-seed:short\n");
    world.set("PAGER_KEY_FILE", world.folder().join("another").to_str().unwrap().to_owned().as_str());
    world.serve().await;
}
