//! Where `ask` talks to and as whom: flags, then the environment, then `ask.toml`, then what `pagerd try` left on this
//! machine. A file's token goes to that file's address only; a token is never an argument and cannot be printed.

mod distant;
mod sources;

use pager_questions::VerifyingKey;
use secrecy::SecretString;
use serde::Deserialize;

pub use self::distant::{GitHubSettings, GitSettings};
pub use self::sources::{Mode, Sources};
use crate::failure::Failure;

/// Whose verb it is: which of the local tokens it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Asks, waits, withdraws.
    Agent,
    /// Decides.
    Owner,
}

/// Everything a verb needs to reach the service.
#[derive(Debug)]
pub struct Settings {
    /// `http(s)://host[:port][/path]`, without a slash at the end.
    pub url: String,
    /// The bearer token.
    pub token: SecretString,
    /// The keys that answers are verified with; empty: not verified.
    pub keys: Vec<VerifyingKey>,
}

/// `<data_dir>/local.json`
#[derive(Deserialize)]
struct Local {
    url: String,
    agent_token: SecretString,
    owner_token: Option<SecretString>,
}

impl Settings {
    /// Collects the settings of this process, for a verb that talks to pagerd itself. `url` is the flag.
    ///
    /// # Errors
    /// Code 1, naming what is missing or the setting whose value is wrong, or that the mode is another one.
    pub fn load(url: Option<&str>, role: Role) -> Result<Self, Failure> {
        Self::of(&Sources::read(url, &sources::environment)?, role)
    }

    /// The same from settings that were read already.
    ///
    /// # Errors
    /// Those of [`Self::load`].
    pub fn of(sources: &Sources<'_>, role: Role) -> Result<Self, Failure> {
        let chosen_by = match sources.mode() {
            Mode::Direct => None,
            Mode::GitHub => Some("ASK_CONTROL chooses GitHub mode"),
            Mode::Git => Some("ASK_ANSWERS chooses git mode"),
        };
        if let Some(chosen_by) = chosen_by {
            return Err(Failure::failed(format!(
                "this verb needs direct mode, and {chosen_by}, where only new, wait, answer, withdraw, update, request, reply and \
                 offer work: set ASK_URL to pagerd's address, or give --url"
            )));
        }
        let (file, shown) = (&sources.file, &sources.shown);
        let file_url = file.url.as_deref().map(|url| address(&format!("url in {shown}"), url)).transpose()?;
        let url = match (sources.url, sources.variable("ASK_URL")) {
            (Some(url), _) => Some(address("--url", url)?),
            (None, Some(url)) => Some(address("ASK_URL", &url)?),
            (None, None) => file_url.clone(),
        };
        let set = sources.variable("ASK_TOKEN");
        let enough = url.is_some() && (set.is_some() || file.token.is_some() || file.token_file.is_some());
        let local = if enough { None } else { read_local(sources)? };
        let local = local.filter(|(address, _)| url.as_ref().is_none_or(|url| url == address));
        let url = url.or_else(|| local.as_ref().map(|(address, _)| address.clone())).ok_or_else(nothing_set)?;

        let token = if let Some(token) = set {
            Some(sources::checked("ASK_TOKEN", &token)?)
        } else if file_url.as_ref().is_none_or(|address| *address == url) && (file.token.is_some() || file.token_file.is_some()) {
            sources.token_of_file("token", &file.token, &file.token_file)?
        } else if let Some((_, local)) = local {
            match role {
                Role::Agent => Some(local.agent_token),
                Role::Owner => local.owner_token,
            }
        } else {
            None
        };
        let token = token.ok_or_else(|| no_token(&url, role))?;
        Ok(Self { url, token, keys: sources.keys()? })
    }
}

fn nothing_set() -> Failure {
    Failure::failed(
        "nothing says where pagerd is: set ASK_URL (like http://127.0.0.1:7117) and ASK_TOKEN, or write url and token to \
         ~/.config/pager/ask.toml, or start `pagerd try` on this machine",
    )
}

fn no_token(url: &str, role: Role) -> Failure {
    let role = match role {
        Role::Agent => "agent",
        Role::Owner => "owner",
    };
    Failure::failed(format!(
        "there is no token for {url}: set ASK_TOKEN to one that `pagerd token create --role {role} --name NAME` printed there"
    ))
}

fn read_local(sources: &Sources<'_>) -> Result<Option<(String, Local)>, Failure> {
    let set = sources.variable("PAGER_DATA_DIR").filter(|value| !value.is_empty()).map(std::path::PathBuf::from);
    let data = set.or_else(|| sources.folder("XDG_DATA_HOME", ".local/share").map(|folder| folder.join("pager")));
    let Some(path) = data.map(|folder| folder.join("local.json")) else { return Ok(None) };
    // Another user's file is none of this user's settings, and without the file there are none.
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
    let shown = path.display();
    let local: Local = serde_json::from_str(&text).map_err(|_| {
        Failure::failed(format!("{shown} is not what pagerd writes there; start pagerd again, or set ASK_URL and ASK_TOKEN"))
    })?;
    Ok(Some((address(&format!("url in {shown}"), &local.url)?, local)))
}

fn address(name: &str, url: &str) -> Result<String, Failure> {
    let wrong = || Failure::failed(format!("{name} must be an address like http://127.0.0.1:7117 or https://pager.example"));
    let trimmed = url.trim().trim_end_matches('/');
    let parsed: ureq::http::Uri = trimmed.parse().map_err(|_| wrong())?;
    let authority = parsed.authority().ok_or_else(wrong)?;
    let plain = matches!(parsed.scheme_str(), Some("http" | "https"))
        && !authority.host().is_empty()
        && !authority.as_str().contains('@')
        && parsed.query().is_none();
    if plain { Ok(trimmed.to_owned()) } else { Err(wrong()) }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
