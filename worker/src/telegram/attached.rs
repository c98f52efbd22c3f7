//! What became of an approval's documents. Nobody approves in the chat what does not stand there whole: only once the last
//! document is known to be there, beside the message, does the message get its button.

use pager_bot::render::{self, Attached};
use pager_questions::apply::Event;
use pager_questions::{Delivery, Purpose, Question, Record};
use serde::{Deserialize, Serialize};

use super::sender::Outcome;
use super::{Door, show};
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, Write};

/// Begins the reason that an asker sees when nobody can approve in the chat.
const REASON: &str = "what is to be approved could not be sent as a document";

/// What is kept of the documents of one approval.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    chat: i64,
    /// Where they landed; 0 outside topics.
    thread: i64,
    are_sent: bool,
}

/// What became of them, as far as is known for certain.
pub(super) async fn state(door: &Door, record: &Record) -> Result<Attached, ServiceError> {
    if !may_need_documents(&record.question) {
        return Ok(Attached::Coming);
    }
    let kept = door.service.store.kept(&name(record)).await?;
    let kept = kept.and_then(|text| serde_json::from_str::<Kept>(&text).ok()).filter(|kept| kept.chat == door.seat.chat_id);
    let Some(kept) = kept else { return Ok(Attached::Coming) };
    let is_beside = show::messages(door, record).await?.iter().any(|place| place.thread == kept.thread);
    Ok(match kept.are_sent && is_beside {
        true => Attached::Sent,
        false => Attached::Missing { page: door.service.link_to(record) },
    })
}

/// Would a press on this option approve what does not stand in the chat whole?
pub(super) async fn forbids(door: &Door, record: &Record, option: &str) -> Result<bool, ServiceError> {
    let is_yes = record.question.purpose.rules().yes.is_some_and(|yes| yes.option == option);
    let is_needed = is_yes && may_need_documents(&record.question) && render::needs_documents_to_approve(&record.question);
    Ok(is_needed && state(door, record).await? != Attached::Sent)
}

/// A message was just sent: its documents come behind it, whatever was sent before.
pub(super) fn come(record: &Record) -> Option<Write> {
    may_need_documents(&record.question).then(|| Write::Keep { name: name(record), value: String::new() })
}

/// The last document was sent and landed in this topic: the message is edited to have all its buttons. One that landed
/// elsewhere stands beside nothing.
pub(super) async fn came(door: &Door, job: &Job, record: &Record, landed: i64) -> Result<Outcome, ServiceError> {
    if !may_need_documents(&record.question) || record.is_over() {
        return Ok(Outcome::done());
    }
    let is_beside = show::messages(door, record).await?.iter().any(|place| place.thread == landed);
    let writes = told(door, job, record, landed, is_beside);
    if !is_beside {
        return Ok(Outcome::Delivered(missing(record, "it landed outside its topic"), writes));
    }
    let was_missing = record.delivery.reason.as_ref().is_some_and(|reason| reason.starts_with(REASON));
    if was_missing {
        return Ok(Outcome::Delivered(Delivery { reason: None, ..record.delivery.clone() }, writes));
    }
    Ok(Outcome::Done(writes))
}

/// A job is given up with this write. When it was a document of an approval, nobody approves it in the chat: its message
/// says where, and its agent sees why.
pub(super) async fn given_up(door: &Door, job: &Job, record: Record, reason: &str, write: Write) -> Result<(), ServiceError> {
    let mut writes = vec![write];
    let thread = match job.kind {
        JobKind::SendDocument { thread, .. } if may_need_documents(&record.question) && !record.is_over() => thread,
        _ => return Ok(door.service.store.commit(writes).await?),
    };
    writes.extend(told(door, job, &record, thread, false));
    let event = Event::Deliver(missing(&record, reason));
    door.service.change(record, None, &event, &writes).await?;
    door.service.outbox.notify_one();
    Ok(())
}

fn missing(record: &Record, reason: &str) -> Delivery {
    let reason = Some(format!("{REASON} ({reason}): it can be approved on the page only"));
    Delivery { reason, ..record.delivery.clone() }
}

fn told(door: &Door, job: &Job, record: &Record, thread: i64, are_sent: bool) -> Vec<Write> {
    let kept = Kept { chat: door.seat.chat_id, thread, are_sent };
    let value = serde_json::to_string(&kept).expect("numbers are plain JSON");
    let edit = effects::job(format!("{}-told", job.id), record, JobKind::EditQuestion);
    vec![Write::Keep { name: name(record), value }, Write::AddJob(edit)]
}

/// Whether its message may have to wait for documents; cheap, for those that never do.
fn may_need_documents(question: &Question) -> bool {
    question.purpose == Purpose::Approval
}

fn name(record: &Record) -> String {
    format!("documents:{}", record.question.incarnation)
}
