//! What is not a store in order is refused, named, and left as it is.

use std::path::Path;

use super::{OpenError, SqliteStore, place, raw, samples};
use crate::store::Store;

/// The bytes of a store with some hundred records, all of them in the file itself.
async fn store_bytes() -> Vec<u8> {
    let (path, _folder) = place();
    let store = SqliteStore::open(&path).await.unwrap();
    let records: Vec<_> = (0..100).map(|number| samples::create(&samples::plain(&format!("q-{number}")))).collect();
    store.commit(records).await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut raw(&path).await).await.unwrap();
    std::fs::read(&path).unwrap()
}

async fn refusal(path: &Path) -> OpenError {
    SqliteStore::open(path).await.err().unwrap_or_else(|| panic!("{} was opened", path.display()))
}

async fn assert_corrupt_and_unchanged(bytes: &[u8], what: &str) {
    let (path, _folder) = place();
    std::fs::write(&path, bytes).unwrap();
    let refusal = refusal(&path).await;
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{what}: {refusal:?}");
    let told = refusal.to_string();
    assert!(told.contains(&*path.to_string_lossy()) && told.contains("Restore it from a backup"), "{told}");
    assert!(std::fs::read(&path).unwrap() == bytes, "{what} was changed");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let text = "Shopping list: milk, eggs, and a great deal of patience.\n".repeat(100);
    assert_corrupt_and_unchanged(text.as_bytes(), "a text").await;
    assert_corrupt_and_unchanged(b"x", "one byte").await;
    assert_corrupt_and_unchanged(&[0; 8192], "zeroes").await;
}

#[tokio::test]
async fn an_empty_file_is_refused_and_never_begun_anew() {
    assert_corrupt_and_unchanged(b"", "an empty file").await;
}

#[tokio::test]
async fn a_truncated_store_is_refused() {
    let whole = store_bytes().await;
    for length in [50, 4096, whole.len() / 2, whole.len() / 2 + 100, whole.len() - 4096, whole.len() - 1] {
        assert_corrupt_and_unchanged(&whole[..length], &format!("{length} of {} bytes", whole.len())).await;
    }
}

#[tokio::test]
async fn a_store_with_a_page_of_garbage_is_refused_whichever_page_it_is() {
    let whole = store_bytes().await;
    let pages = whole.len() / 4096;
    assert!(pages > 20, "{pages} pages");
    for page in 0..pages {
        let mut damaged = whole.clone();
        damaged[page * 4096..(page + 1) * 4096].fill(0xa5);
        assert_corrupt_and_unchanged(&damaged, &format!("garbage in page {page}")).await;
    }
}

#[tokio::test]
async fn another_programs_database_is_refused_and_left_alone() {
    let (path, _folder) = place();
    let mut connection = raw(&path).await;
    sqlx::query("CREATE TABLE bookmarks (url TEXT)").execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let before = std::fs::read(&path).unwrap();
    let refusal = refusal(&path).await;
    assert!(refusal.to_string().contains("another program's database"), "{refusal}");
    assert!(std::fs::read(&path).unwrap() == before);
}

#[tokio::test]
async fn a_first_start_that_was_cut_short_is_begun_again() {
    let (path, _folder) = place();
    let mut connection = raw(&path).await;
    sqlx::query("CREATE TABLE begun (it); DROP TABLE begun").execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() > 0);
    assert!(SqliteStore::open(&path).await.is_ok());
}

#[tokio::test]
async fn a_store_whose_log_was_lost_is_not_begun_again() {
    let (path, _folder) = place();
    let mut connection = raw(&path).await;
    sqlx::query("PRAGMA journal_mode = WAL").execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let before = std::fs::read(&path).unwrap();
    let refusal = refusal(&path).await;
    assert!(refusal.to_string().contains("-wal"), "{refusal}");
    assert!(std::fs::read(&path).unwrap() == before);
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_told() {
    let (path, _folder) = place();
    let refusal = refusal(&path.join("missing/pager.sqlite")).await;
    assert!(matches!(refusal, OpenError::Unreachable { .. }), "{refusal:?}");
    assert!(refusal.to_string().contains("check that the folder exists"), "{refusal}");
}
