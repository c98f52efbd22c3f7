//! Runners of many agents, each held on a connection of its own until there is a wake, and requests that wake them.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::query;

use super::connection::{Connection, Reply};
use super::daemon::Daemon;

static MADE: AtomicUsize = AtomicUsize::new(0);

/// The tag that a runner of one agent alone is held for.
pub const OWN: &str = "cap:own";

/// So many agents with a token each, made in the store itself: a process for each would take minutes.
///
/// # Errors
/// When the store cannot be written to.
pub async fn agents(daemon: &Daemon, count: usize) -> anyhow::Result<Vec<Connection>> {
    let mut store = daemon.open_store().await?;
    query("BEGIN IMMEDIATE").execute(&mut store).await?;
    let mut secrets = Vec::with_capacity(count);
    for _ in 0..count {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let secret = format!("bench-secret-of-runner-{number}");
        let hash: String = Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let token = query("INSERT INTO tokens (id, name, role, hash, created_at) VALUES (?, ?, 'agent', ?, 0)");
        token.bind(format!("t-runner-{number}")).bind(format!("runner-{number}")).bind(hash).execute(&mut store).await?;
        secrets.push(secret);
    }
    query("COMMIT").execute(&mut store).await?;
    let mut agents = Vec::with_capacity(count);
    for secret in secrets {
        agents.push(Connection::open(&daemon.address, &secret).await?);
    }
    Ok(agents)
}

/// Holds each of them for this tag.
///
/// # Errors
/// When a connection is gone.
pub async fn hold(agents: &mut [Connection], tag: &str) -> anyhow::Result<()> {
    for agent in agents {
        agent.send_wakes(tag).await?;
    }
    Ok(())
}

/// The body of a request, with this tag or none.
pub fn request(tag: Option<&str>) -> String {
    let tags = tag.map_or_else(String::new, |tag| format!(", \"tags\": [\"{tag}\"]"));
    format!(
        "{{\"title\": \"Build the release branch\", \"text\": \"All checks are green. Build the packages of the release branch, and \
         say where they lie.\"{tags}}}"
    )
}

/// The ids of the wakes in a reply.
///
/// # Errors
/// When it is no list of wakes.
pub fn ids(reply: &Reply) -> anyhow::Result<Vec<String>> {
    let reply: Value = serde_json::from_slice(&reply.body)?;
    let items = reply["items"].as_array().context("the reply lists no wakes")?;
    items.iter().map(|wake| wake["id"].as_str().map(str::to_owned).context("a wake has no id")).collect()
}

/// Says that the run for this wake is over.
///
/// # Errors
/// When it is refused.
pub async fn acknowledge(agent: &mut Connection, wake: &str) -> anyhow::Result<()> {
    agent.post(&format!("/v1/wakes/{wake}/ack"), "{}").await?.with(200).map(|_| ())
}
