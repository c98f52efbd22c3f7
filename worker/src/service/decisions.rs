//! The decision log: each settled decision is entered beside its answer. An answer counts without it, so what a crash or a keeper
//! left out is entered here, and trouble with it is told in the log alone.

use pager_answers::{AnswerFile, Entry, EntryName};
use pager_questions::{Answer, Question, decision_log};

use super::Service;
use super::keeping::within;
use super::sweeper::{LOOKS_BACK, MOST_TOGETHER, file, millis};
use crate::clock;

/// What is entered for this answer; None for what is no settled decision.
pub(super) fn entry(question: &Question, answer: &Answer) -> Option<Entry> {
    let entry = decision_log::entry(question, answer)?;
    Some(Entry { name: EntryName::new(&entry.name).ok()?, bytes: entry.page.into_bytes() })
}

/// Looks for decisions of the last days that lack their entry, and has the keeper enter them. True when none lacked.
pub(super) async fn are_all_entered(service: &Service) -> bool {
    match enter_lacking(service).await {
        Ok(0) => true,
        Ok(lacking) => {
            tracing::info!(lacking, "decisions that were not in the decision log are entered");
            false
        }
        Err(reason) => {
            tracing::warn!(reason, "the decision log could not be looked at or written to; it is tried again later");
            false
        }
    }
}

async fn enter_lacking(service: &Service) -> Result<usize, String> {
    let since = clock::now().plus_millis(-millis(LOOKS_BACK));
    let ended = service.store.ended_since(since).await.map_err(|error| error.to_string())?;
    let mut files: Vec<AnswerFile> = ended.iter().filter_map(file).filter(|file| file.beside.is_some()).collect();
    let names: Vec<EntryName> = files.iter().filter_map(|file| Some(file.beside.as_ref()?.name.clone())).collect();
    if names.is_empty() {
        return Ok(0);
    }
    let lacking = within(service.keeper.lacks(names)).await?;
    files.retain(|file| file.beside.as_ref().is_some_and(|entry| lacking.contains(&entry.name)));
    for batch in files.chunks(MOST_TOGETHER) {
        // Their answers are saved: this enters what is beside them, and changes nothing else.
        within(async { Ok::<_, pager_answers::KeeperError>(service.keeper.save(batch.to_vec()).await) }).await?;
    }
    Ok(files.len())
}
