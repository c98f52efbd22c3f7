//! What is read of requests and of what is open walks an index that has that and nothing else: what is over costs nothing.

use super::window::plan;
use super::{SqliteStore, place};
use crate::store::sqlite::reads::COUNT_OPEN;
use crate::store::sqlite::threads::{ABOUT_ANY, COUNT_UNANSWERED, unanswered_statement};

#[tokio::test]
async fn what_is_unanswered_or_open_is_read_without_what_is_over() {
    let (path, _folder) = place();
    drop(SqliteStore::open(&path).await.unwrap());
    for (statement, index) in [
        (COUNT_UNANSWERED, "USING INDEX requests_unanswered_of_party (party=? AND at>?)"),
        (&unanswered_statement(true), "USING INDEX requests_unanswered_of_party (party=? AND at>?)"),
        (&unanswered_statement(false), "USING INDEX requests_unanswered (at>?)"),
        (COUNT_OPEN, "USING INDEX questions_open"),
        (ABOUT_ANY, "USING INDEX questions_about (about=?)"),
    ] {
        let plan = plan(&path, statement).await;
        assert!(plan.contains(index), "{statement}: {plan}");
    }
    let plan = plan(&path, &unanswered_statement(true)).await;
    assert!(!plan.contains("TEMP B-TREE"), "it is in order already: {plan}");
}
