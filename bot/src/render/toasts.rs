//! What an owner sees for a moment after a press. Telegram takes 200 characters; an outcome is shown only once it is stored.

use jiff::tz::TimeZone;
use pager_questions::text::{one_line, reveal};
use pager_questions::{Record, Update, UpdateState, ends};

use super::builder::{beginning, units};

/// The most UTF-16 units of a toast.
pub const MOST_UNITS: usize = 200;

/// The press was taken, or another answer was a moment before; it counts once it is saved.
pub fn being_saved() -> String {
    "Being saved…".to_owned()
}

/// What happened to a question that has ended. Says "being saved" while there is no end to tell of.
pub fn ended(record: &Record, zone: &TimeZone) -> String {
    let Some(end) = ends::end(record, zone) else { return being_saved() };
    let signed = if end.signed.is_empty() { String::new() } else { format!(" ({})", end.signed) };
    let signed = shortened(&signed, MOST_UNITS / 2);
    let text = shortened(&end.text, MOST_UNITS - units(&signed));
    format!("{text}{signed}")
}

/// The press picks of an offer whose default holds: what became of it, and who went on with what and when.
pub fn picked_late(record: &Record, is_first: bool, zone: &TimeZone) -> String {
    let kept = if is_first { "Kept as a late pick." } else { "Somebody picked late before." };
    let happened = ends::end(record, zone).map_or_else(default_being_saved, |end| end.text);
    shortened(&format!("{kept} {happened}"), MOST_UNITS)
}

/// What happened to an offer whose end by its deadline is not saved yet.
pub(super) fn default_being_saved() -> String {
    "Nobody answered in time, and its default is being saved.".to_owned()
}

/// What was done with an update before; nothing when it is unread.
pub fn update(update: &Update, zone: &TimeZone) -> String {
    match update.state {
        UpdateState::Unread => String::new(),
        UpdateState::Read { at } => format!("Read before, {}.", at.for_people(zone)),
        UpdateState::Dismissed { at, .. } => format!("Dismissed before, {}.", at.for_people(zone)),
    }
}

/// Whoever pressed is no owner here.
pub fn not_yours() -> String {
    "This button is not yours to press.".to_owned()
}

/// The button belongs to nothing that is known.
pub fn unknown_button() -> String {
    "This button belongs to no question that is known here any more.".to_owned()
}

/// The press was to approve what was not shown whole in this chat.
pub fn not_shown_whole() -> String {
    "Not taken: what is to be approved was not shown here whole. See it on the page, and approve it there.".to_owned()
}

/// An option was marked, or its mark taken away: these labels are marked by now.
pub fn marked(labels: &[&str]) -> String {
    if labels.is_empty() {
        return "Nothing is marked.".to_owned();
    }
    shortened(&format!("Marked: {}. Send settles it.", labels.join(", ")), MOST_UNITS)
}

/// To *Send* while nothing is marked.
pub fn nothing_marked() -> String {
    "Nothing is marked yet: mark what you pick, then press Send.".to_owned()
}

fn shortened(text: &str, most: usize) -> String {
    let leading = if text.starts_with(' ') { " " } else { "" };
    let line = format!("{leading}{}", reveal(&one_line(text)));
    if units(&line) <= most { line } else { format!("{}…", beginning(&line, most - 1)) }
}
