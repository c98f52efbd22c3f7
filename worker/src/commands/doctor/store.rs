//! The store: whole, of a schema that this program knows, and whose it is at the moment. Only read.

use super::Report;
use crate::configuration;
use crate::store::sqlite::{self, OpenError};
use pager_questions::Time;

/// What the store told, for the checks that come later.
#[derive(Default)]
pub(super) struct Seen {
    /// The process that serves on it.
    pub(super) served_by: Option<String>,
    /// When the poller finished its last poll, in milliseconds since 1970.
    pub(super) last_poll: Option<i64>,
    /// When it last met another reader of the bot's updates.
    pub(super) last_conflict: Option<i64>,
}

/// Looks at it.
pub(super) async fn check(settings: &configuration::Store, report: &mut Report) -> Seen {
    let path = &settings.path;
    if !path.exists() {
        report.ok("store", format!("{} is not there yet; the first start makes it", path.display()));
        return Seen::default();
    }
    let looked = match sqlite::look(path).await {
        Ok(looked) => looked,
        Err(error) => {
            let fix = match &error {
                OpenError::InUse { .. } => "stop that pagerd, or set another data_dir",
                OpenError::Corrupt { .. } => "stop pagerd and restore the store from a backup",
                OpenError::Newer { .. } => "use the pagerd that wrote it, or a later one",
                OpenError::Unreachable { .. } => "give this user the right to read and write there",
            };
            report.fail("store", error.to_string(), fix);
            return Seen::default();
        }
    };
    let serves = match &looked.served_by {
        Some(process) => format!("process {process} serves on it"),
        None => "nobody serves on it at the moment".to_owned(),
    };
    if looked.schema < looked.known {
        let says = format!("{} has schema {}, this program {}; {serves}", path.display(), looked.schema, looked.known);
        report.warn("store", says, "make a backup, then start this pagerd: it brings the schema up to date");
    } else {
        report.ok("store", format!("{} is whole, schema {}; {serves}", path.display(), looked.schema));
    }
    let kept = |name: &str| looked.kept.get(name).and_then(|value| value.parse().ok());
    Seen {
        last_poll: looked.kept.get(crate::telegram::LAST_POLL).and_then(|at| Time::parse(at)).map(Time::as_millis),
        last_conflict: kept(crate::telegram::LAST_CONFLICT),
        served_by: looked.served_by,
    }
}
