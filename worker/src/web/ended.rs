//! Which questions ended a moment ago.

use pager_questions::{Incarnation, Record};

use crate::store::{Store, StoreError};

/// How many there are at most, but for those that vanished from a page.
const MOST: u32 = 10;

/// What ended last, and what has vanished from a page that shows it.
pub async fn find(store: &dyn Store, vanished: &[Incarnation]) -> Result<Vec<Record>, StoreError> {
    let mut found = store.recently_ended(MOST).await?;
    for incarnation in vanished {
        if found.iter().all(|record| record.question.incarnation != *incarnation) {
            found.extend(store.record_of(incarnation).await?);
        }
    }
    Ok(found)
}
