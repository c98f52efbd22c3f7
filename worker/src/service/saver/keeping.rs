//! One call to the keeper: it has an end, one outcome for each file, and no refusal where an earlier try may have written it.

use std::sync::Arc;

use pager_answers::{AnswerFile, Keeper, SaveOutcome};

use crate::service::keeping::{CALL_ENDS_WITHIN, took_too_long, within};

/// Writes a batch. With each file goes whether an earlier try may have written it: a refusal of such a one counts only when
/// its path is read and empty. Were its question opened again, a signed answer of the owner's would lie there unknown.
pub(super) async fn write(keeper: Arc<dyn Keeper>, batch: Vec<(AnswerFile, bool)>) -> Vec<SaveOutcome> {
    let (files, doubts): (Vec<AnswerFile>, Vec<bool>) = batch.into_iter().unzip();
    let unknown = |reason: String| SaveOutcome::Unknown { reason, pause: None };
    let saved = tokio::time::timeout(CALL_ENDS_WITHIN, keeper.save(files.clone())).await;
    let mut outcomes = saved.unwrap_or_else(|_| vec![unknown(took_too_long()); files.len()]);
    outcomes.resize(files.len(), unknown("the answers repository told nothing of it".to_owned()));
    let mut unreadable = None;
    for (outcome, (file, _)) in outcomes.iter_mut().zip(files.iter().zip(doubts)).filter(|(_, (_, doubt))| *doubt) {
        let SaveOutcome::Refused { reason } = outcome else { continue };
        // What cannot be read once is not asked for again and again.
        let read = match unreadable.clone() {
            Some(error) => Err(error),
            None => within(keeper.read(&file.path)).await,
        };
        match read {
            Ok(None) => {}
            Ok(Some(_)) => *outcome = unknown(format!("{reason}; and there is a file already")),
            Err(error) => {
                *outcome = unknown(format!("{reason}; whether an earlier try has saved it cannot be read: {error}"));
                unreadable = Some(error);
            }
        }
    }
    outcomes
}
