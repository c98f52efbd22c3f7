//! Idempotency keys: bound to what they were used for, with the claim, until it is refused.

use pager_questions::{Event, State, apply};

use super::assert_conflict;
use super::samples::{change, claimed, create, incarnation, plain, saved, time};
use crate::store::{Store, StoreError, UsedKey, Write};

fn used(actor: &str, question: &str, digest: &str) -> UsedKey {
    UsedKey {
        actor: actor.to_owned(),
        key: "k".to_owned(),
        incarnation: incarnation(question),
        kind: "answer".to_owned(),
        digest: digest.to_owned(),
        at: time(5000),
    }
}

fn use_key(key: &UsedKey) -> Write {
    Write::UseKey(Box::new(key.clone()))
}

pub async fn a_key_is_used_once_by_each_actor_and_tells_what_for(store: &dyn Store) {
    assert_eq!(store.used_key("token:olga", "k").await.unwrap(), None);
    let (first, other) = (used("token:olga", "a", "d1"), used("token:otto", "b", "d2"));
    store.commit(vec![use_key(&first), use_key(&other)]).await.unwrap();
    for key in [used("token:olga", "a", "d1"), used("token:olga", "c", "d3")] {
        assert!(matches!(store.commit(vec![use_key(&key)]).await, Err(StoreError::KeyUsed)));
    }
    assert_eq!(store.used_key("token:olga", "k").await.unwrap(), Some(first));
    assert_eq!(store.used_key("token:otto", "k").await.unwrap(), Some(other));
    assert_eq!(store.used_key("token:olga", "K").await.unwrap(), None);
}

pub async fn a_key_is_stored_with_the_claim_or_not_at_all(store: &dyn Store) {
    let (a, b) = (plain("a"), plain("b"));
    store.commit(vec![create(&a), create(&b)]).await.unwrap();
    let key = used("token:olga", "a", "d1");
    assert_conflict(store.commit(vec![change(&claimed(&a, "x", 2000), 7), use_key(&key)]).await);
    assert_eq!(store.used_key("token:olga", "k").await.unwrap(), None);
    store.commit(vec![change(&claimed(&a, "x", 2000), 1), use_key(&key)]).await.unwrap();
    let again = store.commit(vec![change(&claimed(&b, "x", 2000), 1), use_key(&used("token:olga", "b", "d2"))]).await;
    assert!(matches!(again, Err(StoreError::KeyUsed)), "{again:?}");
    assert_eq!(store.record_of(&incarnation("b")).await.unwrap(), Some(b), "nothing of a refused list stays");
}

pub async fn a_refused_claim_frees_its_key(store: &dyn Store) {
    let (a, b) = (plain("a"), plain("b"));
    let (of_a, of_b) = (claimed(&a, "x", 2000), claimed(&b, "x", 2000));
    store.commit(vec![create(&a), create(&b)]).await.unwrap();
    store.commit(vec![change(&of_a, 1), use_key(&used("token:olga", "a", "d1"))]).await.unwrap();
    store.commit(vec![change(&of_b, 1), use_key(&used("token:otto", "b", "d2"))]).await.unwrap();
    let State::Answering(claim) = &of_a.state else { panic!("it is claimed") };
    let refused = Event::Refused { claim: claim.number, reason: "no".to_owned() };
    store.commit(vec![change(&apply(&of_a, refused, time(3000)).unwrap().0, 2)]).await.unwrap();
    store.commit(vec![change(&saved(&of_b), 2)]).await.unwrap();
    assert_eq!(store.used_key("token:olga", "k").await.unwrap(), None);
    assert!(store.used_key("token:otto", "k").await.unwrap().is_some(), "a saved claim keeps its key");
}

pub async fn old_keys_are_forgotten(store: &dyn Store) {
    store.commit(vec![use_key(&used("token:olga", "a", "d1"))]).await.unwrap();
    store.commit(vec![Write::ForgetKeys { before: time(5000) }]).await.unwrap();
    assert!(store.used_key("token:olga", "k").await.unwrap().is_some());
    store.commit(vec![Write::ForgetKeys { before: time(5001) }]).await.unwrap();
    assert_eq!(store.used_key("token:olga", "k").await.unwrap(), None);
}
