//! What an approval is about: the category of the reserved action, what exactly is to be done, and its digest.

use crate::digest::digest;
use crate::fields::{Fault, Fields};
use crate::{GateCategory, Purpose};

/// The most characters of a subject.
const MOST_IN_SUBJECT: usize = 32_000;

/// What was read; empty for every other purpose.
#[derive(Default)]
pub(super) struct Reserved {
    /// The category of the action.
    pub gate: Option<GateCategory>,
    /// Exactly what is to be done.
    pub subject: Option<String>,
    /// That of the subject where there is one, and made when it was left out.
    pub digest: Option<String>,
}

/// Reads all three.
pub(super) fn read(fields: &mut Fields, purpose: Purpose) -> Result<Reserved, Fault> {
    let gate = fields.parsed("gate", GateCategory::parse)?;
    let subject = fields.text("subject", MOST_IN_SUBJECT)?;
    let given = fields.parsed("digest", read_digest)?;
    if purpose != Purpose::Approval {
        let named = [("gate", gate.is_some()), ("subject", subject.is_some()), ("digest", given.is_some())];
        return match named.into_iter().find(|(_, is_there)| *is_there) {
            Some((name, _)) => Err(Fault::invalid(name, "is for an approval only; leave it out or set purpose to approval")),
            None => Ok(Reserved::default()),
        };
    }
    let made = subject.as_deref().map(digest);
    if let (Some(made), Some(given)) = (&made, &given)
        && made != given
    {
        return Err(Fault::invalid("digest", format!("is not that of the subject, which is {made}")));
    }
    Ok(Reserved { gate, subject, digest: given.or(made) })
}

fn read_digest(text: &str) -> Result<String, &'static str> {
    let is_hex = |hex: &str| hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if text.strip_prefix("sha256:").is_some_and(is_hex) {
        return Ok(text.to_owned());
    }
    Err("is sha256: and 64 hex digits in lower case")
}
