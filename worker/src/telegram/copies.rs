//! Where a question is shown. After a send whose outcome was unknown there may be a message that nobody told us of; a
//! press on it tells.

use pager_questions::Record;

use super::Door;
use crate::service::{ServiceError, effects};
use crate::store::{JobKind, Place, Write};

/// What has to be stored because a press came from this message: nothing, when it is known.
pub(super) async fn seen(door: &Door, record: &Record, message: Option<i64>) -> Result<Vec<Write>, ServiceError> {
    let Some(message) = message else { return Ok(Vec::new()) };
    let places = door.service.store.places(&record.question.incarnation).await?;
    let (Some(first), false) = (places.first(), places.iter().any(|place| place.message == message)) else {
        return Ok(Vec::new());
    };
    let mut writes = vec![Write::SetPlace(Place { message, ..first.clone() })];
    if record.is_over() {
        let id = format!("{}-copy-{message}", record.question.incarnation);
        writes.push(Write::AddJob(effects::job(id, record, JobKind::EditQuestion)));
    }
    Ok(writes)
}
