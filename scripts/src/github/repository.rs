//! `owner/repo`, and what it means when it cannot be seen.

use crate::distant::Trouble;
use crate::failure::Failure;

/// A repository on GitHub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    owner: String,
    name: String,
}

impl Repository {
    /// Reads `owner/repo`.
    ///
    /// # Errors
    /// Names the setting.
    pub fn parse(setting: &str, text: &str) -> Result<Self, Failure> {
        let is_name = |part: &str| {
            !part.is_empty()
                && part.len() <= 100
                && !matches!(part, "." | "..")
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
        };
        match text.trim().split_once('/') {
            Some((owner, name)) if is_name(owner) && is_name(name) => Ok(Self { owner: owner.to_owned(), name: name.to_owned() }),
            _ => Err(Failure::failed(format!("{setting} must be a repository on GitHub, as owner/repo"))),
        }
    }

    /// Below the API's address.
    pub fn route(&self) -> String {
        format!("/repos/{}/{}", self.owner, self.name)
    }

    /// For people.
    pub fn shown(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    /// What a 404 means, which GitHub also gives instead of 401 and 403.
    pub fn out_of_reach(&self, permission: &str, token: &str) -> Trouble {
        Trouble::Refused(format!(
            "GitHub shows no repository {} to the token of {token}. Either its name is wrong, or the token has no access to it: it \
             expired or was revoked, it belongs to another owner, this repository was not chosen for it, or it lacks the \
             permission {permission}",
            self.shown()
        ))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn a_repository_is_an_owner_and_a_name() {
        assert_eq!(Repository::parse("ASK_CONTROL", "ada/engine.x").unwrap().route(), "/repos/ada/engine.x");
        for text in ["", "ada", "ada/", "/engine", "ada/engine/x", "ada/..", "ada/e?x", "https://github.com/ada/engine"] {
            let words = Repository::parse("ASK_CONTROL", text).unwrap_err().words;
            assert!(words.contains("ASK_CONTROL") && words.contains("owner/repo"), "{words}");
        }
    }
}
