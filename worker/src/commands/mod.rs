//! The verbs of pagerd.

pub mod backup;
pub mod doctor;
pub mod key;
mod local;
mod repository;
mod running;
pub mod serve;
pub mod setup;
pub mod token;
pub mod trial;

use std::fs::DirBuilder;
use std::io::IsTerminal;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use anyhow::{Context, bail};
use secrecy::SecretString;
use tracing_subscriber::EnvFilter;

use crate::configuration::{Configuration, Flags};

/// The runtime, on half of the cores: waiting is what it does most, the store and the answers repository have threads of
/// their own, and with fewer threads fewer are woken for nothing.
pub fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = (cores / 2).clamp(1, 4);
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(threads).enable_all().build().context("the runtime could not be started")
}

/// Log lines go to standard error; `PAGER_LOG` says which (`debug`, `pagerd=debug`, …).
pub fn log() {
    let filter = EnvFilter::try_from_env("PAGER_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
        .init();
}

/// The secret that a file holds.
fn secret_in(path: &Path, flag: &str) -> anyhow::Result<SecretString> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{flag}: {} cannot be read; check the path and its rights", path.display()))?;
    if text.trim().is_empty() {
        bail!("{flag}: {} is empty; write the token into it", path.display());
    }
    Ok(SecretString::from(text.trim().to_owned()))
}

/// The checked configuration; its warnings are logged.
fn configuration(flags: &Flags) -> anyhow::Result<Configuration> {
    let (configuration, warnings) = Configuration::load(flags)?;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    // What is kept there is the owner's alone.
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&configuration.general.data_dir)
        .with_context(|| format!("data_dir: the folder {} cannot be made", configuration.general.data_dir.display()))?;
    Ok(configuration)
}
