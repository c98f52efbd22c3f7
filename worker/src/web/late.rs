//! What somebody is told whose press came too late: that it was not recorded, or, of an offer whose default holds, that it was kept.

use pager_questions::apply::Resolution;
use pager_questions::{By, Outcome, Purpose, Record, Reply, ReplyKind};

use crate::store::{Store, StoreError};

const NOT_RECORDED: &str = "Yours was not recorded.";

/// One sentence or two, after those that tell how the question ended.
pub async fn kept(store: &dyn Store, by: &By, record: &Record, wanted: Option<&Resolution>) -> Result<String, StoreError> {
    let question = &record.question;
    let is_defaulted = record.answer().is_some_and(|answer| answer.outcome == Outcome::Defaulted);
    let (Some(about), Some(wanted)) = (&question.about, wanted) else { return Ok(NOT_RECORDED.to_owned()) };
    if !is_defaulted || question.purpose != Purpose::Offer {
        return Ok(NOT_RECORDED.to_owned());
    }
    let Some(words) = picked(record, wanted) else { return Ok(NOT_RECORDED.to_owned()) };
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

/// In the words in which it is kept.
fn picked(record: &Record, wanted: &Resolution) -> Option<String> {
    match wanted {
        Resolution::Chosen(ids) => {
            let options = ids.iter().filter_map(|id| record.question.option(id.as_str()));
            Some(options.map(|option| &*option.label).collect::<Vec<_>>().join(", "))
        }
        Resolution::OwnWords(words) => Some(words.clone()),
        Resolution::Declined | Resolution::Cancelled(_) => None,
    }
}
