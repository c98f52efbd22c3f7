//! Where settings come from: the flag, the environment, `~/.config/pager/ask.toml`. Decides the mode; a file's secret is read
//! here, and only when it is used.

use std::path::{Path, PathBuf};

use pager_questions::{AgentName, VerifyingKey};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use crate::failure::Failure;

/// How `ask` reaches pagerd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// HTTP to pagerd.
    Direct,
    /// Events through a control repository on GitHub, answers from a repository there.
    GitHub,
    /// Events and answers by git alone.
    Git,
}

/// `~/.config/pager/ask.toml`
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub url: Option<String>,
    pub token: Option<SecretString>,
    pub token_file: Option<PathBuf>,
    pub verify_key: Option<String>,
    pub control: Option<String>,
    pub answers: Option<String>,
    pub answers_token: Option<SecretString>,
    pub answers_token_file: Option<PathBuf>,
    pub events: Option<String>,
    pub github_api: Option<String>,
    pub agent: Option<String>,
}

/// Everything that may hold a setting.
pub struct Sources<'a> {
    /// `--url`
    pub url: Option<&'a str>,
    /// The file; empty when there is none.
    pub file: File,
    /// Its path, for messages.
    pub shown: String,
    environment: &'a dyn Fn(&str) -> Option<String>,
}

/// The environment of this process.
pub fn environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

impl<'a> Sources<'a> {
    /// Of this process.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub fn of_process(url: Option<&'a str>) -> Result<Self, Failure> {
        Self::read(url, &environment)
    }

    /// Reads the file, where there is one.
    ///
    /// # Errors
    /// When it cannot be read, naming the line and never what stands there.
    pub fn read(url: Option<&'a str>, environment: &'a dyn Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let mut sources = Self { url, file: File::default(), shown: String::new(), environment };
        if let Some(path) = sources.folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("pager/ask.toml")) {
            sources.file = read_file(&path)?;
            sources.shown = path.display().to_string();
        }
        Ok(sources)
    }

    /// A variable of the environment.
    pub fn variable(&self, name: &str) -> Option<String> {
        (self.environment)(name)
    }

    /// The mode: what a flag says, else the environment, else the file. Nothing at all is direct.
    pub fn mode(&self) -> Mode {
        let is_set = |name: &str| self.variable(name).is_some();
        let layers = [
            (self.url.is_some(), false, false),
            (is_set("ASK_URL"), is_set("ASK_CONTROL"), is_set("ASK_ANSWERS")),
            (self.file.url.is_some(), self.file.control.is_some(), self.file.answers.is_some()),
        ];
        let mode = layers.into_iter().find_map(|layer| match layer {
            (true, _, _) => Some(Mode::Direct),
            (_, true, _) => Some(Mode::GitHub),
            (_, _, true) => Some(Mode::Git),
            _ => None,
        });
        mode.unwrap_or(Mode::Direct)
    }

    /// A setting and its name for messages: the variable's value, else the file's.
    pub fn setting(&self, variable: &str, key: &str, in_file: &Option<String>) -> Option<(String, String)> {
        let set = self.variable(variable).map(|value| (variable.to_owned(), value));
        set.or_else(|| in_file.clone().map(|value| (format!("{key} in {}", self.shown), value)))
    }

    /// The keys that answers are verified with; empty when none are set.
    ///
    /// # Errors
    /// Names the setting.
    pub fn keys(&self) -> Result<Vec<VerifyingKey>, Failure> {
        let set = self.setting("ASK_VERIFY_KEY", "verify_key", &self.file.verify_key);
        set.map(|(name, text)| keys(&name, &text)).transpose().map(Option::unwrap_or_default)
    }

    /// The name that an agent gives itself in events.
    ///
    /// # Errors
    /// Names the setting.
    pub fn agent(&self) -> Result<Option<AgentName>, Failure> {
        let set = self.setting("ASK_AGENT", "agent", &self.file.agent);
        let parsed = set.map(|(name, text)| {
            AgentName::parse(&text).map_err(|error| Failure::failed(format!("{name}: {text:?} is no name of an agent: {error}")))
        });
        parsed.transpose()
    }

    /// A token of the environment.
    ///
    /// # Errors
    /// Names the variable.
    pub fn token(&self, variable: &str) -> Result<Option<SecretString>, Failure> {
        self.variable(variable).map(|token| checked(variable, &token)).transpose()
    }

    /// A token of the file, or of the file that it names.
    ///
    /// # Errors
    /// Names the key.
    pub fn token_of_file(
        &self,
        key: &str,
        token: &Option<SecretString>,
        token_file: &Option<PathBuf>,
    ) -> Result<Option<SecretString>, Failure> {
        let shown = &self.shown;
        if let Some(token) = token {
            return checked(&format!("{key} in {shown}"), token.expose_secret()).map(Some);
        }
        let Some(path) = token_file else { return Ok(None) };
        let name = format!("{key}_file in {shown}");
        let path = Path::new(shown).parent().map_or(path.clone(), |folder| folder.join(path));
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::failed(format!("{name}: {} cannot be read: {error}", path.display())))?;
        checked(&name, &text).map(Some)
    }

    /// A folder of this user: what the variable names, else below the home folder.
    pub fn folder(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        let set = |name: &str| self.variable(name).filter(|value| !value.is_empty());
        set(variable).map(PathBuf::from).or_else(|| set("HOME").map(|home| Path::new(&home).join(below_home)))
    }
}

/// A token without the white space around it.
///
/// # Errors
/// When it cannot be one, naming the setting.
pub fn checked(name: &str, token: &str) -> Result<SecretString, Failure> {
    let token = token.trim();
    if token.is_empty() {
        return Err(Failure::failed(format!("{name} is empty; set it to a token, or unset it")));
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Failure::failed(format!("{name} is not a token: it has characters that no token has; copy it again")));
    }
    Ok(token.into())
}

fn read_file(path: &Path) -> Result<File, Failure> {
    let shown = path.display();
    match std::fs::read_to_string(path) {
        // The parser's own words may quote a line, and a line may hold a token: only its message is passed on.
        Ok(text) => toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            Failure::failed(format!(
                "{shown}, line {line}: {}; the keys are url, token, token_file, verify_key, control, answers, answers_token, \
                 answers_token_file, events, github_api and agent",
                error.message()
            ))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(File::default()),
        Err(error) => Err(Failure::failed(format!("{shown} cannot be read: {error}"))),
    }
}

fn keys(name: &str, text: &str) -> Result<Vec<VerifyingKey>, Failure> {
    let wrong = |part: &str| {
        Failure::failed(format!("{name}: {part:?} is not a key of the form ed25519:<base64>, as `pagerd key` prints it"))
    };
    text.split(',').map(str::trim).map(|part| VerifyingKey::parse(part).map_err(|_| wrong(part))).collect()
}
