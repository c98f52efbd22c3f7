//! What a write that did not succeed came to. GitHub uses one status for many things, so its words decide.

use std::time::Duration;

use crate::github::Failure;
use crate::{KeeperError, SaveOutcome};

/// See above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The path has a file: look what it is.
    There,
    /// Nothing was written, since the branch moved or a copy of GitHub's lags behind: the same again.
    Moved(String),
    /// Nothing was written. GitHub sometimes says so for a moment only.
    NotAuthorised(String),
    /// Nothing was written, and nothing will be until somebody mends the cause.
    Refused(String),
    /// It may have been written.
    Unknown(String),
    /// Nothing was written, and GitHub wants to be left alone for so long.
    Limited(String, Duration),
}

/// The branch was moved while GitHub wrote, by whichever part of it found out.
const MOVED: [&str; 6] = [
    "but expected",
    "expected to be at",
    "not a fast forward",
    "cannot lock ref",
    "reference already exists",
    "reference cannot be updated",
];
/// What was made a moment ago is not everywhere yet.
const LAGGING: [&str; 3] = ["object does not exist", "tree sha does not exist", "parent sha does not exist"];

impl From<Failure> for Verdict {
    fn from(failure: Failure) -> Self {
        let (status, reason) = match failure {
            Failure::Limited { pause, reason } => return Self::Limited(reason, pause),
            Failure::Unknown { reason } => return Self::Unknown(reason),
            Failure::Refused { status, reason } => (status, reason),
        };
        if !matches!(status, 409 | 422) {
            return Self::Refused(with_advice(status, reason));
        }
        let words = reason.to_lowercase();
        let says = |any: &[&str]| any.iter().any(|part| words.contains(part));
        if says(&["sha\" wasn't supplied", "sha wasn't supplied", "does not match"]) {
            Self::There
        } else if says(&MOVED) || says(&LAGGING) {
            Self::Moved(reason)
        } else if says(&["not authorized to push"]) {
            Self::NotAuthorised(reason)
        } else {
            Self::Refused(reason)
        }
    }
}

impl Verdict {
    /// Does one answer of several seem to be at fault, and not the branch or the right?
    pub(super) fn is_about_content(&self) -> bool {
        matches!(self, Self::Refused(reason) if reason.to_lowercase().contains("secret"))
    }
}

impl From<Verdict> for SaveOutcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Refused(reason) | Verdict::NotAuthorised(reason) => Self::Refused { reason },
            Verdict::Limited(reason, pause) => Self::Unknown { reason, pause: Some(pause) },
            Verdict::Moved(reason) | Verdict::Unknown(reason) => Self::Unknown { reason, pause: None },
            Verdict::There => {
                Self::Unknown { reason: "GitHub has a file there and does not show it yet".to_owned(), pause: None }
            }
        }
    }
}

impl From<Verdict> for KeeperError {
    fn from(verdict: Verdict) -> Self {
        match SaveOutcome::from(verdict) {
            SaveOutcome::Refused { reason } => Self::Refused { reason },
            SaveOutcome::Unknown { reason, .. } => Self::Unavailable { reason },
            SaveOutcome::Saved { .. } | SaveOutcome::Taken => Self::Unavailable { reason: String::new() },
        }
    }
}

/// What GitHub means, where its words do not tell.
fn with_advice(status: u16, reason: String) -> String {
    match status {
        401 => format!(
            "{reason}; the token or key is wrong or has expired: look at github.token, or github.app_id and github.private_key_file"
        ),
        403 => format!("{reason}; the token or App needs the permission Contents: read and write on this repository"),
        404 => format!(
            "{reason}; the repository or its branch is gone or was renamed, or the token may not see it: look at answers.url and \
             answers.branch, and at the token's repositories and its permission Contents: read and write"
        ),
        _ => reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(status: u16, words: &str) -> Verdict {
        Failure::Refused { status, reason: words.to_owned() }.into()
    }

    #[test]
    fn words_decide_and_not_the_status_alone() {
        let sha = "Invalid request.\n\n\"sha\" wasn't supplied.";
        for status in [409, 422] {
            assert_eq!(verdict(status, sha), Verdict::There);
            for moved in [
                "is at 4f5e but expected 0a1b",
                "refs/heads/main expected to be at 0a1b",
                "Update is not a fast forward",
                "fatal: cannot lock ref 'refs/heads/main': is at 4f5e but expected 0a1b",
                "Object does not exist",
                "Tree SHA does not exist",
                "Parent SHA does not exist or is not a commit object",
                "Reference already exists",
                "Reference cannot be updated",
            ] {
                assert!(matches!(verdict(status, moved), Verdict::Moved(_)), "{status} {moved}");
            }
            assert!(matches!(verdict(status, "You're not authorized to push to this branch."), Verdict::NotAuthorised(_)));
            for refused in [
                "Repository rule violations found; Changes must be made through a pull request.",
                "Repository rule violations found; Secret detected in content",
                "Git Repository is empty.",
                "Reference does not exist",
                "Validation Failed",
                "",
            ] {
                assert!(matches!(verdict(status, refused), Verdict::Refused(_)), "{status} {refused}");
            }
        }
        assert_eq!(verdict(409, "answers/a.json does not match 0a1b"), Verdict::There);
    }

    #[test]
    fn another_status_is_a_refusal_whatever_it_says() {
        for status in [301, 400, 401, 403, 404, 410, 413, 451] {
            let told = verdict(status, "is at a but expected b");
            assert!(matches!(told, Verdict::Refused(_)), "{status} {told:?}");
        }
        let Verdict::Refused(words) = verdict(404, "GitHub answered 404: Not Found") else { panic!("refused") };
        assert!(words.contains("answers.branch") && words.contains("Contents: read and write"), "{words}");
    }

    #[test]
    fn what_is_not_known_and_what_is_limited_is_written_again() {
        let pause = Duration::from_secs(7);
        let limited = Verdict::from(Failure::Limited { pause, reason: "slow down".to_owned() });
        assert_eq!(SaveOutcome::from(limited), SaveOutcome::Unknown { reason: "slow down".to_owned(), pause: Some(pause) });
        let unknown = Verdict::from(Failure::Unknown { reason: "502".to_owned() });
        assert_eq!(SaveOutcome::from(unknown), SaveOutcome::Unknown { reason: "502".to_owned(), pause: None });
    }

    #[test]
    fn a_secret_is_the_fault_of_one_answer_and_a_rule_that_of_the_branch() {
        assert!(verdict(409, "Repository rule violations found; Secret detected in content").is_about_content());
        assert!(
            !verdict(409, "Repository rule violations found; Changes must be made through a pull request").is_about_content()
        );
    }
}
