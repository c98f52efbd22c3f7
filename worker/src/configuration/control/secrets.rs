//! The secrets that events are signed with, several at once so that one can be exchanged without a gap.
//!
//! `whsec_<base64>` is one of Standard Webhooks. Any other is the secret of a GitHub App's webhook.

use base64::{Engine, engine::general_purpose::STANDARD};
use secrecy::{SecretSlice, SecretString};

use super::Reader;

const PREFIX: &str = "whsec_";
/// Fewer bytes are guessed.
const FEWEST_BYTES: usize = 16;

/// Secrets, which cannot be printed.
#[derive(Debug, Default)]
pub struct ControlSecrets {
    /// The keys of the `whsec_` ones.
    pub standard: Vec<SecretSlice<u8>>,
    /// Those of a GitHub App.
    pub app: Vec<SecretString>,
}

impl ControlSecrets {
    /// Is anything taken that a GitHub App signed?
    pub fn has_app_secret(&self) -> bool {
        !self.app.is_empty()
    }

    pub(super) fn read(reader: &mut Reader) -> Self {
        const KEY: &str = "control.secrets";
        const FILE: &str = "control.secrets_file";
        let (is_set, has_file) = (reader.has(KEY), reader.has(FILE));
        let listed: Option<Vec<String>> = reader.list(KEY, "a secret");
        let from_file = reader.text(FILE).and_then(|path| lines(reader, FILE, &path));
        if is_set && has_file {
            reader.problem(KEY, "is set and control.secrets_file too; keep one of them");
            return Self::default();
        }
        let key = if has_file { FILE } else { KEY };
        let Some(texts) = listed.or(from_file) else { return Self::default() };
        if texts.is_empty() {
            reader.problem(key, "holds no secret; write one into it, or take it out");
        }
        let mut secrets = Self::default();
        for (index, text) in texts.iter().enumerate() {
            if let Err(detail) = secrets.take(text.trim()) {
                // The secret itself is never told, also not a wrong one.
                reader.problem(key, &format!("holds as number {} a secret that {detail}", index + 1));
            }
        }
        secrets
    }

    fn take(&mut self, text: &str) -> Result<(), String> {
        let Some(encoded) = text.strip_prefix(PREFIX) else {
            // GitHub takes any secret that a person sets, and so do we.
            if text.is_empty() {
                return Err("is empty; set the secret, or take it out".to_owned());
            }
            self.app.push(SecretString::from(text));
            return Ok(());
        };
        let key = STANDARD.decode(encoded).map_err(|_| format!("is not base64 behind {PREFIX}"))?;
        if key.len() < FEWEST_BYTES {
            return Err(format!("has under {FEWEST_BYTES} bytes behind {PREFIX}; make a longer one of random bytes"));
        }
        self.standard.push(SecretSlice::from(key));
        Ok(())
    }
}

/// The lines of the file that say something.
fn lines(reader: &mut Reader, key: &str, path: &str) -> Option<Vec<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Some(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()),
        Err(error) => {
            reader.problem(key, &format!("names {path}, which cannot be read: {error}"));
            None
        }
    }
}
