//! Records: names, publications, revisions.

use pager_questions::{Record, Time};

use super::assert_conflict;
use super::samples::{self, agent, change, claimed, create, id, incarnation, plain, record, saved, withdrawn};
use crate::store::{Limits, Store, Write};

pub async fn a_record_is_found_by_each_of_its_names(store: &dyn Store) {
    let asked = record("a", |question| question.publication_id = Some("p-1".to_owned()));
    store.commit(vec![create(&asked)]).await.unwrap();
    assert_eq!(store.record(&id("a")).await.unwrap(), Some(asked.clone()));
    assert_eq!(store.record_of(&incarnation("a")).await.unwrap(), Some(asked.clone()));
    assert_eq!(store.published(&agent("deploy"), "p-1").await.unwrap(), Some(asked));
    assert_eq!(store.record(&id("b")).await.unwrap(), None);
    assert_eq!(store.record_of(&incarnation("b")).await.unwrap(), None);
    assert_eq!(store.published(&agent("deploy"), "p-2").await.unwrap(), None);
    assert_eq!(store.published(&agent("other"), "p-1").await.unwrap(), None, "another agent's publication");
}

pub async fn an_id_is_used_once_and_for_ever(store: &dyn Store) {
    assert!(!store.is_used(&id("a")).await.unwrap());
    let first = plain("a");
    store.commit(vec![create(&first)]).await.unwrap();
    let second = record("a", |question| {
        question.incarnation = incarnation("another");
        question.source.agent = agent("other");
    });
    assert_conflict(store.commit(vec![create(&second)]).await);
    store.commit(vec![change(&withdrawn(&first), 1)]).await.unwrap();
    assert_conflict(store.commit(vec![create(&second)]).await);
    assert!(store.is_used(&id("a")).await.unwrap());
    assert_eq!(store.record(&id("a")).await.unwrap(), Some(withdrawn(&first)));
    assert_eq!(store.record_of(&incarnation("another")).await.unwrap(), None);
}

pub async fn a_publication_is_used_once_by_each_agent(store: &dyn Store) {
    let published = |name: &str, by: &str| {
        record(name, |question| {
            question.publication_id = Some("p-1".to_owned());
            question.source.agent = agent(by);
        })
    };
    store.commit(vec![create(&published("a", "deploy"))]).await.unwrap();
    assert_conflict(store.commit(vec![create(&published("b", "deploy"))]).await);
    assert!(!store.is_used(&id("b")).await.unwrap(), "an id is not used up by what was refused");
    store.commit(vec![create(&published("b", "other"))]).await.unwrap();
    store.commit(vec![create(&plain("c")), create(&plain("d"))]).await.unwrap();
}

pub async fn a_change_needs_the_revision_it_was_made_from(store: &dyn Store) {
    let open = plain("a");
    store.commit(vec![create(&open)]).await.unwrap();
    let (first, second) = (claimed(&open, "first", 2000), claimed(&open, "second", 2000));
    store.commit(vec![change(&first, 1)]).await.unwrap();
    assert_conflict(store.commit(vec![change(&second, 1)]).await);
    assert_conflict(store.commit(vec![change(&second, 3)]).await);
    assert_conflict(store.commit(vec![change(&claimed(&plain("nobody"), "x", 1), 1)]).await);
    assert_eq!(store.record(&id("a")).await.unwrap(), Some(first.clone()));
    store.commit(vec![change(&saved(&first), 2)]).await.unwrap();
    assert_eq!(store.record(&id("a")).await.unwrap(), Some(saved(&first)));
}

pub async fn an_identical_draft_is_found_while_it_is_pending(store: &dyn Store) {
    let write = |record: &Record, fingerprint: &str| Write::Create {
        record: Box::new(record.clone()),
        fingerprint: fingerprint.to_owned(),
        is_unnamed: true,
        limits: Limits::NONE,
    };
    let (a, b) = (plain("a"), plain("b"));
    store.commit(vec![write(&a, "same"), write(&b, "other")]).await.unwrap();
    let pending = async |fingerprint: &str| store.pending_like(&agent("deploy"), fingerprint).await.unwrap();
    assert_eq!(pending("same").await, Some(a.clone()));
    assert_conflict(store.commit(vec![write(&plain("b2"), "other")]).await);
    assert!(!store.is_used(&id("b2")).await.unwrap(), "what is refused leaves nothing behind");
    assert_eq!(pending("unknown").await, None);
    assert_eq!(store.pending_like(&agent("other"), "same").await.unwrap(), None, "another agent's draft");
    let claimed = claimed(&a, "words", 2000);
    store.commit(vec![change(&claimed, 1)]).await.unwrap();
    assert_eq!(pending("same").await, Some(claimed.clone()));
    store.commit(vec![change(&saved(&claimed), 2), change(&withdrawn(&b), 1)]).await.unwrap();
    assert_eq!(pending("same").await, None);
    assert_eq!(pending("other").await, None);
    let again = plain("c");
    store.commit(vec![write(&again, "same")]).await.unwrap();
    assert_eq!(pending("same").await, Some(again));
}

pub async fn records_are_found_by_how_far_their_answer_is(store: &dyn Store) {
    let all = ["a", "b", "c", "d"].map(plain);
    store.commit(all.iter().map(create).collect()).await.unwrap();
    assert_eq!(store.count_open().await.unwrap(), 4);
    let [a, b, c, d] = all;
    let (b, c, d) = (claimed(&b, "b", 3000), claimed(&c, "c", 2500), withdrawn(&d));
    store.commit(vec![change(&c, 1), change(&b, 1), change(&d, 1)]).await.unwrap();
    assert_eq!(store.answering().await.unwrap(), [b.clone(), c.clone()], "oldest question first");
    assert_eq!(store.count_open().await.unwrap(), 1);
    let ended = async |since: i64| store.ended_since(Time::from_millis(since)).await.unwrap();
    assert_eq!(ended(0).await, std::slice::from_ref(&d), "an answer that is being saved is no end");
    let (b, c) = (saved(&b), saved(&c));
    store.commit(vec![change(&b, 2), change(&c, 2)]).await.unwrap();
    assert_eq!(ended(0).await, [d, c.clone(), b.clone()], "oldest end first");
    assert_eq!(ended(2500).await, [c.clone(), b.clone()], "the moment itself counts");
    assert_eq!(ended(2501).await, std::slice::from_ref(&b));
    assert_eq!(store.recently_ended(2).await.unwrap(), [b, c], "newest end first");
    assert_eq!(ended(3001).await, []);
    assert_eq!(store.answering().await.unwrap(), []);
    assert_eq!(store.record(&samples::id("a")).await.unwrap(), Some(a));
}

pub async fn of_several_those_that_ended_tell_when(store: &dyn Store) {
    let records: Vec<Record> = ["saved", "withdrawn", "claimed", "open"].map(plain).into();
    store.commit(records.iter().map(create).collect()).await.unwrap();
    let first = claimed(&records[0], "x", 2000);
    let second = claimed(&records[2], "x", 3000);
    store.commit(vec![change(&first, 1), change(&withdrawn(&records[1]), 1), change(&second, 1)]).await.unwrap();
    store.commit(vec![change(&saved(&first), 2)]).await.unwrap();
    let ids = ["saved", "withdrawn", "claimed", "open", "nobody"].map(id);
    let mut ended = store.ended_at(&ids).await.unwrap();
    ended.sort();
    let withdrawn_at = withdrawn(&records[1]).ended_at().unwrap();
    assert_eq!(ended, [(id("saved"), samples::time(2000)), (id("withdrawn"), withdrawn_at)]);
    assert_eq!(store.ended_at(&ids[2..]).await.unwrap(), []);
    assert_eq!(store.ended_at(&[]).await.unwrap(), []);
}
