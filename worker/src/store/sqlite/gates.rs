//! The approvals of a run, read.

use pager_questions::{Author, Record};

use super::readers::Readers;
use super::rows;
use crate::store::Stored;

/// Both expressions are those of the index, word for word.
const OF_RUN: &str = "SELECT record FROM questions \
    WHERE record ->> '$.question.purpose' = 'approval' AND record ->> '$.question.source.run' = ?1";

pub(super) async fn of_run(readers: &Readers, agent: Option<&Author>, run: &str, limit: u32) -> Stored<Vec<Record>> {
    // An absent condition is left out, so that a condition that is there is looked up in the index.
    let of_agent =
        if agent.is_some() { "AND agent = ?2 ORDER BY number LIMIT ?3" } else { "AND ?2 IS NULL ORDER BY number LIMIT ?3" };
    let statement = format!("{OF_RUN} {of_agent}");
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(run).bind(agent.map(Author::as_str)).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::SqliteStore;

    #[tokio::test]
    async fn a_run_s_approvals_are_looked_up_and_not_searched_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("pager.sqlite")).await.expect("a store");
        let explained = format!("EXPLAIN QUERY PLAN {OF_RUN} AND agent = 'deploy' ORDER BY number LIMIT 10");
        let query = sqlx::query(sqlx::AssertSqlSafe(explained)).bind("r-7");
        let mut reader = store.readers.one().await.expect("a reader");
        let rows = query.fetch_all(&mut *reader).await.expect("a plan");
        let plan: Vec<String> = rows.iter().map(|row| sqlx::Row::get(row, "detail")).collect();
        assert_eq!(plan, ["SEARCH questions USING INDEX questions_gates (<expr>=? AND agent=?)"]);
    }
}
