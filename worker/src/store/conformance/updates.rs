//! Published updates: each publication once, within the limits of its source, newest first, dismissed ones only so many.

use pager_questions::update::Mark;
use pager_questions::{Incarnation, Update, UpdateDraft};
use serde_json::json;

use super::assert_conflict;
use super::samples::{agent, job, time};
use crate::store::{
    Cursor, Job, JobKind, JobState, Limits, Place, ShownUpdates, Store, StoreError, Stored, UpdateListing, Write,
};

const WIDE: Limits = Limits::NONE;

fn key(number: u8) -> Incarnation {
    Incarnation::from_random([number; 8])
}

fn update(source: &str, number: u8, at: i64) -> Update {
    let body = json!({"title": format!("News {number} \u{202e}ü"), "body": "b", "publication_id": format!("pub-{number}")});
    UpdateDraft::read(body, &agent(source)).unwrap().publish(&key(number), time(at))
}

async fn publish(store: &dyn Store, update: &Update, limits: Limits) -> Stored<()> {
    store.commit(vec![Write::PublishUpdate { update: Box::new(update.clone()), limits }]).await
}

/// Stores it and what the owner then does with it, at this moment.
async fn stored(store: &dyn Store, update: Update, mark: Option<(Mark, i64)>) -> Update {
    publish(store, &update, WIDE).await.unwrap();
    match mark {
        None => update,
        Some((mark, at)) => marked(store, &update, mark, at).await,
    }
}

async fn marked(store: &dyn Store, update: &Update, mark: Mark, at: i64) -> Update {
    let next = update.marked(mark, time(at));
    store.commit(vec![Write::MarkUpdate { update: Box::new(next.clone()), from: update.state.name() }]).await.unwrap();
    next
}

async fn titles(store: &dyn Store, source: Option<&str>, shown: ShownUpdates) -> Vec<u8> {
    let listing = UpdateListing { source: source.map(agent), shown, limit: 1000, after: None };
    let listed = store.updates(&listing).await.unwrap();
    listed.iter().map(|listed| listed.update.title.split(' ').nth(1).unwrap().parse().unwrap()).collect()
}

fn assert_full(outcome: Stored<()>) {
    assert!(matches!(outcome, Err(StoreError::Full(_))), "{outcome:?}");
}

pub async fn an_update_is_found_by_id_and_publication_and_a_publication_is_used_once(store: &dyn Store) {
    let first = stored(store, update("deploy", 1, 10), None).await;
    assert_eq!(store.update(&first.id).await.unwrap(), Some(first.clone()));
    assert_eq!(store.published_update(&agent("deploy"), "pub-1").await.unwrap(), Some(first.clone()));
    assert_eq!(store.published_update(&agent("control/deploy"), "pub-1").await.unwrap(), None, "another source");
    let again = Update { id: update("deploy", 2, 0).id, ..first.clone() };
    assert_conflict(publish(store, &again, WIDE).await);
    assert_eq!(store.update(&again.id).await.unwrap(), None);
    let unnamed = |number: u8| Update { publication_id: None, ..update("deploy", number, 20) };
    stored(store, unnamed(3), None).await;
    stored(store, unnamed(4), None).await;
    let other = Update { id: update("x", 5, 0).id, source: update("ci", 5, 0).source, ..first };
    stored(store, other, None).await;
}

pub async fn a_mark_needs_the_state_that_it_was_made_from(store: &dyn Store) {
    let unread = stored(store, update("deploy", 1, 10), None).await;
    let read = marked(store, &unread, Mark::Read, 20).await;
    assert_eq!(store.update(&unread.id).await.unwrap(), Some(read.clone()));
    let late = Write::MarkUpdate { update: Box::new(unread.marked(Mark::Dismiss, time(30))), from: unread.state.name() };
    assert_conflict(store.commit(vec![Write::Handled { update: 1 }, late]).await);
    assert_eq!(store.update(&unread.id).await.unwrap(), Some(read));
}

pub async fn updates_are_listed_newest_first_by_source_and_by_state(store: &dyn Store) {
    stored(store, update("deploy", 1, 10), None).await;
    stored(store, update("ci", 2, 10), Some((Mark::Read, 20))).await;
    stored(store, update("deploy", 3, 10), Some((Mark::Dismiss, 20))).await;
    stored(store, update("deploy", 4, 5), None).await;
    assert_eq!(titles(store, None, ShownUpdates::All).await, [3, 2, 1, 4], "by time, then what was stored last");
    assert_eq!(titles(store, None, ShownUpdates::NotDismissed).await, [2, 1, 4]);
    assert_eq!(titles(store, None, ShownUpdates::Unread).await, [1, 4]);
    assert_eq!(titles(store, None, ShownUpdates::Read).await, [2]);
    assert_eq!(titles(store, Some("deploy"), ShownUpdates::Dismissed).await, [3]);
    assert_eq!(titles(store, Some("ci"), ShownUpdates::Dismissed).await, [0_u8; 0]);
    assert_eq!(titles(store, Some("deploy"), ShownUpdates::NotDismissed).await, [1, 4]);
    assert_eq!(store.figures().await.unwrap().unread, 2);
}

pub async fn pages_of_updates_join_without_gap_or_double(store: &dyn Store) {
    for number in 1..=9 {
        stored(store, update("deploy", number, i64::from(number / 3)), None).await;
    }
    for size in [1, 2, 9, 10] {
        let (mut joined, mut after): (Vec<String>, Option<Cursor>) = (Vec::new(), None);
        loop {
            let listing = UpdateListing { source: None, shown: ShownUpdates::All, limit: size, after };
            let page = store.updates(&listing).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.cursor.clone());
            joined.extend(page.into_iter().map(|listed| listed.update.publication_id.unwrap()));
        }
        assert_eq!(joined, (1..=9).rev().map(|number| format!("pub-{number}")).collect::<Vec<_>>(), "pages of {size}");
    }
}

pub async fn a_source_has_room_for_so_many_and_for_so_many_bytes(store: &dyn Store) {
    let two = Limits { records: 2, bytes: 0 };
    publish(store, &update("deploy", 1, 10), two).await.unwrap();
    publish(store, &update("deploy", 2, 10), two).await.unwrap();
    assert_full(publish(store, &update("deploy", 3, 10), two).await);
    publish(store, &update("ci", 4, 10), two).await.unwrap();
    let size = u32::try_from(serde_json::to_string(&update("ci", 5, 10)).unwrap().len()).unwrap();
    let both = 2 * (size + 100);
    assert_full(publish(store, &update("ci", 5, 10), Limits { records: 0, bytes: both - 1 }).await);
    publish(store, &update("ci", 5, 10), Limits { records: 0, bytes: both }).await.unwrap();
    // What is full can still be read and dismissed.
    let first = store.update(&update("deploy", 1, 10).id).await.unwrap().unwrap();
    let read = marked(store, &first, Mark::Read, 20).await;
    assert_full(publish(store, &update("deploy", 3, 10), two).await);
    assert_eq!(titles(store, Some("deploy"), ShownUpdates::All).await, [2, 1], "what was refused leaves nothing behind");
    marked(store, &read, Mark::Dismiss, 30).await;
    publish(store, &update("deploy", 3, 10), two).await.unwrap();
    assert_eq!(titles(store, Some("deploy"), ShownUpdates::All).await, [3, 2], "the dismissed one made room");
}

pub async fn only_the_newest_dismissed_of_a_source_are_kept(store: &dyn Store) {
    let old = stored(store, update("ci", 200, 1), Some((Mark::Dismiss, 1))).await;
    let unread = stored(store, update("deploy", 201, 1), None).await;
    // Dismissed last to first: what counts is when they were dismissed.
    let mut waiting = Vec::new();
    for number in 1..=34 {
        waiting.push(stored(store, update("deploy", number, i64::from(number)), None).await);
    }
    for (moment, update) in waiting.iter().rev().enumerate() {
        marked(store, update, Mark::Dismiss, 100 + i64::try_from(moment).unwrap()).await;
    }
    let kept = titles(store, Some("deploy"), ShownUpdates::Dismissed).await;
    assert_eq!(kept, (1..=32).rev().collect::<Vec<u8>>());
    for other in [&old, &unread] {
        assert!(store.update(&other.id).await.unwrap().is_some());
    }
}

pub async fn a_dismissed_update_is_kept_until_its_message_shows_it(store: &dyn Store) {
    let first = stored(store, update("deploy", 1, 1), None).await;
    let place = Place { incarnation: key(1), chat: -1001, thread: 7, message: 8 };
    let edit = Job { incarnation: Some(key(1)), kind: JobKind::EditUpdate, ..job("edit", 4, 0) };
    store.commit(vec![Write::SetPlace(place), Write::AddJob(edit)]).await.unwrap();
    marked(store, &first, Mark::Dismiss, 1).await;
    for number in 2..=33 {
        stored(store, update("deploy", number, 1), Some((Mark::Dismiss, i64::from(number)))).await;
    }
    assert!(store.update(&first.id).await.unwrap().is_some(), "it still has to be shown");
    assert_full(publish(store, &update("deploy", 50, 1), Limits { records: 1, bytes: 0 }).await);
    store.commit(vec![Write::FinishJob { job: "edit".to_owned() }]).await.unwrap();
    stored(store, update("deploy", 34, 1), Some((Mark::Dismiss, 34))).await;
    assert_eq!(store.update(&first.id).await.unwrap(), None);
    assert_eq!(store.places(&key(1)).await.unwrap(), []);
}

pub async fn what_waits_to_be_sent_and_what_is_shown_nowhere_is_told_apart(store: &dyn Store) {
    let send =
        |name: &str, number: u8, due: i64| Job { incarnation: Some(key(number)), kind: JobKind::SendUpdate, ..job(name, 5, due) };
    for number in 1..=3 {
        stored(store, update("deploy", number, 1), None).await;
    }
    stored(store, update("deploy", 4, 1), Some((Mark::Read, 2))).await;
    let done = Job { state: JobState::Failed, ..send("failed", 3, 0) };
    let topic = Place { incarnation: key(2), chat: -1001, thread: 7, message: 0 };
    let shown = Place { incarnation: key(1), message: 8, ..topic.clone() };
    let writes = vec![
        Write::AddJob(send("two", 2, 900)),
        Write::AddJob(send("one", 1, 0)),
        Write::AddJob(done),
        Write::AddJob(job("other", 0, 0)),
        Write::SetPlace(topic),
        Write::SetPlace(shown),
    ];
    store.commit(writes).await.unwrap();
    let waiting: Vec<String> = store.update_jobs().await.unwrap().into_iter().map(|job| job.id).collect();
    assert_eq!(waiting, ["two", "one"]);
    assert_eq!(store.unshown_updates().await.unwrap(), [key(2), key(3)]);
}
