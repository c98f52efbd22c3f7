//! Many at once: none holds another back, and what is refused is refused alone.

use futures_util::future::join_all;

use super::samples::{change, claimed, create, id, plain, session};
use crate::store::{Store, StoreError, Write};

pub async fn many_at_once_all_land_and_a_refused_one_fails_alone(store: &dyn Store) {
    store.commit(vec![create(&plain("used"))]).await.unwrap();
    let lists = (0..300).map(|number| match number {
        // Refused by a guard, after something of its list was written.
        50 => vec![Write::Keep { name: "trace".to_owned(), value: "left".to_owned() }, create(&plain("used"))],
        // Broken: it breaks a rule of the database itself.
        150 => vec![create(&plain("broken")), Write::AddSession(session("s", "no such token", 9))],
        _ => vec![create(&plain(&format!("q-{number}")))],
    });
    let outcomes = join_all(lists.map(|list| store.commit(list))).await;
    for (number, outcome) in outcomes.iter().enumerate() {
        match number {
            50 => assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}"),
            150 => assert!(matches!(outcome, Err(StoreError::Unusable(_))), "{outcome:?}"),
            _ => assert!(outcome.is_ok(), "{number}: {outcome:?}"),
        }
    }
    assert_eq!(store.count_open().await.unwrap(), 299);
    assert_eq!(store.kept("trace").await.unwrap(), None);
    assert!(!store.is_used(&id("broken")).await.unwrap());
}

pub async fn of_two_claims_at_once_exactly_one_is_stored(store: &dyn Store) {
    for round in 0..20 {
        let open = plain(&format!("q-{round}"));
        store.commit(vec![create(&open)]).await.unwrap();
        let claims: Vec<_> = (0..10).map(|party| claimed(&open, &format!("party {party}"), 2000)).collect();
        let outcomes = join_all(claims.iter().map(|claim| store.commit(vec![change(claim, 1)]))).await;
        let won: Vec<usize> = (0..10).filter(|party| outcomes[*party].is_ok()).collect();
        assert_eq!(won.len(), 1, "{outcomes:?}");
        assert_eq!(store.record(&open.question.id).await.unwrap().as_ref(), Some(&claims[won[0]]));
    }
}
