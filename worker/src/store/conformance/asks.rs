//! Many questions at once, each behind its agent's token: what is refused is refused alone, for its own reason.

use futures_util::future::join_all;

use super::samples::{create, id, incarnation, job, plain, record, time, token};
use crate::store::{Job, Role, Store, StoreError, Write};

pub async fn of_many_asked_at_once_each_is_stored_or_refused_for_its_own_reason(store: &dyn Store) {
    let tokens = [token("valid", Role::Agent), token("revoked", Role::Agent)].map(Write::AddToken);
    let published = |name: &str| record(name, |question| question.publication_id = Some("p".to_owned()));
    let revoke = Write::RevokeToken { id: "revoked".to_owned(), at: time(9) };
    let before = [revoke, create(&plain("used")), create(&published("published"))];
    store.commit(tokens.into_iter().chain(before).collect()).await.unwrap();
    let lists = (0..100).map(|number| {
        let name = format!("q-{number}");
        let (by, asked) = match number {
            20 => ("valid", plain("used")),
            40 => ("revoked", plain(&name)),
            60 => ("valid", published(&name)),
            // Twice the same at once.
            80 | 81 => ("valid", plain("twice")),
            _ => ("valid", plain(&name)),
        };
        let shows = Job { incarnation: Some(asked.question.incarnation.clone()), ..job(&name, 1, 0) };
        vec![Write::RequireToken(by.to_owned()), create(&asked), Write::AddJob(shows)]
    });
    let outcomes = join_all(lists.map(|list| store.commit(list))).await;
    for (number, outcome) in outcomes.iter().enumerate() {
        match number {
            20 | 60 => assert!(matches!(outcome, Err(StoreError::Conflict)), "{number}: {outcome:?}"),
            40 => assert!(matches!(outcome, Err(StoreError::Revoked)), "{outcome:?}"),
            80 | 81 => {}
            _ => assert!(outcome.is_ok(), "{number}: {outcome:?}"),
        }
    }
    assert!(outcomes[80].is_ok() != outcomes[81].is_ok(), "{:?} {:?}", outcomes[80], outcomes[81]);
    // The two from before, 95 of the hundred, and one of the two.
    assert_eq!(store.count_open().await.unwrap(), 98);
    assert_eq!(store.record(&id("q-0")).await.unwrap(), Some(plain("q-0")));
    assert!(store.is_used(&id("q-0")).await.unwrap());
    assert!(!store.is_used(&id("q-40")).await.unwrap() && !store.is_used(&id("q-60")).await.unwrap());
    assert_eq!(store.jobs_of(&incarnation("q-0")).await.unwrap().len(), 1);
    assert_eq!(store.jobs_of(&incarnation("q-40")).await.unwrap(), []);
    assert_eq!(store.jobs_of(&incarnation("twice")).await.unwrap().len(), 1);
}
