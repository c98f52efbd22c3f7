//! The thread of a request: the request, which comes first in its topic, and what is replied to it. Everything that somebody else
//! wrote is shown with what hides made visible; what does not fit goes into a document, whole.

use jiff::tz::TimeZone;
use pager_questions::digest::digest;
use pager_questions::text::{one_line, reveal, title};
use pager_questions::{By, Party, Record, Reply, ReplyKind, Request, ends};

use super::body::{add_issue, shown, shown_on_one_line};
use super::builder::{Builder, beginning};
use super::{Document, MOST_UNITS, Message, toasts};

/// The sign of a request's topic: its icon, or where the chat has none it stands in the name.
pub const SIGN_OF_REQUESTS: &str = "💬";

/// The most characters of a topic's name, as of a question's, and of a request's title in a sentence.
const MOST_NAME: usize = 64;
/// The most UTF-16 units of the title above a text, and of what stands below it.
const MOST_TITLE: usize = 600;
const MOST_TAIL: usize = 1400;
/// The most UTF-16 units of a link.
const MOST_LINK: usize = 250;

const BETWEEN: &str = "\n\n";

/// The name of the topic of a request: its title on one line, at most 64 characters.
pub fn request_topic_name(request: &Request) -> String {
    title(&reveal(&one_line(&request.title)), MOST_NAME)
}

/// The same with the sign in front, for a topic without an icon.
pub fn request_topic_name_with_sign(request: &Request) -> String {
    format!("{SIGN_OF_REQUESTS} {}", request_topic_name(request))
}

/// The request: its title, where the text does not begin with it, the text, its tags, who asks and when.
pub fn request(request: &Request, zone: &TimeZone) -> Message {
    let mut head = Builder::default();
    if !shown_on_one_line(&request.text).starts_with(&shown_on_one_line(request.title.trim_end_matches('…'))) {
        add_title(&mut head, &request.title);
    }
    let mut tail = Builder::default();
    if !request.tags.is_empty() {
        tail.bold("For").add(" ").add(&shown_on_one_line(&request.tags.join(", "))).add("\n");
    }
    if let Some(deadline) = request.deadline {
        tail.bold(&format!("Until {}", deadline.for_people(zone))).add("; then it counts as unanswered.\n");
    }
    if let Some(issue) = &request.issue {
        tail.bold("Issue").add(" ");
        add_issue(&mut tail, issue);
        tail.add("\n");
    }
    tail.bold("Asked by").add(" ").add(&who(&request.from));
    tail.add(&format!("\n{}", request.at.for_people(zone)));
    let name = format!("request-{}.txt", request.id);
    fit(&head, &request.text, &tail, &|| whole(&name, &request.title, &request.text))
}

/// A reply: its title, its text, who wrote it and when. With a `request` it says to which it belongs: outside a topic of its own.
pub fn reply(reply: &Reply, request: Option<&Request>, zone: &TimeZone) -> Message {
    let mut head = Builder::default();
    if let Some(request) = request {
        head.italic(&format!("To ‘{}’ ({})", request_topic_name(request), request.id)).add(BETWEEN);
    }
    if let Some(title) = &reply.title {
        add_title(&mut head, title);
    }
    let mut tail = Builder::default();
    let signed = match reply.kind {
        ReplyKind::Answer => "Answered by",
        ReplyKind::Message => "Written by",
        ReplyKind::LatePick => "Picked too late by",
    };
    tail.bold(signed).add(" ").add(&who(&reply.author));
    if let Some(offer) = &reply.offer {
        tail.add(&format!(", about the offer {offer}, whose default holds"));
    }
    tail.add(&format!("\n{}", reply.at.for_people(zone)));
    let name = format!("reply-{}.txt", reply.id);
    fit(&head, &reply.text, &tail, &|| whole(&name, reply.title.as_deref().unwrap_or_default(), &reply.text))
}

/// In the topic of a request, about a partial offer that stands in a topic of its own.
pub fn offer_stands_elsewhere(record: &Record, link: Option<&str>) -> Message {
    let question = &record.question;
    let mut text = Builder::default();
    text.bold("A partial offer").add(" by ").add(question.source.agent.as_str());
    if let Some(first) = question.options.first() {
        text.add(": ").add(&shown_on_one_line(&first.label));
    }
    text.add("\nIt stands in a topic of its own, to be picked there");
    match link {
        Some(link) => text.add(": ").add(beginning(link, MOST_LINK)),
        None => text.add("."),
    };
    Message { text: text.text, entities: text.entities, ..Message::default() }
}

/// Where the request was written: that replies stand in a topic of its own. Without a link the topic's name says which.
pub fn replies_stand_elsewhere(request: &Request, link: Option<&str>) -> String {
    match link {
        Some(link) => format!("Replies to this stand in a topic of their own: {}", beginning(link, MOST_LINK)),
        None => format!("Replies to this stand in the topic ‘{}’.", request_topic_name(request)),
    }
}

/// In a topic that was made because the one before was deleted.
pub fn request_topic_made_anew() -> String {
    "The topic of this request was deleted, so its replies go on here.".to_owned()
}

/// To a text that picks of an offer whose default holds: who went on with what and when, and what becomes of the text.
pub fn picked_late(record: &Record, is_first: bool, zone: &TimeZone) -> String {
    let happened = ends::end(record, zone).map_or_else(toasts::default_being_saved, |end| end.text);
    let agent = &record.question.source.agent;
    let kept = match is_first {
        true => format!("Your text is kept as a late pick, and {agent} is told."),
        false => "Somebody picked late before, and that holds; your text is kept as a further message.".to_owned(),
    };
    format!("{}\n{kept}", reveal(&one_line(&happened)))
}

fn add_title(head: &mut Builder, title: &str) {
    let title = shown_on_one_line(title);
    head.bold(beginning(&title, MOST_TITLE)).add(BETWEEN);
}

/// An owner by what they are known as; an agent by its name.
fn who(by: &By) -> String {
    match Party::of(by) {
        Some(Party::Agent(agent)) => shown_on_one_line(agent.as_str()),
        Some(Party::Owner) => format!("the owner ({})", shown_on_one_line(&ends::who(by))),
        None => shown_on_one_line(&ends::who(by)),
    }
}

/// What somebody wrote, whole; what hides in it shows.
fn whole(name: &str, title: &str, text: &str) -> Document {
    let text = format!("{}\n\n{}\n", shown_on_one_line(title), reveal(text).trim_end());
    let bytes = text.trim_start().as_bytes().to_vec();
    let caption = format!("The whole text.\n{}", digest(&bytes));
    Document { name: name.to_owned(), bytes, caption }
}

/// All in one message; the text gives way, and is then in a document whole.
fn fit(head: &Builder, text: &str, tail: &Builder, document: &dyn Fn() -> Document) -> Message {
    let mut below = Builder::default();
    below.add(BETWEEN).append(&if tail.units() > MOST_TAIL { tail.cut(MOST_TAIL) } else { tail.clone() });
    let mut body = Builder::default();
    body.add(&shown(text));
    let mut message = head.clone();
    if head.units() + body.units() + below.units() <= MOST_UNITS {
        message.append(&body).append(&below);
        return Message { text: message.text, entities: message.entities, ..Message::default() };
    }
    let document = document();
    let mut note = Builder::default();
    note.add(BETWEEN).bold("Too long for a message.");
    note.add(&format!(" The whole text is in the document that follows: {}", digest(&document.bytes)));
    let room = MOST_UNITS.saturating_sub(head.units() + note.units() + below.units());
    message.append(&body.cut(room.saturating_sub(1))).add("…").append(&note).append(&below);
    Message { text: message.text, entities: message.entities, keyboard: Vec::new(), documents: vec![document] }
}
