//! A topic's name.

use pager_questions::Record;

/// A question that waits: the topic's icon, or the sign before its name.
pub const SIGN: &str = "❓";
/// A question that ended.
pub const SIGN_ENDED: &str = "✅";

/// The text on one line, at most 64 characters.
pub fn topic_name(record: &Record) -> String {
    record.question.title()
}

/// The same with a sign in front, for a topic without an icon.
pub fn topic_name_with_sign(record: &Record) -> String {
    let sign = if record.is_over() { SIGN_ENDED } else { SIGN };
    format!("{sign} {}", topic_name(record))
}
