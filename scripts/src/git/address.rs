//! The address of a repository, as git takes it: a URL, `host:path`, or a path on this machine. A password in one is taken out:
//! addresses are shown.

use std::path::Path;

use secrecy::SecretString;

use crate::failure::Failure;

/// Where a repository is.
#[derive(Debug, Clone)]
pub struct Address {
    shown: String,
    /// What stood in it behind the user's name.
    password: Option<SecretString>,
}

impl Address {
    /// Takes one.
    ///
    /// # Errors
    /// Names the setting.
    pub fn parse(setting: &str, text: &str) -> Result<Self, Failure> {
        let text = text.trim();
        // As pagerd writes them.
        let text = text.strip_prefix("git+").unwrap_or(text);
        if text.is_empty() || text.starts_with('-') || text.chars().any(char::is_control) {
            return Err(Failure::failed(format!(
                "{setting} must be the address of a git repository: https://…, ssh://…, host:path, or a path on this machine"
            )));
        }
        let (text, password) = without_password(setting, text)?;
        // A relative path is one of this folder, not of the cache that git runs in.
        let is_path = !text.contains("://") && !is_scp_like(&text);
        let shown = match std::path::absolute(&text) {
            Ok(path) if is_path => path.to_string_lossy().into_owned(),
            _ => text,
        };
        Ok(Self { shown, password })
    }

    /// The password that stood in it.
    pub fn password(&self) -> Option<&SecretString> {
        self.password.as_ref()
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

    /// Is it reached by ssh?
    pub fn is_ssh(&self) -> bool {
        match self.shown.split_once("://") {
            Some((scheme, _)) => scheme.contains("ssh"),
            None => is_scp_like(&self.shown),
        }
    }

    /// As git takes it, and as it is shown.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Of an HTTP address: `scheme://host[:port]/`, and the user that stands in it.
    pub fn http_origin(&self) -> Option<(String, Option<&str>)> {
        let (scheme, rest) = self.shown.split_once("://")?;
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
        match (self.http_origin(), self.shown.split_once("://")) {
            (Some((origin, Some(_))), Some((_, rest))) => {
                format!("{origin}{}", rest[authority(rest).len()..].trim_start_matches('/'))
            }
            _ => self.shown.clone(),
        }
    }
}

/// A URL without its password, and the password.
fn without_password(setting: &str, text: &str) -> Result<(String, Option<SecretString>), Failure> {
    let Some((scheme, rest)) = text.split_once("://") else { return Ok((text.to_owned(), None)) };
    let Some((user, host)) = authority(rest).rsplit_once('@') else { return Ok((text.to_owned(), None)) };
    let Some((user, password)) = user.split_once(':') else { return Ok((text.to_owned(), None)) };
    if !matches!(scheme, "http" | "https") {
        return Err(Failure::failed(format!(
            "{setting} has a password in it, which {scheme} does not take; take it out, and use a key"
        )));
    }
    let user = if user.is_empty() { String::new() } else { format!("{user}@") };
    let path = &rest[authority(rest).len()..];
    Ok((format!("{scheme}://{user}{host}{path}"), Some(SecretString::from(decoded(password)))))
}

/// `%41` is `A`.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
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
    fn a_password_is_taken_out_and_never_shown() {
        use secrecy::ExposeSecret;
        let address = Address::parse("ASK_ANSWERS", "git+https://me:s3%40cret@host:8443/x.git").unwrap();
        assert_eq!(address.shown(), "https://me@host:8443/x.git");
        assert_eq!(address.password().map(|password| password.expose_secret()), Some("s3@cret"));
        assert!(!format!("{address:?}").contains("s3"));
        let refused = Address::parse("ASK_ANSWERS", "ssh://me:s3cret@host/x").unwrap_err().words;
        assert!(refused.contains("password") && !refused.contains("s3cret"), "{refused}");
    }

    #[test]
    fn an_option_and_what_is_no_address_are_refused() {
        let words = |text: &str| Address::parse("ASK_ANSWERS", text).unwrap_err().words;
        for text in ["", "--upload-pack=x", "a\nb"] {
            assert!(words(text).contains("ASK_ANSWERS must be"), "{text:?}");
        }
        assert!(Address::parse("ASK_ANSWERS", "ssh://git@host:22/x").is_ok());
    }

    #[test]
    fn what_is_reached_by_ssh_is_told_apart() {
        let is_ssh = |text: &str| Address::parse("ASK_ANSWERS", text).unwrap().is_ssh();
        assert!(is_ssh("ssh://git@host:22/x") && is_ssh("git+ssh://host/x") && is_ssh("git@host:x"));
        assert!(!is_ssh("https://host/x") && !is_ssh("/srv/x.git") && !is_ssh("file:///srv/x"));
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
