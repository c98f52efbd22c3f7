//! Lists: their orders, their filters, and pages that join.

use pager_questions::{Incarnation, Record};

use super::samples::{agent, asked, change, claimed, create, record, time, withdrawn};
use crate::store::{Cursor, Listed, Listing, Store};

fn names(list: &[Listed]) -> Vec<&str> {
    list.iter().map(|listed| listed.record.question.id.as_str()).collect()
}

async fn create_all(store: &dyn Store, records: &[Record]) {
    store.commit(records.iter().map(create).collect()).await.unwrap();
}

pub async fn the_open_list_is_hard_first_then_oldest(store: &dyn Store) {
    let records = [
        asked("soft-late", 30, false),
        asked("hard-late", 40, true),
        asked("soft-early", 10, false),
        asked("hard-early", 20, true),
        asked("gone", 5, true),
        asked("claimed", 6, false),
    ];
    create_all(store, &records).await;
    store.commit(vec![change(&withdrawn(&records[4]), 1), change(&claimed(&records[5], "x", 7), 1)]).await.unwrap();
    let list = store.open(10, None).await.unwrap();
    assert_eq!(names(&list), ["hard-early", "hard-late", "soft-early", "soft-late"]);
    assert_eq!(list[0].record, records[3]);
    assert_eq!(names(&store.open(2, None).await.unwrap()), ["hard-early", "hard-late"]);
    assert_eq!(store.count_open().await.unwrap(), 4);
}

pub async fn pages_of_the_open_list_join_without_gap_or_double(store: &dyn Store) {
    // Many share a time, so that the place in a list is more than the time.
    let records: Vec<Record> = (0..23).map(|n| asked(&format!("q-{n}"), (n % 3).into(), n % 2 == 0)).collect();
    create_all(store, &records).await;
    let whole = store.open(100, None).await.unwrap();
    assert_eq!(whole.len(), 23);
    for size in [1, 4, 23, 24] {
        let (mut joined, mut after): (Vec<Listed>, Option<Cursor>) = (Vec::new(), None);
        loop {
            let page = store.open(size, after).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.cursor.clone());
            joined.extend(page);
        }
        assert_eq!(names(&joined), names(&whole), "pages of {size}");
    }
}

fn listing(limit: u32) -> Listing {
    Listing { agent: None, state: None, limit, after: None }
}

pub async fn the_newest_come_first_and_filters_hold(store: &dyn Store) {
    let other = record("other", |question| {
        question.source.agent = agent("other");
        question.asked_at = time(25);
    });
    let records = [asked("a", 10, true), asked("b", 30, false), other, asked("c", 20, false)];
    create_all(store, &records).await;
    store.commit(vec![change(&withdrawn(&records[3]), 1)]).await.unwrap();
    let newest = async |listing: Listing| names(&store.newest(&listing).await.unwrap()).join(" ");
    assert_eq!(newest(listing(10)).await, "b other c a");
    assert_eq!(newest(listing(2)).await, "b other");
    let by = |name: &str| Some(agent(name));
    assert_eq!(newest(Listing { agent: by("deploy"), ..listing(10) }).await, "b c a");
    assert_eq!(newest(Listing { agent: by("other"), ..listing(10) }).await, "other");
    assert_eq!(newest(Listing { agent: by("nobody"), ..listing(10) }).await, "");
    let state = |name: &str| Some(name.to_owned());
    assert_eq!(newest(Listing { state: state("withdrawn"), ..listing(10) }).await, "c");
    assert_eq!(newest(Listing { state: state("open"), ..listing(10) }).await, "b other a");
    assert_eq!(newest(Listing { agent: by("deploy"), state: state("open"), ..listing(10) }).await, "b a");
    assert_eq!(newest(Listing { state: state("' OR 1=1 --"), ..listing(10) }).await, "");
}

pub async fn pages_of_the_newest_join_without_gap_or_double(store: &dyn Store) {
    let records: Vec<Record> = (0..17).map(|n| asked(&format!("q-{n}"), (n % 2).into(), n % 5 == 0)).collect();
    create_all(store, &records).await;
    for by in [None, Some(agent("deploy"))] {
        let whole = store.newest(&Listing { agent: by.clone(), ..listing(100) }).await.unwrap();
        assert_eq!(whole.len(), 17);
        let (mut joined, mut after): (Vec<Listed>, Option<Cursor>) = (Vec::new(), None);
        loop {
            let page = store.newest(&Listing { agent: by.clone(), after, ..listing(3) }).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.cursor.clone());
            joined.extend(page);
        }
        assert_eq!(names(&joined), names(&whole));
    }
}

pub async fn a_key_finds_pending_ones_first_and_nothing_that_only_sorts_near_it(store: &dyn Store) {
    let with =
        |name: &str, incarnation: &str| record(name, |question| question.incarnation = Incarnation::parse(incarnation).unwrap());
    let records = [
        with("open", "abc1230000000000"),
        with("gone", "abc123ffffffffff"),
        with("below", "abc122ffffffffff"),
        with("above", "abc1240000000000"),
        with("claimed", "abc1239999999999"),
    ];
    create_all(store, &records).await;
    store.commit(vec![change(&withdrawn(&records[1]), 1), change(&claimed(&records[4], "x", 7), 1)]).await.unwrap();
    let found = async |key: &str, limit: u32| {
        let found = store.with_key(key, limit).await.unwrap();
        found.iter().map(|record| record.question.id.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found("abc123", 9).await, "claimed open gone");
    assert_eq!(found("abc123", 1).await, "claimed");
    assert_eq!(found("abc123f", 9).await, "gone");
    assert_eq!(found("abc1230000000000", 9).await, "open", "the whole is a key, too");
    assert_eq!(found("dddd", 9).await, "");
    assert_eq!(found("%", 9).await, "");
}
