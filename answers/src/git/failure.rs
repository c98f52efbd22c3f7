//! What a git that failed means. Everything that git or a server says is classified once, here.

use super::{program::Ended, remote::GitRemote, words};
use crate::{KeeperError, objects::failure::Failure};

/// Why a call of git did not do what it was made for. No text of it holds a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitFailure {
    /// Another writer moved the branch first. Nothing was changed: fetch, and build anew.
    #[error("other writers kept moving the branch")]
    Raced,
    /// The remote looked at what was pushed, and one of its rules declined it. Nothing was changed.
    #[error("{0}")]
    Declined(String),
    /// Nothing was changed, and the same will happen again until somebody mends the cause.
    #[error("{0}")]
    Refused(String),
    /// It may have happened or not, or the remote could not be reached.
    #[error("{0}")]
    Unknown(String),
}

/// What a push says of a branch that another writer moved, by the client or by one of the servers.
const RACES: [&str; 8] = [
    "non-fast-forward",
    "fetch first",
    "stale info",
    "needs force",
    "cannot lock ref",
    "failed to update ref",
    "incorrect old value provided",
    "reference already exists",
];

/// What a push says of the branch when the server itself failed, and no rule declined anything.
const FAULTS_OF_THE_SERVER: [&str; 9] = [
    "internal server error",
    "internal error",
    "(failure)",
    "timeout",
    "timed out",
    "unpacker error",
    "unable to migrate objects",
    "unavailable",
    "temporar",
];

/// What does not pass by itself. Looked for first: git adds words of the other list to many of them.
const REFUSALS: [&str; 27] = [
    "authentication failed",
    "could not read username",
    "could not read password",
    // Moved: with a token nobody is followed.
    "returned error: 301",
    "returned error: 302",
    "returned error: 303",
    "returned error: 307",
    "returned error: 308",
    "returned error: 400",
    "returned error: 401",
    "returned error: 403",
    "returned error: 404",
    "returned error: 410",
    "returned error: 413",
    "permission denied",
    "access denied",
    "' not found",
    "repository not found",
    "does not appear to be a git repository",
    "does not exist",
    "host key verification failed",
    "dubious ownership",
    "mismatched algorithms",
    "certificate",
    "not permitted",
    "not allowed",
    "transport '",
];

impl GitFailure {
    /// What a call other than a push came to that did not succeed.
    pub(super) fn of(verb: &str, ended: &Ended, remote: &GitRemote) -> Self {
        // What the server's own programs print is for people; hooks may print anything.
        let own: String = ended.words.lines().filter(|line| !line.starts_with("remote:")).collect::<Vec<_>>().join("\n");
        let own = own.to_lowercase();
        let said = words::told(&ended.words, remote);
        let reason = format!("git {verb} {remote}: {said}");
        if REFUSALS.iter().any(|words| own.contains(words)) { Self::Refused(reason) } else { Self::Unknown(reason) }
    }

    /// What a push came to that did not succeed: by what it says of the branch, if it came that far.
    pub(super) fn of_push(ended: &Ended, remote: &GitRemote) -> Self {
        // `!<tab><from>:<to><tab>[rejected] (fetch first)`
        let Some(verdict) = ended.output.lines().find_map(|line| line.strip_prefix("!\t")) else {
            return Self::of("push to", ended, remote);
        };
        let verdict = verdict.rsplit('\t').next().unwrap_or(verdict);
        let lower = verdict.to_lowercase();
        // The server said nothing of the branch before it went away, or something went wrong within it.
        let is_fault = lower.starts_with("[remote rejected]") && FAULTS_OF_THE_SERVER.iter().any(|words| lower.contains(words));
        if lower.contains("[remote failure]") || is_fault {
            return Self::Unknown(format!("git push to {remote}: {}", words::told(&ended.words, remote)));
        }
        let is_moved = lower.contains("is at ") && lower.contains("but expected");
        if is_moved || RACES.iter().any(|words| lower.contains(words)) {
            return Self::Raced;
        }
        let remarks = words::remarks(&ended.words, remote);
        let verdict = words::told(verdict, remote);
        let reason = if remarks.is_empty() { verdict } else { format!("{verdict}: {remarks}") };
        Self::Declined(format!("{remote} did not take the commit: {reason}"))
    }

    /// What is known, for people.
    pub fn reason(&self) -> String {
        self.to_string()
    }
}

impl From<Failure> for GitFailure {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::HeadMoved => Self::Raced,
            Failure::Refused(reason) => Self::Refused(reason),
            // A clone is made anew, so what is broken in it passes.
            Failure::Damaged(reason) | Failure::Unknown(reason) => Self::Unknown(reason),
        }
    }
}

impl From<GitFailure> for KeeperError {
    fn from(failure: GitFailure) -> Self {
        match failure {
            GitFailure::Declined(reason) | GitFailure::Refused(reason) => Self::Refused { reason },
            GitFailure::Raced | GitFailure::Unknown(_) => Self::Unavailable { reason: failure.reason() },
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;
    use crate::Credentials;

    fn remote() -> GitRemote {
        let credentials = Credentials { user: None, token: Some("t0ken".to_owned().into()) };
        GitRemote::new("https://example.org/a.git", &credentials).unwrap()
    }

    fn pushed(output: &str, words: &str) -> GitFailure {
        GitFailure::of_push(&Ended { succeeded: false, output: output.to_owned(), words: words.to_owned() }, &remote())
    }

    #[test]
    fn a_branch_that_moved_is_a_race_in_every_wording() {
        for verdict in [
            "[rejected] (non-fast-forward)",
            "[rejected] (fetch first)",
            "[rejected] (stale info)",
            "[remote rejected] (cannot lock ref 'refs/heads/main': is at aaaa but expected bbbb)",
            "[remote rejected] (failed to update ref)",
            "[remote rejected] (incorrect old value provided)",
            "[remote rejected] (refs/heads/main is at aaaa but expected bbbb)",
        ] {
            let output = format!("To https://example.org/a.git\n!\tabc:refs/heads/main\t{verdict}\nDone\n");
            assert_eq!(pushed(&output, "error: failed to push some refs"), GitFailure::Raced, "{verdict}");
        }
    }

    #[test]
    fn a_rule_of_the_server_is_told_with_its_own_words_and_without_the_token() {
        let failure = pushed(
            "To https://example.org/a.git\n!\tabc:refs/heads/main\t[remote rejected] (push declined due to repository rule violations)\nDone\n",
            "remote: error: GH013: Repository rule violations found for refs/heads/main.        \nremote: \nremote: - Changes must be made through a pull request. t0ken        \nerror: failed to push some refs to 'https://example.org/a.git'\n",
        );
        let GitFailure::Declined(reason) = failure else { panic!("{failure:?}") };
        assert!(reason.contains("GH013: Repository rule violations found"), "{reason}");
        assert!(reason.contains("Changes must be made through a pull request"), "{reason}");
        assert!(!reason.contains("t0ken"), "{reason}");
    }

    #[test]
    fn what_does_not_pass_by_itself_is_refused() {
        for words in [
            "fatal: Authentication failed for 'https://example.org/a.git/'",
            "fatal: could not read Username for 'https://example.org': terminal prompts disabled",
            "fatal: unable to access 'https://example.org/a.git/': The requested URL returned error: 403",
            "fatal: unable to access 'https://example.org/a.git/': The requested URL returned error: 301",
            "remote: Not Found\nfatal: repository 'https://example.org/a.git/' not found",
            "git@example.org: Permission denied (publickey).\nfatal: Could not read from remote repository.",
            "Host key verification failed.\nfatal: Could not read from remote repository.",
            "fatal: '/a.git' does not appear to be a git repository",
        ] {
            assert!(matches!(pushed("", words), GitFailure::Refused(_)), "{words}");
        }
    }

    #[test]
    fn whatever_may_have_happened_is_unknown() {
        for words in [
            "error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502",
            "send-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly",
            "fatal: unable to access 'https://example.org/a.git/': Could not resolve host: example.org",
            "fatal: unable to access 'https://example.org/a.git/': Failed to connect to example.org port 443",
            "error: RPC failed; curl 56 Recv failure: Connection reset by peer",
            "fatal: unable to access 'https://example.org/a.git/': The requested URL returned error: 429",
            "fatal: protocol error: bad line length character: <htm",
            "remote: Permission denied\nfatal: something that nobody has seen before",
            "",
        ] {
            assert!(matches!(pushed("", words), GitFailure::Unknown(_)), "{words}");
        }
        let silent = "!\tabc:refs/heads/main\t[remote failure] (remote failed to report status)\n";
        assert!(matches!(pushed(silent, ""), GitFailure::Unknown(_)));
        for verdict in ["Internal Server Error", "failure", "unpacker error", "timeout waiting for the storage"] {
            let output = format!("!\tabc:refs/heads/main\t[remote rejected] ({verdict})\n");
            assert!(matches!(pushed(&output, ""), GitFailure::Unknown(_)), "{verdict}");
        }
    }
}
