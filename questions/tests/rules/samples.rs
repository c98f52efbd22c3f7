//! Questions, parties and records in each state, for every file of these tests.

use pager_questions::apply::Resolution;
use pager_questions::{
    Author, By, Event, Incarnation, OptionId, Purpose, Question, QuestionId, QuestionOption, Record, SigningKey, Source, Time,
    Via, apply,
};

/// When the sample question was asked.
pub fn asked_at() -> Time {
    Time::parse("2026-11-30T13:22:15.004Z").unwrap()
}

/// When it is answered.
pub fn later() -> Time {
    Time::parse("2026-11-30T13:25:03.120Z").unwrap()
}

pub fn key() -> SigningKey {
    SigningKey::from_seed([7; 32])
}

pub fn agent() -> Author {
    Author::parse("deploy").unwrap()
}

pub fn owner() -> By {
    By::telegram(4242)
}

pub fn asking_agent() -> By {
    By::agent("deploy", Via::Http)
}

pub fn option_id(id: &str) -> OptionId {
    OptionId::parse(id).unwrap()
}

/// The question of the specification's own example.
pub fn question() -> Question {
    let option = |id: &str, label: &str| QuestionOption { id: option_id(id), label: label.to_owned(), detail: None };
    Question {
        id: QuestionId::parse("rel-42").unwrap(),
        incarnation: Incarnation::parse("9f3c2a715be04d18").unwrap(),
        purpose: Purpose::Question,
        text: "Release 2.4 now?".to_owned(),
        options: vec![option("1", "Yes, release"), option("2", "No")],
        recommended: None,
        multi: false,
        header: None,
        group: None,
        reversibility: None,
        waiting_on: None,
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
        source: Source { agent: agent(), run: None, task: None, project: None, seat_hint: None },
        wake: None,
        publication_id: None,
        asked_at: asked_at(),
    }
}

pub fn claim(resolution: Resolution, origin: Option<&str>) -> Event {
    Event::Claim { resolution, by: owner(), origin: origin.map(str::to_owned), said_at: None }
}

/// The owner picks the first option.
pub fn choose() -> Event {
    claim(Resolution::Chosen(vec![option_id("1")]), None)
}

/// What the keeper's success is to this record, signed as the file is.
pub fn saved(record: &Record) -> Event {
    let claim = claim_of(record);
    let signature = claim.answer.signed(&key()).signature.unwrap();
    Event::Saved { claim: claim.number, signature, commit: "c0ffee".to_owned() }
}

fn file_of(record: &Record) -> Event {
    let answering = after(record, choose());
    let answer = Box::new(claim_of(&answering).answer.signed(&key()));
    Event::Found { answer, commit: "c0ffee".to_owned() }
}

/// The repository turns out to have an answer to the sample question.
pub fn found() -> Event {
    file_of(&open())
}

/// The repository has an answer under the same id, to a record that the store lost.
pub fn found_of_another_record() -> Event {
    file_of(&Record::asked(Question { incarnation: Incarnation::from_random([1; 8]), ..question() }))
}

/// The claim that is under way.
pub fn claim_of(record: &Record) -> &pager_questions::Claim {
    match &record.state {
        pager_questions::State::Answering(claim) => claim,
        other => panic!("nothing is being saved: {other:?}"),
    }
}

/// The record after the event.
pub fn after(record: &Record, event: Event) -> Record {
    apply(record, event, later()).unwrap().0
}

pub fn open() -> Record {
    Record::asked(question())
}

pub fn answering() -> Record {
    after(&open(), choose())
}

pub fn uncertain() -> Record {
    after(&answering(), Event::Uncertain { claim: 2, reason: "no reply".to_owned() })
}

pub fn refused() -> Record {
    after(&answering(), Event::Refused { claim: 2, reason: "a rule forbids it".to_owned() })
}

/// Ended by this resolution.
pub fn ended(resolution: Resolution) -> Record {
    let answering = after(&open(), claim(resolution, None));
    let event = saved(&answering);
    after(&answering, event)
}

pub fn id_taken() -> Record {
    after(&answering(), Event::Taken { claim: 2 })
}

pub fn withdrawn() -> Record {
    after(&open(), Event::Withdraw { by: asking_agent(), reason: Some("solved".to_owned()) })
}
