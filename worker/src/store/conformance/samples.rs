//! Records and everything else that is stored, for the checks.

use std::hash::{DefaultHasher, Hash, Hasher};

use pager_questions::apply::Resolution;
use pager_questions::{
    Author, By, Event, Incarnation, OptionId, Purpose, Question, QuestionId, QuestionOption, Record, Reversibility, Source,
    State, Time, apply,
};

use crate::store::{Job, JobKind, JobState, Limits, LoginLink, Place, Received, Role, Session, Token, Write};

pub fn time(millis: i64) -> Time {
    Time::from_millis(millis)
}

pub fn agent(name: &str) -> Author {
    Author::parse(name).unwrap()
}

pub fn id(id: &str) -> QuestionId {
    QuestionId::parse(id).unwrap()
}

/// The incarnation of the sample with this id; always the same one.
pub fn incarnation(id: &str) -> Incarnation {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    Incarnation::from_random(hasher.finish().to_be_bytes())
}

/// A question of `deploy`, asked at 1000, with what the caller changes in it.
pub fn record(name: &str, change: impl FnOnce(&mut Question)) -> Record {
    let option =
        |id: &str, label: &str| QuestionOption { id: OptionId::parse(id).unwrap(), label: label.to_owned(), detail: None };
    let mut question = Question {
        id: id(name),
        incarnation: incarnation(name),
        purpose: Purpose::Question,
        text: format!("Shall {name} go on? \u{202e}ü"),
        options: vec![option("1", "Yes"), option("2", "No")],
        recommended: None,
        multi: false,
        header: None,
        group: None,
        reversibility: None,
        waiting_on: Some("the release".to_owned()),
        deadline: None,
        default: None,
        gate: None,
        subject: None,
        digest: None,
        steps: Vec::new(),
        secret: false,
        issue: None,
        about: None,
        put_to: None,
        source: Source { agent: agent("deploy"), run: None, task: None, project: None, seat_hint: None },
        wake: None,
        publication_id: None,
        asked_at: time(1000),
    };
    change(&mut question);
    Record::asked(question)
}

pub fn plain(name: &str) -> Record {
    record(name, |_| {})
}

pub fn asked(name: &str, at: i64, is_hard: bool) -> Record {
    record(name, |question| {
        question.asked_at = time(at);
        question.reversibility = is_hard.then_some(Reversibility::HardToReverse);
    })
}

pub fn create(record: &Record) -> Write {
    Write::Create {
        record: Box::new(record.clone()),
        fingerprint: format!("fingerprint of {}", record.question.source.agent),
        is_unnamed: false,
        limits: Limits::NONE,
    }
}

pub fn change(next: &Record, from: u64) -> Write {
    Write::Change { record: Box::new(next.clone()), from, at: time(3000) }
}

pub fn claimed(record: &Record, words: &str, at: i64) -> Record {
    let resolution = Resolution::OwnWords(words.to_owned());
    apply(record, Event::Claim { resolution, by: By::telegram(1), origin: None, said_at: None }, time(at)).unwrap().0
}

pub fn saved(record: &Record) -> Record {
    let State::Answering(claim) = &record.state else { panic!("nothing is being saved") };
    let event = Event::Saved { claim: claim.number, signature: "ed25519:AAAA".to_owned(), commit: "c0ffee".to_owned() };
    apply(record, event, time(0)).unwrap().0
}

pub fn withdrawn(record: &Record) -> Record {
    let by = By::agent("deploy", pager_questions::Via::Http);
    apply(record, Event::Withdraw { by, reason: None }, time(2000)).unwrap().0
}

pub fn job(name: &str, class: i64, due_at: i64) -> Job {
    Job {
        id: name.to_owned(),
        incarnation: Some(incarnation("a")),
        kind: JobKind::Reply { thread: Some(7), to: None, text: format!("{name} \u{1f44d}") },
        class,
        state: JobState::Waiting,
        due_at: time(due_at),
        attempts: 0,
    }
}

pub fn place(question: &str, thread: i64, message: i64) -> Place {
    Place { incarnation: incarnation(question), chat: -1001, thread, message }
}

pub fn update(id: i64, received_at: i64) -> Received {
    Received { id, received_at: time(received_at), body: format!("{{\"update_id\":{id}}}"), tries: 0 }
}

pub fn token(id: &str, role: Role) -> Token {
    Token {
        id: id.to_owned(),
        name: "desk".to_owned(),
        role,
        hash: format!("hash of {id}"),
        created_at: time(5),
        revoked_at: None,
        project: None,
    }
}

pub fn session(hash: &str, token: &str, expires_at: i64) -> Session {
    Session {
        hash: hash.to_owned(),
        token: token.to_owned(),
        name: "desk".to_owned(),
        csrf: "form".to_owned(),
        expires_at: time(expires_at),
    }
}

pub fn link(hash: &str, token: &str, expires_at: i64) -> LoginLink {
    LoginLink { hash: hash.to_owned(), token: token.to_owned(), expires_at: time(expires_at) }
}
