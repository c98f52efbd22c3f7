//! Ten thousand open questions: the page shows the first of them and says how many there are.

use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::driver::Browser;
use super::plain::Plain;
use crate::world::World;

/// Copies of the one question that is there, straight into the store.
const COPIES: &str = "\
    WITH RECURSIVE copy(nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM copy WHERE nth < 9999) \
    INSERT INTO questions (id, incarnation, agent, fingerprint, is_unnamed, state, hard, asked_at, revision, record) \
    SELECT id || '-' || nth, printf('%016x', nth), agent, fingerprint, is_unnamed, state, hard, asked_at + nth, revision, \
    json_set(record, '$.question.id', id || '-' || nth, '$.question.incarnation', printf('%016x', nth)) \
    FROM questions, copy";

#[tokio::test]
async fn of_ten_thousand_open_questions_the_page_shows_the_first_and_counts_all() {
    let mut world = World::start().await;
    world.asks("copy").await;
    world.kill9().await;
    let options = SqliteConnectOptions::new().filename(world.data_dir().join("pager.sqlite"));
    let mut store = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::query(COPIES).execute(&mut store).await.unwrap();
    store.close().await.unwrap();
    world.serve_at_the_same_address().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.sees("#headline", "10000 questions wait for you").await;
    assert_eq!(browser.title().await.unwrap(), "(10000) pager");
    assert_eq!(browser.count(".card").await, 50);
    browser.sees(".ways .badge", "999+").await;
    browser.press("#more a").await;
    browser.sees("#more", "First page").await;
    browser.press(".option").await;
    browser.sees("#headline", "9999 questions wait for you").await;
    let page = Plain::logged_in(&world).await.get("/").await.text().await.unwrap();
    assert!(page.len() < 250_000, "{}", page.len());
}
