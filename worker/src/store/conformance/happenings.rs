//! The log of what happened: each change tells itself once, in order, together with what it changed.

use futures_util::future::join_all;
use pager_questions::{Delivery, DeliveryState, Record};

use super::assert_conflict;
use super::samples::{agent, asked, change, claimed, create, plain, record, saved, time, withdrawn};
use crate::store::{Happened, Happening, HappeningKind, Mark, Store, Subject, Write};

async fn told(store: &dyn Store) -> Vec<(String, &'static str)> {
    named(&store.happened_after(0, 1000).await.unwrap())
}

fn named(happened: &[Happened]) -> Vec<(String, &'static str)> {
    let id = |happened: &Happened| match &happened.subject {
        Some(Subject::Question(record)) => record.question.id.to_string(),
        Some(Subject::Update(update)) => update.id.to_string(),
        Some(Subject::Request(request)) => request.id.to_string(),
        Some(Subject::Reply(reply)) => reply.id.to_string(),
        None => "nothing".to_owned(),
    };
    happened.iter().map(|happened| (id(happened), happened.kind.as_str())).collect()
}

fn delivered(record: &Record, reason: &str) -> Record {
    let delivery = Delivery { state: DeliveryState::Uncertain, reason: Some(reason.to_owned()), link: None };
    Record { delivery, revision: record.revision + 1, ..record.clone() }
}

pub async fn each_change_tells_itself_in_order_with_the_record_as_it_is(store: &dyn Store) {
    let first = plain("a");
    store.commit(vec![create(&first)]).await.unwrap();
    let shown = delivered(&first, "no \"reply\"\n\u{1f44d} ü \u{202e}");
    store.commit(vec![change(&shown, 1)]).await.unwrap();
    let unattended = Record { unattended_since: Some(time(9)), revision: 3, ..shown.clone() };
    store.commit(vec![change(&unattended, 2), create(&plain("b"))]).await.unwrap();
    let claimed = claimed(&unattended, "words", 2000);
    store.commit(vec![change(&claimed, 3)]).await.unwrap();
    let ended = saved(&claimed);
    store.commit(vec![change(&ended, 4)]).await.unwrap();
    let told_after = delivered(&ended, "its topic is gone");
    store.commit(vec![change(&told_after, 5)]).await.unwrap();
    store.commit(vec![change(&withdrawn(&plain("b")), 1)]).await.unwrap();
    let expected = [
        ("a", "question.asked"),
        ("a", "question.delivery"),
        ("a", "question.changed"),
        ("b", "question.asked"),
        ("a", "question.answering"),
        ("a", "question.ended"),
        ("a", "answer.shown"),
        ("a", "question.delivery"),
        ("b", "question.ended"),
    ];
    assert_eq!(told(store).await, expected.map(|(id, kind)| (id.to_owned(), kind)));
    let happened = store.happened_after(0, 1000).await.unwrap();
    assert_eq!(happened[0].agent, Some(agent("deploy")));
    assert_eq!(happened[0].subject, Some(Subject::Question(Box::new(told_after))), "the record is as it is by now");
    let numbers: Vec<i64> = happened.iter().map(|happened| happened.mark.number).collect();
    assert_eq!(numbers, (1..=9).collect::<Vec<i64>>());
    assert_eq!((happened[0].mark.at, happened[1].mark.at), (1000, 3000), "the times are the caller's");
}

pub async fn what_is_refused_tells_nothing(store: &dyn Store) {
    let first = plain("a");
    store.commit(vec![create(&first)]).await.unwrap();
    assert_conflict(store.commit(vec![create(&plain("a"))]).await);
    assert_conflict(store.commit(vec![create(&plain("b")), create(&plain("a"))]).await);
    assert_conflict(store.commit(vec![change(&withdrawn(&first), 7)]).await);
    store.commit(vec![change(&withdrawn(&first), 1)]).await.unwrap();
    assert_conflict(store.commit(vec![change(&claimed(&first, "late", 5), 1)]).await);
    let expected = [("a", "question.asked"), ("a", "question.ended")];
    assert_eq!(told(store).await, expected.map(|(id, kind)| (id.to_owned(), kind)));
}

pub async fn of_many_at_once_each_tells_itself_once(store: &dyn Store) {
    let records: Vec<Record> = (0..300).map(|number| asked(&format!("q-{number}"), number, false)).collect();
    for outcome in join_all(records.iter().map(|record| store.commit(vec![create(record)]))).await {
        outcome.unwrap();
    }
    let mut ids: Vec<String> = told(store).await.into_iter().map(|(id, _)| id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 300);
    assert_eq!(store.last_happened().await.unwrap().number, 300);
}

pub async fn pages_of_what_happened_join_and_the_end_is_empty(store: &dyn Store) {
    assert_eq!(store.last_happened().await.unwrap(), Mark::default());
    assert_eq!(store.happened_after(0, 10).await.unwrap(), []);
    for name in ["a", "b", "c"] {
        store.commit(vec![create(&plain(name))]).await.unwrap();
    }
    let first = store.happened_after(0, 2).await.unwrap();
    let second = store.happened_after(first[1].mark.number, 2).await.unwrap();
    assert_eq!((first.len(), second.len()), (2, 1));
    assert_eq!(second[0].mark, store.last_happened().await.unwrap());
    assert_eq!(store.happened_after(second[0].mark.number, 2).await.unwrap(), []);
}

pub async fn what_happened_to_something_else_is_told_by_whoever_stores_it(store: &dyn Store) {
    let happening =
        Happening { kind: HappeningKind::Published, agent: Some(agent("deploy")), about: "u-1".to_owned(), at: time(7) };
    store.commit(vec![create(&plain("a")), Write::Tell(happening.clone())]).await.unwrap();
    // Nothing of a list that is refused is told.
    assert_conflict(store.commit(vec![Write::Tell(happening), create(&plain("a"))]).await);
    let happened = store.happened_after(0, 10).await.unwrap();
    assert_eq!(named(&happened), [("a".to_owned(), "question.asked"), ("nothing".to_owned(), "update.published")]);
    assert_eq!((happened[1].mark, &happened[1].agent), (Mark { number: 2, at: 7 }, &Some(agent("deploy"))));
}

pub async fn a_place_is_known_until_what_follows_it_was_forgotten(store: &dyn Store) {
    let beginning = Mark::default();
    assert!(store.remembers(beginning).await.unwrap());
    for at in 1..=20 {
        store.commit(vec![create(&asked(&format!("q-{at}"), at * 100, false))]).await.unwrap();
    }
    let mark = |number: i64| Mark { number, at: number * 100 };
    for known in [beginning, mark(1), mark(20)] {
        assert!(store.remembers(known).await.unwrap(), "{known:?}");
    }
    let of_another_store = Mark { number: 20, at: 7 };
    for unknown in [of_another_store, mark(21), Mark { number: 0, at: 7 }] {
        assert!(!store.remembers(unknown).await.unwrap(), "{unknown:?}");
    }
    let forget = |before: i64, keep: u32, most: u32| vec![Write::ForgetHappenings { before: time(before), keep, most }];
    // At most three at a time; then what is old enough; then all but the newest.
    store.commit(forget(1000, 0, 3)).await.unwrap();
    assert!(!store.remembers(beginning).await.unwrap() && !store.remembers(mark(3)).await.unwrap());
    assert!(store.remembers(mark(4)).await.unwrap());
    store.commit(forget(1000, 0, 100)).await.unwrap();
    assert!(!store.remembers(mark(9)).await.unwrap() && store.remembers(mark(10)).await.unwrap());
    store.commit(forget(9000, 5, 100)).await.unwrap();
    assert!(!store.remembers(mark(15)).await.unwrap() && store.remembers(mark(16)).await.unwrap());
    // Numbers are never used again.
    store.commit(forget(9000, 0, 100)).await.unwrap();
    assert_eq!(store.happened_after(0, 10).await.unwrap(), []);
    store.commit(vec![create(&plain("next"))]).await.unwrap();
    assert_eq!(store.last_happened().await.unwrap().number, 21);
    assert!(!store.remembers(beginning).await.unwrap());
}

pub async fn whoever_listens_is_told_after_the_commit_and_of_nothing_else(store: &dyn Store) {
    let mut news = store.news();
    store.commit(vec![Write::Keep { name: "n".to_owned(), value: "v".to_owned() }]).await.unwrap();
    store.commit(vec![create(&record("taken", |_| {}))]).await.unwrap();
    assert!(news.has_changed().unwrap());
    let count = *news.borrow_and_update();
    assert_conflict(store.commit(vec![create(&plain("taken"))]).await);
    store.commit(vec![Write::ForgetHappenings { before: time(1), keep: 9, most: 9 }]).await.unwrap();
    assert!(!news.has_changed().unwrap());
    assert_eq!(count, 1);
}
