//! Where pagerd remembers.

use std::path::PathBuf;

use super::General;
use super::reader::Reader;

/// `store.*`
#[derive(Debug)]
pub struct Store {
    /// The SQLite file.
    pub path: PathBuf,
}

impl Store {
    pub(super) fn read(reader: &mut Reader, general: &General) -> Self {
        let usual = general.data_dir.join("pager.sqlite");
        let path = match reader.text("store.url") {
            None => usual,
            Some(url) => match url.strip_prefix("sqlite:") {
                Some(path) if !path.is_empty() => PathBuf::from(path.trim_start_matches("//")),
                _ => {
                    // The rest may hold a password.
                    let scheme = url.split(':').next().unwrap_or_default();
                    reader.problem("store.url", &format!("begins with {scheme:?}; this version takes sqlite:<path>"));
                    usual
                }
            },
        };
        Self { path }
    }
}
