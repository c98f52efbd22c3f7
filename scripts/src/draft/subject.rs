//! Exactly what is to be approved, and its digest.

use std::path::PathBuf;

use super::Body;
use crate::failure::Failure;
use crate::text;

/// Flags of an approval.
#[derive(Debug, clap::Args)]
pub struct Subject {
    /// For an approval: a file with exactly what is to be done, a plan, a command or a diff of at most 32,000 characters;
    /// - is standard input. It is sent byte by byte
    #[arg(long, value_name = "FILE")]
    pub subject: Option<PathBuf>,
    /// For an approval: sha256: and 64 hex digits, of what is to be done
    #[arg(long, value_name = "DIGEST", value_parser = parse_digest)]
    pub digest: Option<String>,
}

impl Subject {
    /// Does it read standard input?
    pub fn reads_input(&self) -> bool {
        self.subject.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }

    /// Adds both to a body.
    ///
    /// # Errors
    /// Code 2 when the file cannot be read.
    pub fn put(&self, body: &mut Body) -> Result<(), Failure> {
        let text = match &self.subject {
            Some(_) if self.reads_input() => Some(text::exactly_from_input()?),
            Some(path) => Some(text::exactly_from_file(path)?),
            None => None,
        };
        body.put("subject", text);
        body.put("digest", self.digest.clone());
        Ok(())
    }
}

/// Digests are compared as texts, so there is one way to write them.
fn parse_digest(text: &str) -> Result<String, &'static str> {
    let hex = text.strip_prefix("sha256:").unwrap_or_default();
    let is_digest = hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if is_digest {
        Ok(text.to_owned())
    } else {
        Err("a digest is sha256: and 64 hex digits in lower case, as in sha256:$(sha256sum < FILE | cut -c -64)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_written_in_one_way() {
        let hex = "0123456789abcdef".repeat(4);
        assert!(parse_digest(&format!("sha256:{hex}")).is_ok());
        for wrong in
            [hex.clone(), format!("sha256:{}", &hex[1..]), format!("sha256:{}", hex.to_uppercase()), format!("sha1:{hex}")]
        {
            assert!(parse_digest(&wrong).is_err(), "{wrong}");
        }
    }
}
