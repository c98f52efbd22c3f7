//! Private answers: which wait for their agents, until those confirm.

use super::samples::incarnation;
use crate::store::{Store, Write};

pub async fn a_private_answer_waits_until_it_is_confirmed(store: &dyn Store) {
    let (one, two) = (incarnation("one"), incarnation("two"));
    let wait = [&one, &two, &one].map(|waits| Write::AwaitPrivate(waits.clone()));
    store.commit(wait.to_vec()).await.unwrap();
    let mut both = vec![one.clone(), two.clone()];
    both.sort();
    assert_eq!(store.private_answers().await.unwrap(), both);
    store.commit(vec![Write::ConfirmPrivate(one.clone()), Write::ConfirmPrivate(one.clone())]).await.unwrap();
    assert!(!store.is_private_awaited(&one).await.unwrap());
    assert!(store.is_private_awaited(&two).await.unwrap());
    assert_eq!(store.private_answers().await.unwrap(), [two]);
}
