//! Where `ask` talks to and as whom: flags, then the environment, then `ask.toml`, then what `pagerd try` left on this
//! machine. A file's token goes to that file's address only; a token is never an argument and cannot be printed.

use std::path::{Path, PathBuf};

use pager_questions::VerifyingKey;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

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

/// `~/.config/pager/ask.toml`
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    url: Option<String>,
    token: Option<SecretString>,
    token_file: Option<PathBuf>,
    verify_key: Option<String>,
}

/// `<data_dir>/local.json`
#[derive(Deserialize)]
struct Local {
    url: String,
    agent_token: SecretString,
    owner_token: Option<SecretString>,
}

impl Settings {
    /// Collects the settings of this process. `url` is the flag.
    ///
    /// # Errors
    /// Code 1, naming what is missing or the setting whose value is wrong.
    pub fn load(url: Option<&str>, role: Role) -> Result<Self, Failure> {
        let environment = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Self::load_from(url, role, &environment)
    }

    fn load_from(flag: Option<&str>, role: Role, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let path = folder(environment, "XDG_CONFIG_HOME", ".config").map(|folder| folder.join("pager/ask.toml"));
        let file = path.as_deref().map(read_file).transpose()?.unwrap_or_default();
        let shown = path.map(|path| path.display().to_string()).unwrap_or_default();

        let file_url = file.url.as_deref().map(|url| address(&format!("url in {shown}"), url)).transpose()?;
        let url = match (flag, environment("ASK_URL")) {
            (Some(url), _) => Some(address("--url", url)?),
            (None, Some(url)) => Some(address("ASK_URL", &url)?),
            (None, None) => file_url.clone(),
        };
        if url.is_none() && ["ASK_CONTROL", "ASK_ANSWERS"].iter().any(|name| environment(name).is_some()) {
            return Err(Failure::failed(
                "ASK_CONTROL and ASK_ANSWERS need the GitHub or git mode, which this version does not have; set ASK_URL to pagerd's address",
            ));
        }
        let enough = url.is_some() && (environment("ASK_TOKEN").is_some() || file.token.is_some() || file.token_file.is_some());
        let local = if enough { None } else { read_local(environment)? };
        let local = local.filter(|(address, _)| url.as_ref().is_none_or(|url| url == address));
        let url = url.or_else(|| local.as_ref().map(|(address, _)| address.clone())).ok_or_else(nothing_set)?;

        let token = if let Some(token) = environment("ASK_TOKEN") {
            Some(checked("ASK_TOKEN", &token)?)
        } else if file_url.as_ref().is_none_or(|address| *address == url) && (file.token.is_some() || file.token_file.is_some()) {
            Some(file_token(&file, &shown)?)
        } else if let Some((_, local)) = local {
            match role {
                Role::Agent => Some(local.agent_token),
                Role::Owner => local.owner_token,
            }
        } else {
            None
        };
        let token = token.ok_or_else(|| no_token(&url, role))?;
        let keys = match environment("ASK_VERIFY_KEY") {
            Some(text) => keys("ASK_VERIFY_KEY", &text)?,
            None => file.verify_key.map(|text| keys(&format!("verify_key in {shown}"), &text)).transpose()?.unwrap_or_default(),
        };
        Ok(Self { url, token, keys })
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

fn folder(environment: &dyn Fn(&str) -> Option<String>, variable: &str, below_home: &str) -> Option<PathBuf> {
    let set = |name: &str| environment(name).filter(|value| !value.is_empty());
    set(variable).map(PathBuf::from).or_else(|| set("HOME").map(|home| Path::new(&home).join(below_home)))
}

fn read_file(path: &Path) -> Result<File, Failure> {
    let shown = path.display();
    match std::fs::read_to_string(path) {
        // The parser's own words may quote a line, and a line may hold a token: only its message is passed on.
        Ok(text) => toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            Failure::failed(format!(
                "{shown}, line {line}: {}; the keys are url, token, token_file and verify_key",
                error.message()
            ))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(File::default()),
        Err(error) => Err(Failure::failed(format!("{shown} cannot be read: {error}"))),
    }
}

fn read_local(environment: &dyn Fn(&str) -> Option<String>) -> Result<Option<(String, Local)>, Failure> {
    let set = environment("PAGER_DATA_DIR").filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = set.or_else(|| folder(environment, "XDG_DATA_HOME", ".local/share").map(|folder| folder.join("pager")));
    let Some(path) = data.map(|folder| folder.join("local.json")) else { return Ok(None) };
    // Another user's file is none of this user's settings, and without the file there are none.
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
    let shown = path.display();
    let local: Local = serde_json::from_str(&text).map_err(|_| {
        Failure::failed(format!("{shown} is not what pagerd writes there; start pagerd again, or set ASK_URL and ASK_TOKEN"))
    })?;
    Ok(Some((address(&format!("url in {shown}"), &local.url)?, local)))
}

fn file_token(file: &File, shown: &str) -> Result<SecretString, Failure> {
    if let Some(token) = &file.token {
        return checked(&format!("token in {shown}"), token.expose_secret());
    }
    let name = format!("token_file in {shown}");
    let path = file.token_file.clone().unwrap_or_default();
    let path = Path::new(shown).parent().map_or(path.clone(), |folder| folder.join(&path));
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::failed(format!("{name}: {} cannot be read: {error}", path.display())))?;
    checked(&name, &text)
}

fn checked(name: &str, token: &str) -> Result<SecretString, Failure> {
    let token = token.trim();
    if token.is_empty() {
        return Err(Failure::failed(format!("{name} is empty; set it to a token, or unset it")));
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Failure::failed(format!("{name} is not a token: it has characters that no token has; copy it again")));
    }
    Ok(token.into())
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

fn keys(name: &str, text: &str) -> Result<Vec<VerifyingKey>, Failure> {
    let wrong = |part: &str| {
        Failure::failed(format!("{name}: {part:?} is not a key of the form ed25519:<base64>, as `pagerd key` prints it"))
    };
    text.split(',').map(str::trim).map(|part| VerifyingKey::parse(part).map_err(|_| wrong(part))).collect()
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
