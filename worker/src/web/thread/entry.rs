//! What stands in a thread, one entry each: a reply, or a question about the request.

use jiff::tz::TimeZone;
use pager_questions::{Purpose, QuestionId, Record, Reply, ReplyKind, State, Time, ends};

use crate::clock;
use crate::web::card::{Due, called};
use crate::web::over::Over;
use crate::web::shown::Shown;

/// One entry of a thread.
pub struct Entry {
    /// The id of its element.
    pub key: String,
    /// What kind: `Answer`, `Offer`.
    pub kind: &'static str,
    /// Who wrote or asked it, and through which door.
    pub who: Shown,
    /// When, in the owner's zone.
    pub at: String,
    /// The same for machines.
    pub at_time: String,
    /// What it says.
    pub said: Said,
    order: Time,
}

/// What an entry says.
pub enum Said {
    /// A message.
    Words {
        /// Its title.
        title: Option<Shown>,
        /// Its text.
        text: Shown,
        /// The offer that a late pick is about.
        offer: Option<Asked>,
    },
    /// A question about the request.
    Question(Asked),
}

/// A question, as the thread shows it: it is answered on its card.
pub struct Asked {
    /// Its incarnation.
    pub key: String,
    /// On one line.
    pub title: Shown,
    /// The agent that it is put to; None for the owner.
    pub put_to: Option<Shown>,
    /// What can be picked, and which of it is the default.
    pub options: Vec<(Shown, bool)>,
    /// When its time is up.
    pub due: Option<Due>,
    /// How it ended.
    pub over: Option<Over>,
    /// Its answer is being saved.
    pub is_saving: bool,
}

impl Asked {
    /// This question.
    pub fn of(record: &Record, zone: &TimeZone) -> Self {
        let question = &record.question;
        let option =
            |option: &pager_questions::QuestionOption| (Shown::of(&option.label), question.default.as_ref() == Some(&option.id));
        Self {
            key: question.incarnation.to_string(),
            title: Shown::of(&question.title()),
            put_to: question.put_to.as_ref().map(|agent| Shown::of(agent.as_str())),
            options: question.options.iter().map(option).collect(),
            due: Due::of(question, zone, clock::now()).filter(|_| matches!(record.state, State::Open { .. })),
            over: Over::of(record, zone),
            is_saving: matches!(record.state, State::Answering(_)),
        }
    }
}

/// Everything that stands in a thread, oldest first.
pub fn all(replies: &[Reply], about: &[Record], zone: &TimeZone) -> Vec<Entry> {
    let words = replies.iter().map(|reply| Entry::of_reply(reply, about, zone));
    let mut entries: Vec<Entry> = words.chain(about.iter().map(|record| Entry::of_question(record, zone))).collect();
    entries.sort_by_key(|entry| entry.order);
    entries
}

impl Entry {
    fn of_reply(reply: &Reply, about: &[Record], zone: &TimeZone) -> Self {
        let offer = reply.offer.as_ref().and_then(|id| named(about, id)).map(|record| Asked::of(record, zone));
        let place = reply.author.via.map(|via| format!(" {}", via.place())).unwrap_or_default();
        Self {
            key: reply.id.to_string(),
            kind: kind(reply.kind),
            who: Shown::of(&format!("{}{place}", ends::who(&reply.author))),
            at: reply.at.for_people(zone),
            at_time: reply.at.to_string(),
            said: Said::Words { title: Shown::some(reply.title.as_ref()), text: Shown::of(&reply.text), offer },
            order: reply.at,
        }
    }

    fn of_question(record: &Record, zone: &TimeZone) -> Self {
        let question = &record.question;
        Self {
            key: format!("k-{}", question.incarnation),
            kind: match question.purpose {
                Purpose::Clarification => "Clarification",
                purpose => called(purpose).unwrap_or("Question"),
            },
            who: Shown::of(question.source.agent.as_str()),
            at: question.asked_at.for_people(zone),
            at_time: question.asked_at.to_string(),
            said: Said::Question(Asked::of(record, zone)),
            order: question.asked_at,
        }
    }
}

fn named<'a>(about: &'a [Record], id: &QuestionId) -> Option<&'a Record> {
    about.iter().find(|record| record.question.id == *id)
}

fn kind(kind: ReplyKind) -> &'static str {
    match kind {
        ReplyKind::Answer => "Answer",
        ReplyKind::Message => "Further message",
        ReplyKind::LatePick => "Late pick",
    }
}
