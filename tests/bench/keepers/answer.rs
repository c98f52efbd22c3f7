//! Answers of a usual size, and saving them.

use std::time::{Duration, Instant};

use anyhow::ensure;
use pager_answers::{AnswerFile, AnswerPath, Keeper, SaveOutcome};

/// The bytes of a usual answer.
pub const USUAL: usize = 700;

/// The answer to a question of this id.
///
/// # Errors
/// When no question has such an id.
pub fn answer(id: &str) -> anyhow::Result<AnswerFile> {
    let line = format!("{{\"id\": \"{id}\"}}\n");
    let bytes = line.repeat(USUAL.div_ceil(line.len())).into_bytes();
    Ok(AnswerFile { path: AnswerPath::new(id)?, bytes, message: format!("answer {id}: chosen"), beside: None })
}

/// Saves a batch; how long that took.
///
/// # Errors
/// When one of them was not saved.
pub async fn save(keeper: &dyn Keeper, batch: Vec<AnswerFile>) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let outcomes = keeper.save(batch).await;
    let took = began.elapsed();
    ensure!(outcomes.iter().all(|outcome| matches!(outcome, SaveOutcome::Saved { .. })), "{outcomes:?}");
    Ok(took)
}
