//! What somebody is told whose press came too late: that it was not recorded, or, of an offer whose default holds, that it was kept.

use pager_questions::apply::Resolution;
use pager_questions::{By, Record, Reply, ReplyKind};

use crate::service::picked_of;
use crate::store::{Store, StoreError};

const NOT_RECORDED: &str = "Yours was not recorded.";

/// One sentence or two, after those that tell how the question ended.
pub async fn kept(store: &dyn Store, by: &By, record: &Record, wanted: Option<&Resolution>) -> Result<String, StoreError> {
    let question = &record.question;
    let (Some(about), Some(wanted)) = (&question.about, wanted) else { return Ok(NOT_RECORDED.to_owned()) };
    if !record.is_defaulted_offer() {
        return Ok(NOT_RECORDED.to_owned());
    }
    let Some(words) = picked_of(record, wanted) else { return Ok(NOT_RECORDED.to_owned()) };
    let replies = store.replies(&about.request()).await?;
    let is_it = |reply: &&Reply| reply.kind == ReplyKind::LatePick && reply.offer.as_ref() == Some(&question.id);
    Ok(match replies.iter().find(is_it) {
        Some(reply) if reply.author == *by && reply.text == words => {
            format!(
                "Your pick, {words}, was kept as a late one in the thread of its request; {} hears of it.",
                question.source.agent
            )
        }
        Some(reply) => format!("{NOT_RECORDED} A late pick was kept before: {}.", reply.text),
        None => NOT_RECORDED.to_owned(),
    })
}
