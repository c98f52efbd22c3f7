//! The address of a repository, as git takes it: a URL, `host:path`, or a path on this machine. A password in one is refused:
//! addresses are shown.

use std::path::Path;

use crate::failure::Failure;

/// Where a repository is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Takes one.
    ///
    /// # Errors
    /// Names the setting.
    pub fn parse(setting: &str, text: &str) -> Result<Self, Failure> {
        let text = text.trim();
        if text.is_empty() || text.starts_with('-') || text.chars().any(char::is_control) {
            return Err(Failure::failed(format!(
                "{setting} must be the address of a git repository: https://…, ssh://…, host:path, or a path on this machine"
            )));
        }
        let is_secret = |user: &str| user.contains(':');
        if text.split_once("://").and_then(|(_, rest)| authority(rest).rsplit_once('@')).is_some_and(|(user, _)| is_secret(user))
        {
            return Err(Failure::failed(format!(
                "{setting} has a password in it, which would be shown; take it out, and set ASK_ANSWERS_TOKEN or ASK_EVENTS_TOKEN, or \
                 let git's own credential helper know it"
            )));
        }
        // A relative path is one of this folder, not of the cache that git runs in.
        let is_path = !text.contains("://") && !is_scp_like(text);
        match std::path::absolute(text) {
            Ok(path) if is_path => Ok(Self(path.to_string_lossy().into_owned())),
            _ => Ok(Self(text.to_owned())),
        }
    }

    /// Takes the branch off the end: what follows the last `@` of the path that does not begin a part of it. A path that
    /// there is on this machine is taken whole.
    pub fn split_branch(text: &str) -> (&str, Option<&str>) {
        let text = text.trim();
        let path_from = match text.split_once("://") {
            Some((scheme, rest)) => scheme.len() + 3 + authority(rest).len(),
            None if is_scp_like(text) => text.find(':').unwrap_or(0) + 1,
            None if Path::new(text).exists() => return (text, None),
            None => 0,
        };
        let path = &text[path_from..];
        let place = path.match_indices('@').map(|(place, _)| place).rfind(|place| *place > 0 && !path[..*place].ends_with('/'));
        match place {
            Some(place) => (&text[..path_from + place], Some(&path[place + 1..])),
            None => (text, None),
        }
    }

    /// As git takes it, and as it is shown.
    pub fn shown(&self) -> &str {
        &self.0
    }

    /// Of an HTTP address: `scheme://host[:port]/`, and the user that stands in it.
    pub fn http_origin(&self) -> Option<(String, Option<&str>)> {
        let (scheme, rest) = self.0.split_once("://")?;
        if !matches!(scheme, "http" | "https") {
            return None;
        }
        let (user, host) = match authority(rest).rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority(rest)),
        };
        Some((format!("{scheme}://{host}/"), user))
    }

    /// It with the user that stands in it left out, so that git sends what it is told to.
    pub fn without_user(&self) -> String {
        match (self.http_origin(), self.0.split_once("://")) {
            (Some((origin, Some(_))), Some((_, rest))) => {
                format!("{origin}{}", rest[authority(rest).len()..].trim_start_matches('/'))
            }
            _ => self.0.clone(),
        }
    }
}

fn authority(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

/// `[user@]host:path`: a colon before the first slash.
fn is_scp_like(text: &str) -> bool {
    text.find(':').is_some_and(|colon| text.find('/').is_none_or(|slash| colon < slash)) && !text.contains("://")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn a_branch_stands_behind_the_path() {
        let check =
            |text: &str, url: &str, branch: Option<&str>| assert_eq!(Address::split_branch(text), (url, branch), "{text}");
        check("https://host/x/answers.git", "https://host/x/answers.git", None);
        check("https://host/x/answers.git@main", "https://host/x/answers.git", Some("main"));
        check("https://me@host/x/answers@feature/a", "https://me@host/x/answers", Some("feature/a"));
        check("https://host/@me/answers", "https://host/@me/answers", None);
        check("git@host:x/answers.git", "git@host:x/answers.git", None);
        check("git@host:answers@main", "git@host:answers", Some("main"));
        check("ssh://git@host:22/x@main", "ssh://git@host:22/x", Some("main"));
        check("/srv/answers.git@main", "/srv/answers.git", Some("main"));
        check("file:///srv/answers.git", "file:///srv/answers.git", None);
    }

    #[test]
    fn a_path_that_there_is_is_taken_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("me@work");
        std::fs::create_dir(&path).unwrap();
        let text = path.to_str().unwrap();
        assert_eq!(Address::split_branch(text), (text, None));
        assert_eq!(Address::split_branch(&format!("{text}@main")), (text, Some("main")));
    }

    #[test]
    fn a_password_and_an_option_are_refused() {
        let words = |text: &str| Address::parse("ASK_ANSWERS", text).unwrap_err().words;
        assert!(words("https://me:s3cret@host/x").contains("password") && !words("https://me:s3cret@host/x").contains("s3cret"));
        for text in ["", "--upload-pack=x", "a\nb"] {
            assert!(words(text).contains("ASK_ANSWERS must be"), "{text:?}");
        }
        assert!(Address::parse("ASK_ANSWERS", "ssh://git@host:22/x").is_ok());
    }

    #[test]
    fn the_user_of_an_address_is_told_apart() {
        let address = Address::parse("ASK_ANSWERS", "https://robot@host:8443/x/y.git").unwrap();
        assert_eq!(address.http_origin(), Some(("https://host:8443/".to_owned(), Some("robot"))));
        assert_eq!(address.without_user(), "https://host:8443/x/y.git");
        assert_eq!(Address::parse("ASK_ANSWERS", "git@host:x").unwrap().http_origin(), None);
    }

    #[test]
    fn a_relative_path_is_one_of_this_folder() {
        assert!(Path::new(Address::parse("ASK_ANSWERS", "answers.git").unwrap().shown()).is_absolute());
    }
}
