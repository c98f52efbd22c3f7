//! Events of the control repository: each once, together with what it changes.

use pager_questions::EventId;

use super::assert_conflict;
use super::samples::{agent, create, id, plain, time};
use crate::store::{EarlyWithdrawal, HandledEvent, Store, Write};

fn event_id(name: &str) -> EventId {
    EventId::parse(&format!("event-{name}")).unwrap()
}

fn handled(name: &str, at: i64) -> HandledEvent {
    let (digest, reply) = (format!("digest of {name}"), format!("{{\"event\":\"{name}\"}}"));
    HandledEvent { id: event_id(name), digest, status: 201, reply, at: time(at) }
}

fn handle(name: &str, at: i64) -> Write {
    Write::HandleEvent(Box::new(handled(name, at)))
}

fn use_proof(proof: &str, event: &str) -> Write {
    Write::UseProof { proof: proof.to_owned(), event: event_id(event), at: time(5) }
}

fn early(author: &str, sent_at: i64, reason: &str) -> EarlyWithdrawal {
    let (author, reason) = (agent(author), Some(reason.to_owned()));
    EarlyWithdrawal { author, question: id("rel-1"), sent_at: time(sent_at), reason, at: time(sent_at + 1) }
}

fn remember(early: EarlyWithdrawal) -> Write {
    Write::RememberWithdrawal(Box::new(early))
}

pub async fn an_event_is_handled_once_and_its_reply_kept(store: &dyn Store) {
    assert_eq!(store.control_event(&event_id("one")).await.unwrap(), None);
    store.commit(vec![handle("one", 5), create(&plain("a"))]).await.unwrap();
    assert_eq!(store.control_event(&event_id("one")).await.unwrap(), Some(handled("one", 5)));
    assert_conflict(store.commit(vec![handle("one", 6), create(&plain("b"))]).await);
    assert_eq!(store.record(&id("b")).await.unwrap(), None);
    // And the other way round: what is refused for another reason is not handled.
    assert_conflict(store.commit(vec![create(&plain("a")), handle("two", 6)]).await);
    assert_eq!(store.control_event(&event_id("two")).await.unwrap(), None);
}

pub async fn a_proof_counts_once_and_tells_for_which_event(store: &dyn Store) {
    store.commit(vec![handle("one", 5), use_proof("jti:1", "one")]).await.unwrap();
    assert_eq!(store.control_proof("jti:1").await.unwrap(), Some(event_id("one")));
    assert_eq!(store.control_proof("jti:2").await.unwrap(), None);
    assert_conflict(store.commit(vec![handle("two", 5), use_proof("jti:1", "two")]).await);
    assert_eq!(store.control_event(&event_id("two")).await.unwrap(), None);
    assert_eq!(store.control_proof("jti:1").await.unwrap(), Some(event_id("one")));
}

pub async fn of_early_withdrawals_the_one_that_was_sent_last_is_remembered(store: &dyn Store) {
    let found = async |author: &str, since: i64| store.early_withdrawal(&agent(author), &id("rel-1"), time(since)).await.unwrap();
    assert_eq!(found("control", 0).await, None);
    store.commit(vec![remember(early("control", 10, "first"))]).await.unwrap();
    store.commit(vec![remember(early("control", 20, "last")), remember(early("control", 15, "between"))]).await.unwrap();
    assert_eq!(found("control", 21).await, Some(early("control", 20, "last")));
    assert_eq!(found("control", 22).await, None, "it came before");
    assert_eq!(found("control/ci", 0).await, None, "another author");
}

pub async fn what_is_old_is_forgotten(store: &dyn Store) {
    let writes = vec![
        handle("old", 4),
        handle("new", 5),
        use_proof("jti:1", "new"),
        use_proof("body:1", "new"),
        remember(early("control", 10, "why")),
    ];
    store.commit(writes).await.unwrap();
    let forget = |before: i64, early: i64| Write::ForgetEvents { before: time(before), withdrawals_before: time(early) };
    store.commit(vec![forget(5, 11)]).await.unwrap();
    assert_eq!(store.control_event(&event_id("old")).await.unwrap(), None);
    assert!(store.control_event(&event_id("new")).await.unwrap().is_some());
    assert!(store.control_proof("jti:1").await.unwrap().is_some());
    assert!(store.early_withdrawal(&agent("control"), &id("rel-1"), time(0)).await.unwrap().is_some());
    store.commit(vec![forget(6, 12)]).await.unwrap();
    assert_eq!(store.control_event(&event_id("new")).await.unwrap(), None);
    assert_eq!(store.control_proof("jti:1").await.unwrap(), None);
    assert!(store.control_proof("body:1").await.unwrap().is_some(), "what GitHub signed for an App holds for ever");
    assert_eq!(store.early_withdrawal(&agent("control"), &id("rel-1"), time(0)).await.unwrap(), None);
}
