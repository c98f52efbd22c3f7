//! A list of writes is stored whole or not at all, wherever in it the guard stands that refuses.

use super::samples::{change, claimed, create, id, incarnation, job, link, place, plain, record, session, time, token, update};
use crate::store::{Role, Store, StoreError, Write};

/// What the guards below are about: a record at revision 1, a spent link, a received update, a revoked token.
async fn prepare(store: &dyn Store) {
    let published = record("used", |question| question.publication_id = Some("p".to_owned()));
    let spend = Write::SpendLoginLink { hash: "spent".to_owned() };
    let tokens = [token("revoked", Role::Owner), token("valid", Role::Owner)].map(Write::AddToken);
    let rest = [
        Write::RevokeToken { id: "revoked".to_owned(), at: time(9) },
        create(&published),
        Write::Receive(update(1, 0)),
        Write::AddLoginLink(link("spent", "valid", 99)),
        Write::AddLoginLink(link("fresh", "valid", 99)),
        spend,
    ];
    store.commit(tokens.into_iter().chain(rest).collect()).await.unwrap();
}

fn refused_guards() -> Vec<Write> {
    let again = record("other", |question| question.publication_id = Some("p".to_owned()));
    vec![
        Write::RequireToken("revoked".to_owned()),
        Write::RequireToken("unknown".to_owned()),
        create(&plain("used")),
        create(&again),
        change(&claimed(&plain("used"), "late", 5), 2),
        Write::Receive(update(1, 5)),
        Write::SpendLoginLink { hash: "spent".to_owned() },
        Write::SpendLoginLink { hash: "unknown".to_owned() },
    ]
}

/// Writes that leave a trace and guard nothing.
fn plain_writes() -> Vec<Write> {
    vec![
        Write::Keep { name: "trace".to_owned(), value: "left".to_owned() },
        Write::AddJob(job("trace", 1, 0)),
        Write::SetPlace(place("fresh", 7, 0)),
        Write::AddSession(session("trace", "valid", 99)),
    ]
}

/// The same among guards that hold.
fn mixed_writes() -> Vec<Write> {
    let guards = [
        create(&plain("fresh")),
        Write::Receive(update(2, 0)),
        Write::SpendLoginLink { hash: "fresh".to_owned() },
        Write::RequireToken("valid".to_owned()),
    ];
    plain_writes().into_iter().zip(guards).flat_map(|(write, guard)| [write, guard]).collect()
}

async fn traces(store: &dyn Store) -> Vec<&'static str> {
    let mut traces = Vec::new();
    let mut note = |is_there: bool, name| {
        if is_there {
            traces.push(name);
        }
    };
    note(store.kept("trace").await.unwrap().is_some(), "kept");
    note(store.record(&id("fresh")).await.unwrap().is_some(), "record");
    note(store.is_used(&id("fresh")).await.unwrap() || store.is_used(&id("other")).await.unwrap(), "used id");
    note(store.next_job(time(9)).await.unwrap().is_some(), "job");
    note(!store.places(&incarnation("fresh")).await.unwrap().is_empty(), "place");
    note(store.unhandled_updates(9).await.unwrap().len() != 1, "update");
    note(store.session("trace", time(0)).await.unwrap().is_some(), "session");
    note(store.login_link("fresh", time(0)).await.unwrap().is_none(), "spent link");
    traces
}

pub async fn a_refused_guard_leaves_nothing_behind_wherever_it_stands(store: &dyn Store) {
    prepare(store).await;
    for guard in refused_guards() {
        for companions in [plain_writes(), mixed_writes()] {
            for index in 0..=companions.len() {
                refuse(store, &guard, index, companions.clone()).await;
            }
        }
    }
    assert_eq!(store.record(&id("used")).await.unwrap().unwrap().revision, 1);
}

async fn refuse(store: &dyn Store, guard: &Write, index: usize, mut list: Vec<Write>) {
    list.insert(index, guard.clone());
    let outcome = store.commit(list).await;
    let is_expected = match guard {
        Write::RequireToken(_) => matches!(outcome, Err(StoreError::Revoked)),
        _ => matches!(outcome, Err(StoreError::Conflict)),
    };
    assert!(is_expected, "{guard:?} at {index}: {outcome:?}");
    assert_eq!(traces(store).await, [""; 0], "{guard:?} at {index}");
}

pub async fn guards_that_hold_let_the_whole_list_through(store: &dyn Store) {
    prepare(store).await;
    let mut list = mixed_writes();
    list.push(change(&claimed(&plain("used"), "in time", 5), 1));
    store.commit(list).await.unwrap();
    assert_eq!(traces(store).await, ["kept", "record", "used id", "job", "place", "update", "session", "spent link"]);
    assert_eq!(store.record(&id("used")).await.unwrap().unwrap().revision, 2);
}
