//! The window of a source: what fits, who makes room, and what becomes of the others.

use futures_util::future::join_all;
use pager_questions::{Incarnation, Record};

use super::samples::{agent, change, claimed, id, incarnation, job, place, plain, record, saved, time, token, withdrawn};
use super::{assert_conflict, samples};
use crate::store::{Dispatch, DispatchKind, Full, Job, JobKind, JobState, Limits, Role, SPARE_BYTES, Store, StoreError, Write};

fn records(most: u32) -> Limits {
    Limits { records: most, bytes: 0 }
}

fn create(record: &Record, limits: Limits) -> Write {
    Write::Create { record: Box::new(record.clone()), fingerprint: String::new(), is_unnamed: false, limits }
}

/// Creates these of `deploy`, which has to work.
async fn ask(store: &dyn Store, names: &[&str], limits: Limits) {
    for name in names {
        store.commit(vec![create(&plain(name), limits)]).await.unwrap();
    }
}

async fn withdraw(store: &dyn Store, names: &[&str]) {
    for name in names {
        store.commit(vec![change(&withdrawn(&plain(name)), 1)]).await.unwrap();
    }
}

/// Why a new one of `deploy` does not fit.
async fn refused(store: &dyn Store, name: &str, limits: Limits) -> Full {
    match store.commit(vec![create(&plain(name), limits)]).await {
        Err(StoreError::Full(full)) => full,
        other => panic!("{other:?}"),
    }
}

/// Those beyond the window: whatever is older than nothing could be forgotten.
async fn beyond(store: &dyn Store) -> Vec<Incarnation> {
    store.forgettable(time(4_000_000_000_000), time(0), 1000).await.unwrap()
}

fn names(names: &[&str]) -> Vec<Incarnation> {
    names.iter().map(|name| incarnation(name)).collect()
}

pub async fn a_source_has_room_for_so_many_records_and_no_more(store: &dyn Store) {
    ask(store, &["a", "b", "c"], records(3)).await;
    let full = refused(store, "d", records(3)).await;
    assert!(full.is_of_records(), "{full:?}");
    assert_eq!((full.records, full.limits.records), (3, 3));
    assert!(!store.is_used(&id("d")).await.unwrap(), "what was refused uses no id up");
    assert_eq!(store.record(&id("d")).await.unwrap(), None);
    let other = record("other", |question| question.source.agent = agent("other"));
    store.commit(vec![create(&other, records(3))]).await.unwrap();
    ask(store, &["d"], records(4)).await;
    assert_eq!(store.count_open().await.unwrap(), 5);
}

pub async fn a_source_has_room_for_so_many_bytes_and_spare_ones_for_each_record(store: &dyn Store) {
    let size = |name: &str| u32::try_from(serde_json::to_string(&plain(name)).unwrap().len()).unwrap() + SPARE_BYTES;
    let most = |bytes: u32| Limits { records: 0, bytes };
    let two = size("a") + size("b");
    ask(store, &["a"], most(two - 1)).await;
    let full = refused(store, "b", most(two - 1)).await;
    assert!(!full.is_of_records(), "{full:?}");
    assert_eq!((full.bytes, full.asked), (size("a").into(), size("b").into()));
    ask(store, &["b"], most(two)).await;
    refused(store, "c", most(1)).await;
    withdraw(store, &["a"]).await;
    ask(store, &["c"], most(two)).await;
    assert_eq!(beyond(store).await, names(&["a"]));
}

pub async fn no_limit_is_no_limit(store: &dyn Store) {
    let writes = (0..300).map(|number| create(&plain(&format!("q-{number}")), Limits::NONE));
    store.commit(writes.collect()).await.unwrap();
    assert_eq!(store.count_open().await.unwrap(), 300);
}

pub async fn a_new_record_pushes_the_oldest_settled_ones_out_and_no_more_than_it_must(store: &dyn Store) {
    ask(store, &["a", "b", "c", "d"], records(4)).await;
    withdraw(store, &["c", "b"]).await;
    ask(store, &["e"], records(4)).await;
    // Both ended at the same time: the one that was asked first goes first.
    assert_eq!(beyond(store).await, names(&["b"]));
    assert_eq!(store.record(&id("b")).await.unwrap(), Some(withdrawn(&plain("b"))), "it is in the history");
    // Two are over the limit by now and one could leave: then none does.
    refused(store, "f", records(2)).await;
    assert_eq!(beyond(store).await, names(&["b"]));
    ask(store, &["f"], records(4)).await;
    assert_eq!(beyond(store).await.len(), 2);
    refused(store, "g", records(4)).await;
}

pub async fn what_something_is_still_done_about_stays(store: &dyn Store) {
    ask(store, &["a", "b"], records(2)).await;
    withdraw(store, &["a"]).await;
    let of_a = |id: &str, kind: JobKind, state: JobState| {
        Write::AddJob(Job { incarnation: Some(incarnation("a")), kind, state, ..job(id, 1, 0) })
    };
    let edit = |id: &str, state| of_a(id, JobKind::EditQuestion, state);
    let wake = Dispatch {
        id: "wake".to_owned(),
        line: "wake".to_owned(),
        kind: DispatchKind::Answered { incarnation: incarnation("a"), reason: "answered".to_owned() },
        made_at: time(0),
        due_at: time(0),
        attempts: 0,
    };
    let finish = |job: &str| Write::FinishJob { job: job.to_owned() };
    for (begins, ends) in [
        (edit("waiting", JobState::Waiting), finish("waiting")),
        (edit("tried", JobState::Attempting), finish("tried")),
        (edit("parked", JobState::Parked), finish("parked")),
        (edit("given-up", JobState::Waiting), Write::FailJob { job: "given-up".to_owned(), reason: "gone".to_owned() }),
        (Write::AddDispatch(wake), Write::FinishDispatch { id: "wake".to_owned() }),
    ] {
        store.commit(vec![begins]).await.unwrap();
        refused(store, "c", records(2)).await;
        store.commit(vec![ends]).await.unwrap();
    }
    store.commit(vec![of_a("much-later", JobKind::DeleteTopic, JobState::Waiting)]).await.unwrap();
    ask(store, &["c"], records(2)).await;
    assert_eq!(beyond(store).await, [], "its topic is still to be deleted");
    store.commit(vec![finish("much-later")]).await.unwrap();
    assert_eq!(beyond(store).await, names(&["a"]));
}

pub async fn a_used_id_is_told_before_a_full_source(store: &dyn Store) {
    let published = |name: &str| record(name, |question| question.publication_id = Some("p".to_owned()));
    store.commit(vec![create(&published("a"), records(1))]).await.unwrap();
    assert_conflict(store.commit(vec![create(&plain("a"), records(1))]).await);
    assert_conflict(store.commit(vec![create(&published("b"), records(1))]).await);
    refused(store, "b", records(1)).await;
}

pub async fn what_grows_is_never_refused(store: &dyn Store) {
    let open = plain("a");
    let bytes = u32::try_from(serde_json::to_string(&open).unwrap().len()).unwrap() + SPARE_BYTES;
    let limits = Limits { records: 1, bytes };
    store.commit(vec![create(&open, limits)]).await.unwrap();
    let answered = claimed(&open, &"long ".repeat(200), 2000);
    store.commit(vec![change(&answered, 1)]).await.unwrap();
    store.commit(vec![change(&saved(&answered), 2)]).await.unwrap();
    ask(store, &["b"], limits).await;
}

pub async fn of_many_asked_at_once_no_more_are_stored_than_fit(store: &dyn Store) {
    store.commit(vec![Write::AddToken(token("t", Role::Agent))]).await.unwrap();
    ask(store, &["settled", "pending"], records(10)).await;
    withdraw(store, &["settled"]).await;
    let lists = (0..100).map(|number| {
        // Each third is another source's, which has room for all of them.
        let asked = record(&format!("q-{number}"), |question| {
            if number % 3 == 0 {
                question.source.agent = agent("other");
            }
        });
        let limits = records(if number % 3 == 0 { 50 } else { 10 });
        vec![Write::RequireToken("t".to_owned()), create(&asked, limits)]
    });
    let outcomes = join_all(lists.map(|list| store.commit(list))).await;
    let stored = |is_other: bool| {
        let of_source = outcomes.iter().enumerate().filter(|(number, _)| (number % 3 == 0) == is_other);
        of_source.filter(|(_, outcome)| outcome.is_ok()).count()
    };
    assert_eq!((stored(true), stored(false)), (34, 9), "one was pending, and the settled one made room");
    let is_right = |outcome: &Result<(), StoreError>| matches!(outcome, Ok(()) | Err(StoreError::Full(_)));
    assert!(outcomes.iter().all(is_right), "{outcomes:?}");
    assert_eq!(beyond(store).await, names(&["settled"]));
}

pub async fn the_newest_settled_ones_stay_and_older_ones_are_history(store: &dyn Store) {
    let asked: Vec<Record> = (0..40).map(|number| plain(&format!("q-{number:02}"))).collect();
    store.commit(asked.iter().map(|record| create(record, records(256))).collect()).await.unwrap();
    let ends = asked.iter().enumerate().flat_map(|(at, open)| {
        let answered = claimed(open, "Go", 2000 + i64::try_from(at).unwrap());
        [change(&answered, 1), change(&saved(&answered), 2)]
    });
    store.commit(ends.collect()).await.unwrap();
    let oldest: Vec<Incarnation> = asked[..8].iter().map(|record| record.question.incarnation.clone()).collect();
    assert_eq!(beyond(store).await, oldest);
    // So 32 are live, and there is room for as many more.
    let limits = records(34);
    ask(store, &["a", "b"], limits).await;
    assert_eq!(beyond(store).await.len(), 8);
    ask(store, &["c"], limits).await;
    assert_eq!(beyond(store).await.len(), 9);
}

pub async fn a_forgotten_record_is_gone_and_its_id_stays_used(store: &dyn Store) {
    ask(store, &["a", "b"], records(2)).await;
    withdraw(store, &["a"]).await;
    store.commit(vec![Write::SetPlace(place("a", 7, 8))]).await.unwrap();
    let kept = |what: &str| format!("{what}:{}", incarnation("a"));
    let keep = |what| Write::Keep { name: kept(what), value: "1".to_owned() };
    store.commit(["marks", "documents", "topic-anew", "spent"].map(keep).to_vec()).await.unwrap();
    ask(store, &["c"], records(2)).await;
    let forget = || vec![Write::ForgetRecord(incarnation("a"))];
    store.commit(vec![Write::AddJob(job("j", 1, 0))]).await.unwrap();
    store.commit(forget()).await.unwrap();
    assert!(store.record(&id("a")).await.unwrap().is_some(), "something is still done about it");
    store.commit(vec![Write::FinishJob { job: "j".to_owned() }]).await.unwrap();
    store.commit(forget()).await.unwrap();
    assert_eq!(store.record(&id("a")).await.unwrap(), None);
    assert_eq!(store.record_of(&incarnation("a")).await.unwrap(), None);
    assert_eq!(store.places(&incarnation("a")).await.unwrap(), []);
    for (what, stays) in [("marks", false), ("documents", false), ("topic-anew", false), ("spent", true)] {
        assert_eq!(store.kept(&kept(what)).await.unwrap().is_some(), stays, "{what}");
    }
    assert!(store.is_used(&id("a")).await.unwrap());
    assert_conflict(store.commit(vec![create(&plain("a"), Limits::NONE)]).await);
    refused(store, "d", records(2)).await;
}

pub async fn only_what_is_old_and_beyond_the_window_is_forgotten(store: &dyn Store) {
    ask(store, &["a", "b", "c"], records(3)).await;
    withdraw(store, &["a", "b"]).await;
    ask(store, &["d"], records(3)).await;
    // `samples::withdrawn` ends at 2000.
    assert_eq!(store.forgettable(time(2000), time(0), 9).await.unwrap(), []);
    assert_eq!(store.forgettable(time(2001), time(0), 9).await.unwrap(), names(&["a"]));
    for name in ["b", "c"] {
        store.commit(vec![Write::ForgetRecord(incarnation(name))]).await.unwrap();
        assert!(store.record(&samples::id(name)).await.unwrap().is_some(), "{name} is in the window");
    }
}
