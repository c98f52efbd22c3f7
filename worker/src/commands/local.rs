//! `local.json` in the data folder: how `ask` finds a trial service on this machine. Readable by its user alone.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::token;
use crate::secrets;
use crate::store::{Role, Store};

/// What stands in it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Local {
    /// Where the service is.
    pub url: String,
    /// For `ask new`, `ask wait`, …
    pub agent_token: String,
    /// For `ask decide`, `ask decline`, …
    pub owner_token: String,
}

/// Writes it, with the tokens of the last time while they are valid.
///
/// # Errors
/// When the store or the file cannot be used.
pub async fn write(data_dir: &Path, url: &str, store: &dyn Store) -> anyhow::Result<Local> {
    let path = data_dir.join("local.json");
    let last: Option<Local> = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let local = Local {
        url: url.to_owned(),
        agent_token: valid_or_new(store, last.as_ref().map(|last| &last.agent_token), Role::Agent, "local").await?,
        owner_token: valid_or_new(store, last.as_ref().map(|last| &last.owner_token), Role::Owner, "owner").await?,
    };
    put(&path, &local).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(local)
}

async fn valid_or_new(store: &dyn Store, last: Option<&String>, role: Role, name: &str) -> anyhow::Result<String> {
    if let Some(secret) = last
        && store.token(&secrets::hash(secret)).await?.is_some_and(|token| token.role == role)
    {
        return Ok(secret.clone());
    }
    token::create(store, role, name).await
}

fn put(path: &PathBuf, local: &Local) -> anyhow::Result<()> {
    let beside = path.with_extension("part");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(&serde_json::to_vec_pretty(local)?)?;
    file.sync_all()?;
    Ok(std::fs::rename(&beside, path)?)
}
