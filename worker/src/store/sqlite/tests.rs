//! The SQLite store: it passes the suite, survives its process, and refuses a file that is not its own in order.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod old_requests;
mod refusals;
mod threads;
mod versions;
mod wakes;
mod window;

use std::path::PathBuf;
use std::sync::Arc;

use sqlx::{Connection, SqliteConnection};
use tempfile::TempDir;

use super::{OpenError, SqliteStore, open};
use crate::store::conformance::{self, samples};
use crate::store::{SharedStore, Store, Write};

/// A folder for one store. The second value keeps it.
fn place() -> (PathBuf, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (folder.path().join("pager.sqlite"), folder)
}

async fn raw(path: &std::path::Path) -> SqliteConnection {
    SqliteConnection::connect_with(&open::options(path)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sqlite_store_passes_the_conformance_suite() {
    conformance::all(async || {
        let (path, folder) = place();
        let store: SharedStore = Arc::new(SqliteStore::open(&path).await.unwrap());
        (store, folder)
    })
    .await;
}

#[tokio::test]
async fn a_store_that_is_opened_again_has_everything() {
    let (path, _folder) = place();
    let record = samples::plain("a");
    let store = SqliteStore::open(&path).await.unwrap();
    let job = samples::job("j", 1, 0);
    store
        .commit(vec![samples::create(&record), Write::AddJob(job.clone()), Write::Receive(samples::update(1, 0))])
        .await
        .unwrap();
    drop(store);
    let store = SqliteStore::open(&path).await.unwrap();
    assert_eq!(store.record(&samples::id("a")).await.unwrap(), Some(record));
    assert_eq!(store.next_job(samples::time(0)).await.unwrap(), Some(job));
    assert_eq!(store.unhandled_updates(9).await.unwrap(), [samples::update(1, 0)]);
    assert!(store.is_used(&samples::id("a")).await.unwrap());
}

#[tokio::test]
async fn what_was_committed_is_there_although_the_file_was_never_closed() {
    let (path, folder) = place();
    let store = SqliteStore::open(&path).await.unwrap();
    store.commit(vec![samples::create(&samples::plain("a"))]).await.unwrap();
    let copy = folder.path().join("copy.sqlite");
    for ending in ["", "-wal"] {
        let with = |path: &std::path::Path| format!("{}{ending}", path.display());
        std::fs::copy(with(&path), with(&copy)).unwrap();
    }
    let copy = SqliteStore::open(&copy).await.unwrap();
    assert_eq!(copy.record(&samples::id("a")).await.unwrap(), Some(samples::plain("a")));
}

#[tokio::test]
async fn a_second_service_is_told_which_process_has_the_store() {
    let (path, _folder) = place();
    let first = SqliteStore::open(&path).await.unwrap();
    let refused = SqliteStore::open(&path).await.err().unwrap();
    assert!(matches!(&refused, OpenError::InUse { process, .. } if *process == std::process::id().to_string()), "{refused:?}");
    assert!(refused.to_string().contains("stop that pagerd first"), "{refused}");
    drop(first);
    assert!(SqliteStore::open(&path).await.is_ok(), "the lock went with its holder");
}

#[tokio::test]
async fn a_command_works_beside_a_running_service() {
    let (path, _folder) = place();
    let service = SqliteStore::open(&path).await.unwrap();
    let command = SqliteStore::open_beside(&path).await.unwrap();
    command.commit(vec![samples::create(&samples::plain("a"))]).await.unwrap();
    assert!(service.record(&samples::id("a")).await.unwrap().is_some());
    service.commit(vec![samples::create(&samples::plain("b"))]).await.unwrap();
    assert!(command.record(&samples::id("b")).await.unwrap().is_some());
    drop(command);
    assert!(SqliteStore::open(&path).await.is_err(), "the service still has it");
}

#[tokio::test]
async fn every_commit_is_flushed_before_it_counts() {
    let (path, _folder) = place();
    let _store = SqliteStore::open(&path).await.unwrap();
    let mut connection = raw(&path).await;
    let journal: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut connection).await.unwrap();
    let flushing: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut connection).await.unwrap();
    let references: i64 = sqlx::query_scalar("PRAGMA foreign_keys").fetch_one(&mut connection).await.unwrap();
    assert_eq!((journal.as_str(), flushing, references), ("wal", 2, 1), "2 is FULL");
}
