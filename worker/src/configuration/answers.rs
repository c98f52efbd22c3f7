//! Where answers are kept.

use super::General;
use super::reader::Reader;

/// `answers.*`
#[derive(Debug)]
pub struct Answers {
    /// Which keeper, and where.
    pub url: String,
    /// The branch.
    pub branch: String,
}

impl Answers {
    pub(super) fn read(reader: &mut Reader, general: &General) -> Self {
        let usual = format!("file:{}", general.data_dir.join("answers.git").display());
        Self {
            url: reader.text("answers.url").unwrap_or(usual),
            branch: reader.text("answers.branch").unwrap_or_else(|| "main".to_owned()),
        }
    }
}
