//! Tokens, sessions, login links, and what pagerd keeps for itself.

use super::assert_conflict;
use super::samples::{link, session, time, token};
use crate::store::{Role, Store, Token, Write};

fn revoke(id: &str, at: i64) -> Write {
    Write::RevokeToken { id: id.to_owned(), at: time(at) }
}

pub async fn a_revoked_token_is_listed_and_no_longer_found(store: &dyn Store) {
    let one = token("one", Role::Owner);
    let two = Token { project: Some("website".to_owned()), ..token("two", Role::Agent) };
    store.commit(vec![Write::AddToken(two.clone()), Write::AddToken(one.clone())]).await.unwrap();
    assert_eq!(store.token("hash of one").await.unwrap(), Some(one.clone()));
    assert_eq!(store.token_by_id("two").await.unwrap(), Some(two.clone()));
    assert_eq!(store.token("one").await.unwrap(), None, "an id is no secret");
    assert_eq!(store.tokens().await.unwrap(), [one.clone(), two.clone()]);
    store.commit(vec![revoke("one", 50), revoke("one", 60)]).await.unwrap();
    assert_eq!(store.token("hash of one").await.unwrap(), None);
    assert_eq!(store.token_by_id("one").await.unwrap(), None);
    let revoked = Token { revoked_at: Some(time(50)), ..one };
    assert_eq!(store.tokens().await.unwrap(), [revoked, two], "revoked once, at the first time");
}

pub async fn a_session_ends_by_time_by_logout_and_with_its_token(store: &dyn Store) {
    let add = |hash: &str, token: &str| Write::AddSession(session(hash, token, 100));
    store.commit(vec![Write::AddToken(token("one", Role::Owner)), Write::AddToken(token("two", Role::Owner))]).await.unwrap();
    store.commit(vec![add("a", "one"), add("b", "one"), add("c", "two")]).await.unwrap();
    let is_valid = async |hash: &str, now: i64| store.session(hash, time(now)).await.unwrap().is_some();
    assert_eq!(store.session("a", time(99)).await.unwrap(), Some(session("a", "one", 100)));
    assert!(!is_valid("a", 100).await, "over at its very time");
    assert!(!is_valid("unknown", 0).await);
    store.commit(vec![Write::EndSession { hash: "a".to_owned() }]).await.unwrap();
    assert!(!is_valid("a", 0).await);
    assert!(is_valid("b", 0).await);
    store.commit(vec![revoke("one", 50)]).await.unwrap();
    assert!(!is_valid("b", 0).await, "its token was revoked");
    assert!(is_valid("c", 0).await);
    store.commit(vec![Write::ForgetLogins { before: time(99) }]).await.unwrap();
    assert!(is_valid("c", 0).await, "not over yet");
    store.commit(vec![Write::ForgetLogins { before: time(100) }]).await.unwrap();
    assert!(!is_valid("c", 0).await, "over and forgotten");
}

pub async fn a_login_link_works_once_and_not_too_late(store: &dyn Store) {
    let add = |hash: &str, token: &str| Write::AddLoginLink(link(hash, token, 100));
    store.commit(vec![Write::AddToken(token("one", Role::Owner)), Write::AddToken(token("two", Role::Owner))]).await.unwrap();
    store.commit(vec![add("a", "one"), add("b", "two")]).await.unwrap();
    let is_valid = async |hash: &str, now: i64| store.login_link(hash, time(now)).await.unwrap().is_some();
    assert_eq!(store.login_link("a", time(99)).await.unwrap(), Some(link("a", "one", 100)));
    assert!(!is_valid("a", 100).await, "over at its very time");
    assert!(!is_valid("unknown", 0).await);
    let spend = || vec![Write::SpendLoginLink { hash: "a".to_owned() }];
    store.commit(spend()).await.unwrap();
    assert_conflict(store.commit(spend()).await);
    assert!(!is_valid("a", 0).await);
    store.commit(vec![revoke("two", 50)]).await.unwrap();
    assert!(!is_valid("b", 0).await, "its token was revoked");
}

pub async fn what_is_kept_is_replaced(store: &dyn Store) {
    let keep = |value: &str| Write::Keep { name: "offset".to_owned(), value: value.to_owned() };
    assert_eq!(store.kept("offset").await.unwrap(), None);
    store.commit(vec![keep("1"), keep("2")]).await.unwrap();
    assert_eq!(store.kept("offset").await.unwrap().as_deref(), Some("2"));
}

pub async fn what_is_kept_of_messages_is_forgotten_in_time_and_nothing_else(store: &dyn Store) {
    let keep = |name: &str| Write::Keep { name: name.to_owned(), value: "1".to_owned() };
    let names = ["text:-1001:7", "text:-1001:8", "tex", "textual", "spent:q-1"];
    let left = async || {
        let mut left = Vec::new();
        for name in names {
            left.extend(store.kept(name).await.unwrap().map(|_| name));
        }
        left
    };
    store.commit(names.map(keep).to_vec()).await.unwrap();
    let forget = |before| vec![Write::ForgetKept { prefix: "text:", before }];
    store.commit(forget(crate::clock::now().plus_millis(-3_600_000))).await.unwrap();
    assert_eq!(left().await, names, "they are young");
    store.commit(forget(crate::clock::now().plus_millis(3_600_000))).await.unwrap();
    assert_eq!(left().await, names[2..]);
}
