//! Questions as agents ask them, and agents that wait for their answers.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::connection::Connection;
use super::daemon::Daemon;

static ASKED: AtomicUsize = AtomicUsize::new(0);

/// The answer that chooses the first option.
pub const FIRST_OPTION: &str = r#"{"answer": "yes", "option": "1"}"#;

/// An id that was not used in this run.
pub fn new_id() -> String {
    format!("bench-{}", ASKED.fetch_add(1, Ordering::Relaxed))
}

/// The usual question, of about 300 bytes.
pub fn question(id: &str) -> String {
    format!(
        "{{\"id\": \"{id}\", \"text\": \"Release {id}?\\n\\nAll checks of the release branch are green, and the migration \
         was tried on a copy of the data. The window is open until six.\", \"options\": [{{\"label\": \"Yes, release\"}}, \
         {{\"label\": \"No, wait for tomorrow\"}}]}}"
    )
}

/// Asks one.
pub async fn ask(agent: &mut Connection) -> anyhow::Result<String> {
    let id = new_id();
    agent.post("/v1/questions", &question(&id)).await?.with(201)?;
    Ok(id)
}

/// So many questions, asked one after the other.
pub async fn ask_many(daemon: &Daemon, count: usize) -> anyhow::Result<Vec<String>> {
    let mut asking = daemon.agent().await?;
    let mut ids = Vec::with_capacity(count);
    for _ in 0..count {
        ids.push(ask(&mut asking).await?);
    }
    Ok(ids)
}

/// An agent for each of these, on a connection of its own and held for an answer that nobody gives.
pub async fn hold(daemon: &Daemon, ids: &[String]) -> anyhow::Result<Vec<Connection>> {
    let mut held = Vec::with_capacity(ids.len());
    for id in ids {
        let mut agent = daemon.agent().await?;
        agent.send_held(id).await?;
        held.push(agent);
    }
    Ok(held)
}
