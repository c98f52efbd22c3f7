//! The message of an update: title, body, links, who publishes it. Each part has its room, and what is longer is cut with a
//! mark and the way to the page, which has it whole. Everything an agent wrote is shown with what hides made visible.

use jiff::tz::TimeZone;
use pager_questions::update::{Mark, UpdateLink, UpdateMedia, UpdateState};
use pager_questions::{Author, Update, text};
use teloxide::types::MessageEntityKind;

use super::body::{add_source, link, shown, shown_on_one_line};
use super::builder::{Builder, beginning};
use super::{Button, MOST_UNITS, Message};
use crate::callback::UpdateButton;

/// The signs of a topic of updates, the first that the chat has an icon of; the first one stands in the name when it has none.
pub const SIGNS_OF_UPDATES: [&str; 2] = ["🗞", "📣"];

/// The most UTF-16 units of the parts beside the body, which has what they leave.
const MOST_TITLE: usize = 600;
const MOST_LISTS: usize = 1400;
const MOST_SOURCE: usize = 900;
const MOST_PAGE: usize = 300;
/// The most characters of a name in a list, and of an address that cannot be a link.
const MOST_NAME: usize = 80;
const MOST_ADDRESS: usize = 200;

/// The message of an update in its present state. `page` is the address at which it stands whole.
pub fn update(update: &Update, page: &str, zone: &TimeZone) -> Message {
    let mut parts = Parts { is_cut: false };
    let mut title = Builder::default();
    title.bold(&shown_on_one_line(&update.title));
    let title = parts.fitted(&title, MOST_TITLE);
    let lists = parts.fitted(&lists(&update.links, &update.media), MOST_LISTS);
    let mut source = Builder::default();
    add_source(&mut source, "Published by", &update.source, update.issue.as_ref());
    let mut source = parts.fitted(&source, MOST_SOURCE);
    source.add(&format!("\n{}", update.at.for_people(zone)));
    let mut end = Builder::default();
    if let Some(at) = update.state.dismissed_at() {
        end.add("\n\n").italic(&format!("Dismissed {}", at.for_people(zone)));
    }
    let note = note(page);
    let beside = [&title, &lists, &source, &end, &note].map(Builder::units).into_iter().sum::<usize>() + 3 * BETWEEN.len();
    let mut body = Builder::default();
    body.add(&shown(&update.body));
    let body = parts.fitted(&body, MOST_UNITS.saturating_sub(beside));
    let mut whole = title;
    for part in [&body, &lists, &source].into_iter().filter(|part| part.units() > 0) {
        whole.add(BETWEEN).append(part);
    }
    if parts.is_cut {
        whole.append(&note);
    }
    whole.append(&end);
    Message { text: whole.text, entities: whole.entities, keyboard: keyboard(update), document: None }
}

/// The name of the topic that a source's updates stand in.
pub fn updates_topic_name(source: &Author) -> String {
    format!("Updates of {source}")
}

/// The same with the sign in front, for a topic without an icon.
pub fn updates_topic_name_with_sign(source: &Author) -> String {
    format!("{} {}", SIGNS_OF_UPDATES[0], updates_topic_name(source))
}

const BETWEEN: &str = "\n\n";

/// Remembers whether a part had to be cut.
struct Parts {
    is_cut: bool,
}

impl Parts {
    fn fitted(&mut self, part: &Builder, most: usize) -> Builder {
        if part.units() <= most {
            return part.clone();
        }
        self.is_cut = true;
        let mut cut = part.cut(most.saturating_sub(1));
        cut.add("…");
        cut
    }
}

fn note(page: &str) -> Builder {
    let mut note = Builder::default();
    note.add(BETWEEN).bold("Cut.").add(" ");
    match link(page).filter(|_| page.encode_utf16().count() <= MOST_PAGE) {
        Some(url) => note.add_as(MessageEntityKind::TextLink { url }, "The page has it whole"),
        None => note.add("The page has it whole: ").add(beginning(page, MOST_PAGE)),
    };
    note
}

fn lists(links: &[UpdateLink], media: &[UpdateMedia]) -> Builder {
    let mut lists = Builder::default();
    let named = links.iter().map(|link| ("🔗", link.label.as_str(), link.url.as_str()));
    let media =
        media.iter().map(|media| (sign(&media.mime_type), media.alt.as_deref().unwrap_or(&media.mime_type), media.url.as_str()));
    for (sign, name, address) in named.chain(media) {
        if lists.units() > 0 {
            lists.add("\n");
        }
        lists.add(sign).add(" ");
        let name = text::title(&shown_on_one_line(name), MOST_NAME);
        match link(address) {
            Some(url) => lists.add_as(MessageEntityKind::TextLink { url }, &name),
            None => lists.add(&format!("{name}: {}", text::title(&shown_on_one_line(address), MOST_ADDRESS))),
        };
    }
    lists
}

fn sign(mime_type: &str) -> &'static str {
    match mime_type.split_once('/').map_or("", |(kind, _)| kind) {
        "image" => "🖼",
        "audio" => "🎧",
        "video" => "🎬",
        _ => "📎",
    }
}

/// What can still be done with it, in one row.
fn keyboard(update: &Update) -> Vec<Vec<Button>> {
    let marks: &[Mark] = match update.state {
        UpdateState::Unread => &[Mark::Read, Mark::Dismiss],
        UpdateState::Read { .. } => &[Mark::Dismiss],
        UpdateState::Dismissed { .. } => return Vec::new(),
    };
    let button = |mark: &Mark| {
        let label = match mark {
            Mark::Read => "Read",
            Mark::Dismiss => "Dismiss",
        };
        let data = UpdateButton { key: update.id.key(), mark: *mark }.to_string();
        Button { label: label.to_owned(), data }
    };
    vec![marks.iter().map(button).collect()]
}
