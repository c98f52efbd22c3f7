//! Forgetting a request looks at the rows of its own thread; the list of what is old walks the requests in their order.

use super::window::plan;
use super::{SqliteStore, place};
use crate::store::sqlite::old_requests::{OF_KEY, OF_THREAD, listed};

const TABLES: [&str; 7] = ["questions", "requests", "replies", "wake_causes", "wakes", "places", "kept"];

#[tokio::test]
async fn forgetting_a_request_reads_no_table_from_end_to_end() {
    let (path, _folder) = place();
    drop(SqliteStore::open(&path).await.unwrap());
    for statement in OF_THREAD.iter().chain(&OF_KEY).copied().chain([listed().as_str()]) {
        let plan = plan(&path, statement).await;
        let scans = |table: &&str| plan.contains(&format!("SCAN {table} "));
        let scanned: Vec<&str> = TABLES.into_iter().filter(scans).collect();
        assert!(scanned.is_empty() && !plan.contains("TEMP B-TREE FOR ORDER"), "{statement}: {plan}");
    }
}
