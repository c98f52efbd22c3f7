//! What is done about wakes while nobody else can write looks at the rows that it is about, and at no others.

use super::window::plan;
use super::{SqliteStore, place};
use crate::store::sqlite::wakes::{BEFORE, causes_before};

const MIGRATION: &str = include_str!("../../migrations/0015-wakes.sql");

#[tokio::test]
async fn what_the_writer_does_about_wakes_reads_no_table_from_end_to_end() {
    let (path, _folder) = place();
    drop(SqliteStore::open(&path).await.unwrap());
    let replied = MIGRATION.split(';').find(|statement| statement.contains("'reply', NEW.id")).unwrap();
    let replied = replied.rsplit("BEGIN").next().unwrap();
    // Only a trigger knows the new row.
    let replied = ["id", "at", "request", "party", "kind"]
        .iter()
        .fold(replied.to_owned(), |statement, column| statement.replace(&format!("NEW.{column}"), "?"));
    for (statement, key) in
        [(replied.as_str(), "USING PRIMARY KEY (agent=?)"), (BEFORE, "replies_late"), (&causes_before(), "wake_causes_at")]
    {
        let plan = plan(&path, statement).await;
        let scans = |table: &&str| plan.contains(&format!("SCAN {table} "));
        let scanned: Vec<&str> =
            ["q", "r", "questions", "requests", "replies", "wake_causes"].into_iter().filter(scans).collect();
        assert!(plan.contains(key) && scanned.is_empty(), "{statement}: {plan}");
    }
}
