//! Updates: stored before they are acknowledged, each handled once.

use super::assert_conflict;
use super::samples::{time, update};
use crate::store::{Received, Store, Write};

async fn waiting(store: &dyn Store) -> Vec<(i64, u32)> {
    store.unhandled_updates(100).await.unwrap().iter().map(|update| (update.id, update.tries)).collect()
}

pub async fn an_update_is_received_once_and_handled_in_order(store: &dyn Store) {
    for id in [12, 11, 13] {
        store.commit(vec![Write::Receive(update(id, 5))]).await.unwrap();
    }
    assert_eq!(store.unhandled_updates(1).await.unwrap(), [update(12, 5)], "as it came");
    assert_eq!(waiting(store).await, [(12, 0), (11, 0), (13, 0)], "in the order in which they came");
    store.commit(vec![Write::Handled { update: 12 }]).await.unwrap();
    assert_eq!(waiting(store).await, [(11, 0), (13, 0)]);
    for id in [11, 12] {
        assert_conflict(store.commit(vec![Write::Receive(update(id, 6))]).await);
    }
    assert_eq!(waiting(store).await, [(11, 0), (13, 0)], "received again, handled or not, it comes once");
}

pub async fn what_cannot_be_handled_is_counted_and_set_aside(store: &dyn Store) {
    store.commit(vec![Write::Receive(update(1, 0)), Write::Receive(update(2, 0))]).await.unwrap();
    store.commit(vec![Write::Poison { update: 1, tries: 1, aside: false }]).await.unwrap();
    assert_eq!(waiting(store).await, [(1, 1), (2, 0)]);
    store.commit(vec![Write::Poison { update: 1, tries: 2, aside: true }]).await.unwrap();
    assert_eq!(waiting(store).await, [(2, 0)]);
    assert_conflict(store.commit(vec![Write::Receive(update(1, 9))]).await);
}

pub async fn only_old_handled_updates_are_forgotten(store: &dyn Store) {
    for (id, received_at) in [(1, 10), (2, 20), (3, 10), (4, 10)] {
        store.commit(vec![Write::Receive(update(id, received_at))]).await.unwrap();
    }
    let handled = [1, 2].map(|update| Write::Handled { update });
    let aside = Write::Poison { update: 4, tries: 3, aside: true };
    store.commit(handled.into_iter().chain([aside, Write::ForgetUpdates { before: time(20) }]).collect()).await.unwrap();
    assert_eq!(waiting(store).await, [(3, 0)], "what was not handled stays");
    for id in [2, 4] {
        assert_conflict(store.commit(vec![Write::Receive(update(id, 30))]).await);
    }
    store.commit(vec![Write::Receive(update(1, 30))]).await.unwrap();
}

pub async fn updates_are_found_by_words_in_them_handled_or_not(store: &dyn Store) {
    let with = |id: i64, body: &str, received_at: i64| {
        let update = Received { body: body.to_owned(), ..update(id, received_at) };
        Write::Receive(update)
    };
    let list =
        vec![with(2, "{\"a\":\"pick 100%_\"}", 10), with(1, "{\"a\":\"pick 1000\"}", 20), with(3, "{\"a\":\"PICK 100%\"}", 30)];
    store.commit(list).await.unwrap();
    store.commit(vec![Write::Handled { update: 2 }]).await.unwrap();
    let found = async |words: &str, since: i64| {
        let updates = store.updates_with(words, time(since)).await.unwrap();
        updates.iter().map(|update| update.id).collect::<Vec<_>>()
    };
    assert_eq!(found("pick 100", 0).await, [2, 1], "in the order in which they came");
    assert_eq!(found("100%", 0).await, [2, 3], "no character stands for another");
    assert_eq!(found("pick", 11).await, [1]);
    assert_eq!(found("pick", 10).await, [2, 1], "the moment itself counts");
    assert_eq!(found("nowhere", 0).await, [0; 0]);
}
