//! Folders, the signing key's file and the owner's time zone.

use std::path::PathBuf;

use jiff::tz::TimeZone;

use super::reader::Reader;

/// `data_dir`, `key_file`, `time_zone`.
#[derive(Debug)]
pub struct General {
    /// Holds the store, the key and the answers repository, unless those are set elsewhere.
    pub data_dir: PathBuf,
    /// The secret half of the key that signs answers; made on first start.
    pub key_file: PathBuf,
    /// In which people are told times.
    pub time_zone: TimeZone,
}

impl General {
    pub(super) fn read(reader: &mut Reader) -> Self {
        let data_dir = match reader.text("data_dir").map(PathBuf::from).or_else(usual_data_dir) {
            Some(folder) if folder.as_os_str().is_empty() => {
                reader.problem("data_dir", "is empty; name a folder, or take the key out");
                folder
            }
            Some(folder) => folder,
            None => {
                reader.problem("data_dir", "is not set, and neither XDG_DATA_HOME nor HOME tells where data belongs; set it");
                PathBuf::new()
            }
        };
        let key_file = reader.text("key_file").map_or_else(|| data_dir.join("key"), PathBuf::from);
        let time_zone = match reader.text("time_zone") {
            None => TimeZone::try_system().unwrap_or(TimeZone::UTC),
            Some(name) => TimeZone::get(&name).unwrap_or_else(|_| {
                reader.problem("time_zone", &format!("is {name:?}, which is not a time zone like Europe/Berlin"));
                TimeZone::UTC
            }),
        };
        Self { data_dir, key_file, time_zone }
    }
}

fn usual_data_dir() -> Option<PathBuf> {
    folder_of("XDG_DATA_HOME", ".local/share").map(|folder| folder.join("pager"))
}

/// The folder that the variable names, else the usual one in the home folder.
pub(super) fn folder_of(variable: &str, usual: &str) -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set(variable).filter(|path| path.is_absolute()).or_else(|| set("HOME").map(|home| home.join(usual)))
}
