//! Where settings come from, and which of two wins: flags, then the environment, then the file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::reader::{Problem, Problems};

/// The flags that stand for settings.
#[derive(Debug, Default, Clone, clap::Args)]
pub struct Flags {
    /// The configuration file [default: ./pager.toml, then ~/.config/pager/pager.toml]
    #[arg(long, global = true, value_name = "FILE", env = "PAGER_CONFIG")]
    pub config: Option<PathBuf>,
    /// The folder for the store, the key and the answers [setting: data_dir]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub data_dir: Option<String>,
    /// The address to serve on, host:port [setting: server.listen]
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub listen: Option<String>,
}

/// One value and where it stands.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The value as written.
    pub value: toml::Value,
    /// The file, `$PAGER_…`, or the flag.
    pub place: String,
    /// An unknown one from the environment is only a warning: it may be another program's.
    pub from_environment: bool,
}

/// All settings by key, the winner of each.
pub struct Sources {
    /// The file that was read.
    pub file: Option<PathBuf>,
    /// By dotted key.
    pub settings: BTreeMap<String, Setting>,
}

/// Variables that are not settings.
const NOT_SETTINGS: [&str; 8] = [
    "PAGER_CONFIG",
    "PAGER_READY_FILE",
    "PAGER_LOG",
    "PAGER_CRASH",
    "PAGER_WEBHOOK_LOOK_MILLIS",
    "PAGER_INBOX_TIDY_MILLIS",
    "PAGER_OUTAGE_TOLD_MILLIS",
    "PAGER_EVENTS_BEAT_MILLIS",
];

impl Sources {
    /// Reads the file, the environment and the flags.
    pub(super) fn gather(flags: &Flags, environment: impl Iterator<Item = (OsString, OsString)>) -> Result<Self, Problems> {
        let file = flags.config.clone().or_else(usual_file);
        let mut settings = BTreeMap::new();
        if let Some(path) = &file {
            from_file(path, &mut settings)?;
        }
        Ok(Self::over(file, settings, flags, environment))
    }

    /// The same with this text in the place of the file.
    pub(super) fn gather_text(
        flags: &Flags,
        path: &Path,
        text: &str,
        environment: impl Iterator<Item = (OsString, OsString)>,
    ) -> Result<Self, Problems> {
        let mut settings = BTreeMap::new();
        from_text(&path.display().to_string(), text, &mut settings)?;
        Ok(Self::over(Some(path.to_owned()), settings, flags, environment))
    }

    /// What the file gave, with the environment and the flags over it.
    fn over(
        file: Option<PathBuf>,
        mut settings: BTreeMap<String, Setting>,
        flags: &Flags,
        environment: impl Iterator<Item = (OsString, OsString)>,
    ) -> Self {
        from_environment(environment, &mut settings);
        let given = [("data_dir", "--data-dir", &flags.data_dir), ("server.listen", "--listen", &flags.listen)];
        for (key, place, value) in given {
            if let Some(value) = value {
                let value = toml::Value::String(value.clone());
                settings.insert(key.to_owned(), Setting { value, place: place.to_owned(), from_environment: false });
            }
        }
        Self { file, settings }
    }
}

fn usual_file() -> Option<PathBuf> {
    let here = PathBuf::from("pager.toml");
    let home = super::general::folder_of("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("pager/pager.toml"));
    [Some(here), home].into_iter().flatten().find(|path| path.exists())
}

fn from_file(path: &Path, settings: &mut BTreeMap<String, Setting>) -> Result<(), Problems> {
    let place = path.display().to_string();
    let fault = |detail: String| Problems(vec![Problem { place: place.clone(), key: String::new(), detail }]);
    let text = std::fs::read_to_string(path)
        .map_err(|error| fault(format!("cannot be read: {error}; check --config and PAGER_CONFIG")))?;
    from_text(&place, &text, settings)
}

fn from_text(place: &str, text: &str, settings: &mut BTreeMap<String, Setting>) -> Result<(), Problems> {
    let fault = |detail: String| Problems(vec![Problem { place: place.to_owned(), key: String::new(), detail }]);
    // The error's own text shows the line, and with it perhaps a secret.
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        fault(format!("is not TOML: line {}: {}", before.matches('\n').count() + 1, error.message().trim_end()))
    })?;
    flatten("", table, place, settings);
    Ok(())
}

fn flatten(prefix: &str, table: toml::Table, place: &str, settings: &mut BTreeMap<String, Setting>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, place, settings),
            value => {
                settings.insert(key, Setting { value, place: place.to_owned(), from_environment: false });
            }
        }
    }
}

fn from_environment(variables: impl Iterator<Item = (OsString, OsString)>, settings: &mut BTreeMap<String, Setting>) {
    for (name, value) in variables {
        let (Ok(name), Ok(value)) = (name.into_string(), value.into_string()) else { continue };
        let Some(key) = name.strip_prefix("PAGER_").filter(|_| !NOT_SETTINGS.contains(&name.as_str())) else { continue };
        let key = key.to_lowercase().replace("__", ".");
        let setting = Setting { value: toml::Value::String(value), place: format!("${name}"), from_environment: true };
        settings.insert(key, setting);
    }
}
