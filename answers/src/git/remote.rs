//! A git repository somewhere else: the address that git is given, and what it is asked with. A user and a password that
//! stand in the given URL are taken out of it, so that neither git's arguments nor any message can hold them.

use std::{fmt, path::Path};

use base64::Engine;
use secrecy::{ExposeSecret, SecretString};

use crate::Credentials;

/// The user that a token alone goes with. GitHub, GitLab and Gitea take any name beside a token.
const USUAL_USER: &str = "git";

/// Where a repository is, and what it is asked with. Displays as its address without any secret.
#[derive(Clone)]
pub struct GitRemote {
    address: String,
    kind: RemoteKind,
    user: Option<String>,
    token: Option<SecretString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RemoteKind {
    Http,
    Ssh,
    File,
}

/// Not the URL of a repository that git could push to. Says what is wrong with it and the way out, and never the URL: it may hold a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}; use git+https://<host>/<path>, git@<host>:<path> or git+file:/<path>")]
pub struct InvalidRemote {
    /// What is wrong.
    pub problem: &'static str,
}

impl GitRemote {
    /// The remote at `git+https:`, `git+http:`, `git+ssh:`, `git+file:`, at a plain `https:`, `http:`, `ssh:` URL, or at `user@host:path`.
    ///
    /// # Errors
    /// [`InvalidRemote`] for anything else.
    pub fn new(url: &str, credentials: &Credentials) -> Result<Self, InvalidRemote> {
        let invalid = |problem| InvalidRemote { problem };
        let path = url.strip_prefix("git+file:").or_else(|| url.strip_prefix("file:"));
        if let Some(path) = path.or_else(|| url.starts_with('/').then_some(url)) {
            return Self::on_this_machine(path);
        }
        if url.chars().any(|letter| letter.is_control() || letter == ' ') {
            return Err(invalid("the URL holds a blank or a control character"));
        }
        let plain = url.strip_prefix("git+").unwrap_or(url);
        let given = Self {
            address: String::new(),
            kind: RemoteKind::Http,
            user: credentials.user.clone(),
            token: credentials.token.clone(),
        };
        match plain.split_once("://") {
            Some((scheme @ ("https" | "http"), rest)) => given.over_http(scheme, rest),
            Some(("ssh", rest)) => given.over_ssh_url(rest),
            Some(_) => Err(invalid("this kind of URL is not one that answers can be pushed to")),
            None if url.starts_with("git+") => Err(invalid("this is no URL of a git repository")),
            None => given.over_scp_like(plain),
        }
    }

    /// What git is given as the address. Holds no password.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The folder, for a repository on this machine.
    pub fn local_folder(&self) -> Option<&Path> {
        (self.kind == RemoteKind::File).then(|| Path::new(&self.address))
    }

    /// Whatever must not be seen anywhere.
    pub(super) fn secrets(&self) -> Vec<String> {
        let Some(token) = &self.token else { return Vec::new() };
        vec![token.expose_secret().to_owned(), self.basic(token)]
    }

    /// Git's settings that carry what the remote is asked with.
    pub(super) fn settings(&self) -> Vec<(String, String)> {
        let Some(token) = self.token.as_ref().filter(|_| self.kind == RemoteKind::Http) else { return Vec::new() };
        vec![
            // For this address alone.
            (format!("http.{}.extraHeader", self.address), format!("Authorization: Basic {}", self.basic(token))),
            // Whoever answers with another address is not followed there: the header would go along.
            ("http.followRedirects".to_owned(), "false".to_owned()),
            // A refused token is refused; no helper is asked for another.
            ("credential.helper".to_owned(), String::new()),
        ]
    }

    fn basic(&self, token: &SecretString) -> String {
        let user = self.user.as_deref().unwrap_or(USUAL_USER);
        base64::engine::general_purpose::STANDARD.encode(format!("{user}:{}", token.expose_secret()))
    }

    fn on_this_machine(path: &str) -> Result<Self, InvalidRemote> {
        let path = match path.strip_prefix("//") {
            Some(rest) if rest.starts_with('/') => rest,
            Some(_) => return Err(InvalidRemote { problem: "a git+file: URL cannot name another machine" }),
            None => path,
        };
        if path.is_empty() || path.contains(char::is_control) {
            return Err(InvalidRemote { problem: "the path after git+file: is missing or holds a control character" });
        }
        let absolute = std::path::absolute(path).ok().and_then(|path| path.into_os_string().into_string().ok());
        let address = absolute.ok_or(InvalidRemote { problem: "the path after git+file: cannot be used" })?;
        Ok(Self { address, kind: RemoteKind::File, user: None, token: None })
    }

    fn over_http(mut self, scheme: &str, rest: &str) -> Result<Self, InvalidRemote> {
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let host = match authority.rsplit_once('@') {
            Some((user, host)) => {
                let (user, token) = user.split_once(':').map_or((user, None), |(user, token)| (user, Some(token)));
                if !user.is_empty() {
                    self.user.get_or_insert(decoded(user)?);
                }
                if let Some(token) = token.filter(|token| !token.is_empty()) {
                    let token = decoded(token)?;
                    self.token.get_or_insert(token.into());
                }
                host
            }
            None => authority,
        };
        if !is_host(host) || path.is_empty() {
            return Err(InvalidRemote { problem: "the URL names no host, or no repository on it" });
        }
        if path.contains(['?', '#']) {
            return Err(InvalidRemote { problem: "the URL of a repository has no question mark and no #" });
        }
        self.address = format!("{scheme}://{host}/{path}");
        Ok(self)
    }

    fn over_ssh_url(mut self, rest: &str) -> Result<Self, InvalidRemote> {
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        if user.is_some_and(|user| user.contains(':')) {
            return Err(InvalidRemote { problem: "ssh takes no password from a URL: take it out, and let ssh have a key" });
        }
        if !is_host(host) || path.is_empty() || user.is_some_and(|user| !is_user(user)) {
            return Err(InvalidRemote { problem: "the URL names no host, or no repository on it" });
        }
        let user = user.map(str::to_owned).or(self.user.take()).map(|user| format!("{user}@")).unwrap_or_default();
        self.address = format!("ssh://{user}{host}/{path}");
        self.kind = RemoteKind::Ssh;
        Ok(self)
    }

    fn over_scp_like(mut self, text: &str) -> Result<Self, InvalidRemote> {
        let invalid = InvalidRemote { problem: "this is no URL of a git repository" };
        let (place, path) = text.split_once(':').ok_or(invalid.clone())?;
        let (user, host) = match place.split_once('@') {
            Some((user, host)) => (Some(user), host),
            // A word with a colon alone is as likely a kind of URL that nobody knows.
            None if place.contains('.') => (None, place),
            None => return Err(invalid),
        };
        if !user.is_none_or(is_user) || !is_host(host) || path.is_empty() || path.starts_with('-') {
            return Err(invalid);
        }
        text.clone_into(&mut self.address);
        self.kind = RemoteKind::Ssh;
        Ok(self)
    }
}

impl fmt::Display for GitRemote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.address)
    }
}

impl fmt::Debug for GitRemote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GitRemote").field("address", &self.address).finish_non_exhaustive()
    }
}

/// A host, perhaps with a port; never one that a program could take for an option.
fn is_host(host: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'[' | b']');
    !host.is_empty() && !host.starts_with(['-', ':']) && host.bytes().all(plain)
}

fn is_user(user: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+');
    !user.is_empty() && !user.starts_with('-') && user.bytes().all(plain)
}

fn decoded(text: &str) -> Result<String, InvalidRemote> {
    let invalid = InvalidRemote { problem: "the user or password in the URL is not percent-encoded as it has to be" };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok()).ok_or(invalid.clone())?;
            bytes.push(u8::from_str_radix(digits, 16).map_err(|_| invalid.clone())?);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control)).ok_or(invalid)
}

#[cfg(test)]
mod tests;
