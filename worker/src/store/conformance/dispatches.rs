//! Events for the control repository: kept until they are taken, in the order of their line, and beside the calls to Telegram.

use pager_questions::RequestId;

use super::samples::{job, time};
use crate::store::{Dispatch, DispatchKind, Store, Write};

fn dispatch(id: &str, line: &str, made_at: i64) -> Dispatch {
    let kind = DispatchKind::Text {
        request: RequestId::parse(&format!("r-{id}")).unwrap(),
        reply: None,
        chat: Some(-1001),
        topic: None,
        message: Some(7),
        link: None,
    };
    Dispatch { id: id.to_owned(), line: line.to_owned(), kind, made_at: time(made_at), due_at: time(made_at), attempts: 0 }
}

async fn add(store: &dyn Store, dispatches: &[Dispatch]) {
    store.commit(dispatches.iter().cloned().map(Write::AddDispatch).collect()).await.unwrap();
}

async fn next(store: &dyn Store, now: i64) -> Option<String> {
    store.next_dispatch(time(now)).await.unwrap().map(|dispatch| dispatch.id)
}

fn retry(id: &str, due_at: i64, attempts: u32) -> Write {
    Write::RetryDispatch { id: id.to_owned(), due_at: time(due_at), attempts }
}

fn finish(id: &str) -> Write {
    Write::FinishDispatch { id: id.to_owned() }
}

pub async fn events_of_one_line_keep_their_order_and_hold_up_no_other_line(store: &dyn Store) {
    add(store, &[dispatch("one", "a", 10), dispatch("two", "a", 10), dispatch("other", "b", 10)]).await;
    assert_eq!(next(store, 10).await.as_deref(), Some("one"));
    store.commit(vec![retry("one", 100, 1)]).await.unwrap();
    assert_eq!(next(store, 50).await.as_deref(), Some("other"), "two waits for one");
    store.commit(vec![finish("other")]).await.unwrap();
    assert_eq!((next(store, 50).await, store.next_dispatch_due().await.unwrap()), (None, Some(time(100))));
    assert_eq!(next(store, 100).await.as_deref(), Some("one"));
    store.commit(vec![finish("one")]).await.unwrap();
    assert_eq!(next(store, 100).await.as_deref(), Some("two"));
    let aside = Write::SetAsideDispatch { id: "two".to_owned(), due_at: time(200), attempts: 1 };
    add(store, &[dispatch("three", "a", 10)]).await;
    store.commit(vec![aside]).await.unwrap();
    assert_eq!(next(store, 200).await.as_deref(), Some("two"), "it is still there");
    assert_eq!(next(store, 100).await.as_deref(), Some("three"), "three waits for nobody");
    assert_eq!(store.next_dispatch(time(200)).await.unwrap().unwrap().line, "two", "in a line of its own");
}

pub async fn an_event_reads_back_whole_and_a_replay_changes_nothing(store: &dyn Store) {
    let added = dispatch("one", "a", 10);
    add(store, std::slice::from_ref(&added)).await;
    assert_eq!(store.next_dispatch(time(10)).await.unwrap(), Some(added.clone()));
    assert_eq!(store.next_dispatch(time(9)).await.unwrap(), None);
    store.commit(vec![retry("one", 30, 2)]).await.unwrap();
    add(store, &[dispatch("one", "b", 0)]).await;
    let tried = Dispatch { due_at: time(30), attempts: 2, ..added };
    assert_eq!(store.next_dispatch(time(30)).await.unwrap(), Some(tried));
}

pub async fn an_event_that_was_given_up_is_counted_and_holds_nothing_up(store: &dyn Store) {
    add(store, &[dispatch("one", "a", 10), dispatch("two", "a", 20)]).await;
    let fail = Write::FailDispatch { id: "one".to_owned(), reason: "GitHub answered 422".to_owned() };
    store.commit(vec![fail]).await.unwrap();
    assert_eq!(next(store, 20).await.as_deref(), Some("two"));
    let figures = store.figures().await.unwrap();
    let counted = |state: &str| ("pager-text".to_owned(), state.to_owned(), 1);
    assert_eq!(figures.dispatches, [counted("failed"), counted("waiting")]);
    assert_eq!(figures.oldest_dispatch, Some(time(20)));
    add(store, &[dispatch("one", "a", 10)]).await;
    assert_eq!(next(store, 20).await.as_deref(), Some("two"), "a replay does not revive it");
}

pub async fn events_and_calls_to_telegram_know_nothing_of_each_other(store: &dyn Store) {
    add(store, &[dispatch("one", "a", 0)]).await;
    store.commit(vec![Write::AddJob(job("one", 1, 0)), Write::ForgetChat]).await.unwrap();
    assert!(store.next_job(time(9)).await.unwrap().is_none());
    assert_eq!(next(store, 9).await.as_deref(), Some("one"), "another chat changes nothing about it");
}
