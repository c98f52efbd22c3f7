//! May a run go on? Only when its owner approved every gate that it asked for; of what nobody asked, nothing was approved.

use pager_questions::{Author, Record};

use super::{Service, ServiceError};

/// The most gates of one run. More are not looked at, and the run stays blocked.
const MOST: u32 = 1000;

/// The gates of one run.
#[derive(Debug)]
pub struct RunGates {
    /// Something is not approved.
    pub blocked: bool,
    /// Its approvals, in the order in which they were asked.
    pub gates: Vec<Record>,
}

impl Service {
    /// The gates of a run: an agent's own, or everybody's for an owner.
    ///
    /// # Errors
    /// `Unusable`.
    pub async fn gates_of_run(&self, agent: Option<&Author>, run: &str) -> Result<RunGates, ServiceError> {
        let mut gates = self.store.gates(agent, run, MOST + 1).await?;
        let is_cut = gates.len() > MOST as usize;
        gates.truncate(MOST as usize);
        let blocked = gates.is_empty() || is_cut || !gates.iter().all(is_approved);
        Ok(RunGates { blocked, gates })
    }
}

fn is_approved(record: &Record) -> bool {
    record.answer().is_some_and(|answer| record.question.is_yes(answer) == Some(true))
}
