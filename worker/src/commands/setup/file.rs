//! The settings that were found out, as the text of `pager.toml`, and the file itself.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::Wishes;
use crate::configuration::Flags;

/// What will stand in the file.
pub(super) struct Settings {
    pub(super) token: SecretString,
    pub(super) token_file: Option<PathBuf>,
    pub(super) chat_id: Option<i64>,
    pub(super) owners: Vec<i64>,
    pub(super) api_url: Option<Url>,
    answers: Option<String>,
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
            answers: wishes.answers.clone(),
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
        section("server", vec![("listen", self.listen.clone().map(text))]);
        section("answers", vec![("url", self.answers.clone().map(text))]);
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
