//! Where a question is shown. After a send whose outcome was unknown there may be a message that nobody told us of; a
//! press on it tells.

use pager_questions::Record;

use super::Door;
use crate::service::{ServiceError, effects};
use crate::store::{JobKind, JobState, Place, Write};

/// What has to be stored because a press came from this message. A message with buttons of an ended question was not
/// closed: nobody told us of it, or Telegram refused the edit. It is edited now.
pub(super) async fn seen(door: &Door, record: &Record, message: Option<i64>) -> Result<Vec<Write>, ServiceError> {
    let Some(message) = message else { return Ok(Vec::new()) };
    let incarnation = &record.question.incarnation;
    let places = door.service.store.places(incarnation).await?;
    let Some(first) = places.first() else { return Ok(Vec::new()) };
    let mut writes = Vec::new();
    if !places.iter().any(|place| place.message == message) {
        writes.push(Write::SetPlace(Place { message, ..first.clone() }));
    }
    if record.is_over() {
        let jobs = door.service.store.jobs_of(incarnation).await?;
        let is_about_to = jobs.iter().any(|job| job.kind == JobKind::EditQuestion && job.state == JobState::Waiting);
        if !writes.is_empty() || !is_about_to {
            writes.push(Write::AddJob(effects::job(format!("{incarnation}-copy-{message}"), record, JobKind::EditQuestion)));
        }
    }
    Ok(writes)
}
