//! The settings that were found out, as the text of `pager.toml`, and the file itself.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use pager_answers::github::RepositoryName;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::Wishes;
use super::github::Found;
use crate::configuration::Flags;

/// What will stand in the file.
pub(super) struct Settings {
    pub(super) token: SecretString,
    pub(super) token_file: Option<PathBuf>,
    pub(super) chat_id: Option<i64>,
    pub(super) owners: Vec<i64>,
    pub(super) api_url: Option<Url>,
    pub(super) github: Found,
    answers: Option<String>,
    answers_user: Option<String>,
    answers_token_file: Option<PathBuf>,
    data_dir: Option<PathBuf>,
    listen: Option<String>,
}

impl Settings {
    /// What flags say. Paths become absolute: the service may be started elsewhere.
    pub(super) fn of(flags: &Flags, wishes: &Wishes) -> anyhow::Result<Self> {
        let absolute = |path: PathBuf| std::path::absolute(&path).with_context(|| format!("{} is no path", path.display()));
        Ok(Self {
            token: SecretString::default(),
            token_file: wishes.token_file.clone().map(absolute).transpose()?,
            chat_id: wishes.chat_id,
            owners: wishes.owner.clone(),
            api_url: wishes.api_url.clone(),
            github: Found::default(),
            answers: wishes.answers.clone(),
            answers_user: wishes.answers_user.clone(),
            answers_token_file: wishes.answers_token_file.clone().map(absolute).transpose()?,
            data_dir: flags.data_dir.clone().map(|folder| absolute(folder.into())).transpose()?,
            listen: flags.listen.clone(),
        })
    }

    /// The text of the file. It holds the token, unless that has a file of its own.
    pub(super) fn text(&self) -> String {
        let mut root = toml::Table::new();
        let text = |value: String| toml::Value::String(value);
        let mut section = |name: &str, settings: Vec<(&str, Option<toml::Value>)>| {
            let set: toml::Table = settings.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
            match name {
                "" => root.extend(set),
                _ if set.is_empty() => {}
                _ => {
                    root.insert(name.to_owned(), toml::Value::Table(set));
                }
            }
        };
        let path = |path: &PathBuf| text(path.display().to_string());
        section("", vec![("data_dir", self.data_dir.as_ref().map(path))]);
        let github = &self.github;
        let url = |url: &Url| text(url.as_str().trim_end_matches('/').to_owned());
        let listen = self.listen.clone().map(text);
        section("server", vec![("listen", listen), ("public_url", github.public_url.as_ref().map(url))]);
        section(
            "answers",
            vec![
                ("url", self.answers.clone().map(text)),
                ("user", self.answers_user.clone().map(text)),
                ("token_file", self.answers_token_file.as_ref().map(path)),
            ],
        );
        section(
            "github",
            vec![
                ("token", github.token.as_ref().map(|token| text(token.expose_secret().to_owned()))),
                ("token_file", github.token_file.as_ref().map(path)),
                ("api_url", github.api_url.as_ref().map(url)),
            ],
        );
        section("control", self.control());
        let owners = self.owners.iter().map(|owner| toml::Value::Integer(*owner)).collect();
        let token = self.token_file.is_none().then(|| text(self.token.expose_secret().to_owned()));
        section(
            "telegram",
            vec![
                ("token", token),
                ("token_file", self.token_file.as_ref().map(path)),
                ("chat_id", self.chat_id.map(toml::Value::Integer)),
                ("owners", Some(toml::Value::Array(owners))),
                ("api_url", self.api_url.as_ref().map(|url| text(url.to_string()))),
            ],
        );
        format!("# Made by `pagerd setup`. pager.example.toml explains every setting.\n\n{root}")
    }
}

impl Settings {
    /// The repository of the answers, when that is on GitHub.
    pub(super) fn answers_on_github(&self) -> Option<RepositoryName> {
        self.answers.as_ref()?.strip_prefix("github:")?.parse().ok()
    }

    /// Events come in over HTTP where GitHub can reach pagerd, else over the branch.
    fn control(&self) -> Vec<(&'static str, Option<toml::Value>)> {
        let text = |value: String| toml::Value::String(value);
        let github = &self.github;
        let pins = github.pins();
        let waits_at_the_branch = pins.is_none() && (github.control.is_some() || github.inbox_url.is_some());
        let maintainers = github.maintainers.iter().filter_map(|id| i64::try_from(*id).ok()).map(toml::Value::Integer).collect();
        let table = |pins: [(&str, String); 4]| {
            toml::Value::Table(pins.into_iter().map(|(key, value)| (key.to_owned(), text(value))).collect())
        };
        vec![
            ("repo", github.control.as_ref().map(|control| text(control.name.to_string()))),
            ("maintainers", (!github.maintainers.is_empty()).then_some(toml::Value::Array(maintainers))),
            ("inbox", waits_at_the_branch.then(|| text("branch".to_owned()))),
            ("inbox_url", github.inbox_url.clone().map(text)),
            ("oidc", pins.map(table)),
        ]
    }
}

/// Writes the file for its user alone, whole or not at all. Without `force` one that is there stays.
pub(super) fn write(path: &Path, text: &str, force: bool) -> anyhow::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let _ = std::fs::remove_file(&beside);
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        // A link refuses where a rename would write over.
        if force { std::fs::rename(&beside, path) } else { std::fs::hard_link(&beside, path) }
    })();
    let _ = std::fs::remove_file(&beside);
    written.with_context(|| format!("{} cannot be written; name another file with --config-out", path.display()))
}
