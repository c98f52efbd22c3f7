//! The key that signs answers: made on first start, readable by its owner alone. `pagerd key` prints the public half.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, anyhow};
use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use pager_questions::SigningKey;

use super::configuration;
use crate::configuration::Flags;
use crate::secrets;

const PREFIX: &str = "ed25519-seed:";

/// Prints the public half.
///
/// # Errors
/// When the configuration or the key file cannot be used.
#[expect(clippy::print_stdout, reason = "the key is this verb's output")]
pub fn run(flags: &Flags) -> anyhow::Result<()> {
    let configuration = configuration(flags)?;
    println!("{}", read_or_make(&configuration.general.key_file)?.verifying());
    Ok(())
}

/// Reads the key, or makes it when there is none. An existing file is never written.
///
/// # Errors
/// When the file cannot be read or made, or holds something else.
pub fn read_or_make(path: &Path) -> anyhow::Result<SigningKey> {
    match read(path)? {
        Some(key) => Ok(key),
        None => make(path).with_context(|| format!("key_file: {}", path.display())),
    }
}

/// Reads the key; None when there is no file.
///
/// # Errors
/// When the file cannot be read, or holds something else.
pub fn read(path: &Path) -> anyhow::Result<Option<SigningKey>> {
    let place = || format!("key_file: {}", path.display());
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&text)
            .ok_or_else(|| anyhow!("holds no key of pagerd; restore it from a backup, or name another file"))
            .with_context(place)
            .map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context("cannot be read").with_context(place),
    }
}

fn parse(text: &str) -> Option<SigningKey> {
    let seed = BASE64.decode(text.trim().strip_prefix(PREFIX)?).ok()?;
    Some(SigningKey::from_seed(seed.try_into().ok()?))
}

fn make(path: &Path) -> anyhow::Result<SigningKey> {
    let seed: [u8; 32] = secrets::random();
    // Written whole beside its place and flushed, then put there: half a key would lock the service out of its answers.
    let beside = path.with_extension("part");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    writeln!(file, "{PREFIX}{}", BASE64.encode(seed))?;
    file.sync_all()?;
    std::fs::rename(&beside, path)?;
    Ok(SigningKey::from_seed(seed))
}
