//! Where answers are kept.

use std::time::Duration;

use pager_answers::{Credentials, KeeperSettings};

use super::reader::Reader;
use super::{General, GitHub};

/// Until when an answer stays in `answers/`.
const USUALLY_ARCHIVED_AFTER: Duration = Duration::from_secs(30 * 24 * 3600);

/// `answers.*`
#[derive(Debug)]
pub struct Answers {
    /// What leads to the keeper.
    pub keeper: KeeperSettings,
    /// How old an answer is when it moves to the archive; None for never by age alone.
    pub archive_after: Option<Duration>,
}

impl Answers {
    pub(super) fn read(reader: &mut Reader, general: &General, github: &GitHub) -> Self {
        let usual = format!("file:{}", general.data_dir.join("answers.git").display());
        let is_set = reader.has("answers.archive_after");
        let archive_after = reader.duration("answers.archive_after", "a time like 12h or 30d, or never");
        let archive_after = if is_set { archive_after } else { Some(USUALLY_ARCHIVED_AFTER) };
        let keeper = KeeperSettings {
            url: reader.text("answers.url").unwrap_or(usual),
            branch: reader.text("answers.branch").unwrap_or_else(|| "main".to_owned()),
            credentials: Credentials { user: reader.text("answers.user"), token: reader.secret("answers.token") },
            github: github.access.clone(),
            clones: general.data_dir.join("clones"),
            begins: true,
        };
        Self { keeper, archive_after }
    }
}
