//! Where several options may be picked: which are marked by now. The owners of a chat share the marks, every copy of the
//! message shows them, and they outlive a restart.

use pager_bot::render::toasts;
use pager_questions::text::{one_line, reveal};
use pager_questions::{OptionId, Record};

use super::Door;
use crate::service::{ServiceError, effects};
use crate::store::{JobKind, JobState, Write};

/// The marked options, in the question's order.
pub(super) async fn of(door: &Door, record: &Record) -> Result<Vec<OptionId>, ServiceError> {
    if !record.question.multi {
        return Ok(Vec::new());
    }
    let kept = door.service.store.kept(&name(record)).await?.unwrap_or_default();
    let is_marked = |id: &OptionId| kept.split(',').any(|marked| marked == id.as_str());
    Ok(record.question.options.iter().map(|option| option.id.clone()).filter(is_marked).collect())
}

/// Marks an option, or takes its mark away: what to tell, and what to store. Of edits that wait to show the marks the last
/// one is enough.
pub(super) async fn toggle(
    door: &Door,
    update: i64,
    record: &Record,
    option: &OptionId,
) -> Result<(String, Vec<Write>), ServiceError> {
    let mut marked = of(door, record).await?;
    match marked.iter().position(|id| id == option) {
        Some(place) => drop(marked.remove(place)),
        None => marked.push(option.clone()),
    }
    let jobs = door.service.store.jobs_of(&record.question.incarnation).await?;
    let waits = jobs.into_iter().filter(|job| job.kind == JobKind::EditMarks && job.state == JobState::Waiting);
    let mut writes: Vec<Write> = waits.map(|job| Write::FinishJob { job: job.id }).collect();
    let value = marked.iter().map(OptionId::as_str).collect::<Vec<_>>().join(",");
    writes.push(Write::Keep { name: name(record), value });
    let id = format!("{}-marks-{update}", record.question.incarnation);
    writes.push(Write::AddJob(effects::job(id, record, JobKind::EditMarks)));
    let labels = record.question.options.iter().filter(|option| marked.contains(&option.id));
    let labels: Vec<String> = labels.map(|option| reveal(&one_line(&option.label))).collect();
    Ok((toasts::marked(&labels.iter().map(String::as_str).collect::<Vec<_>>()), writes))
}

fn name(record: &Record) -> String {
    format!("marks:{}", record.question.incarnation)
}
