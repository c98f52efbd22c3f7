//! What happened as bytes of the stream. Made once, for all who listen.

use axum::body::Bytes;
use pager_questions::{AnswerShown, Author, RecordView};
use serde::Serialize;

use super::position;
use crate::store::{Happened, HappeningKind, Mark, Subject};

/// One event.
#[derive(Debug)]
pub struct Frame {
    /// Its place in the log.
    pub mark: Mark,
    /// Whose question, update or request it is about; None for an owner's.
    pub agent: Option<Author>,
    /// The other agent that hears of it: the one that settles the question, when it is asked and when it has ended.
    pub settles: Option<Author>,
    /// What is sent; empty when there is nothing to tell any more.
    pub bytes: Bytes,
}

impl Frame {
    /// Of what happened, with the record as it was read.
    pub fn of(happened: &Happened) -> Self {
        let id = position::write(happened.mark);
        let data = match &happened.subject {
            None => None,
            Some(Subject::Question(record)) if happened.kind == HappeningKind::Shown => {
                AnswerShown::of(record, id.clone()).map(|shown| line(&shown))
            }
            Some(Subject::Question(record)) => Some(line(&RecordView::from(record.as_ref()))),
            Some(Subject::Update(update)) => Some(line(update)),
            Some(Subject::Request(request)) => Some(line(request)),
            Some(Subject::Reply(reply)) => Some(line(reply)),
        };
        let text = data.map(|data| format!("id: {id}\nevent: {}\ndata: {data}\n\n", happened.kind.as_str()));
        let (agent, settles) = (happened.agent.clone(), settles(happened));
        Self { mark: happened.mark, agent, settles, bytes: text.unwrap_or_default().into() }
    }
}

/// The agent that a question is put to. What lies between asking and the end is its asker's business.
fn settles(happened: &Happened) -> Option<Author> {
    match (happened.kind, &happened.subject) {
        (HappeningKind::Asked | HappeningKind::Ended, Some(Subject::Question(record))) => record.question.put_to.clone(),
        _ => None,
    }
}

/// The first thing on a stream: how soon to come back after a break, and where this begins.
pub fn beginning(mark: Mark) -> Bytes {
    format!("retry: 1000\nid: {}\n\n", position::write(mark)).into()
}

/// The first thing on a stream that cannot go on where the client was.
pub fn reset(mark: Mark) -> Bytes {
    let told = Reset {
        detail: "What happened since then is not remembered here. Read the lists anew; what follows happens from now on.",
    };
    format!("retry: 1000\nid: {}\nevent: stream.reset\ndata: {}\n\n", position::write(mark), line(&told)).into()
}

/// Keeps the connection open, and takes along how far the client is when what passed was not for it.
pub fn beat(passed: Option<Mark>) -> Bytes {
    match passed {
        None => Bytes::from_static(b": still here\n\n"),
        Some(mark) => format!(": still here\nid: {}\n\n", position::write(mark)).into(),
    }
}

#[derive(Serialize)]
struct Reset {
    detail: &'static str,
}

/// JSON escapes line breaks, so it is one line.
fn line(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("what is shown is plain JSON")
}
