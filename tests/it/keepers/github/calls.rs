//! What the keeper asks of GitHub: little, and nothing while nobody asks it.

use pager_answers::Keeper;
use pager_answers::conformance::{answer, save};

use super::place::{Place, REPOSITORY, path, saved};

#[tokio::test]
async fn while_nothing_changes_looking_costs_no_quota() {
    let place = Place::with_token_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    assert_eq!(place.keeper.holds(&path("a")).await, Ok(true));
    let (spent, calls) = (place.hub.spent_by(&place.token), place.hub.calls().len());
    for _ in 0..20 {
        assert_eq!(place.keeper.holds(&path("b")).await, Ok(false));
        assert_eq!(place.keeper.list().await.unwrap(), ["a"]);
        assert_eq!(place.keeper.live().await.unwrap(), ["a"]);
        assert_eq!(place.keeper.head().await, Ok(Some(place.head())));
    }
    assert_eq!(place.hub.spent_by(&place.token), spent);
    assert_eq!(place.hub.calls().len(), calls + 80);
}

#[tokio::test]
async fn whoever_looks_at_the_same_time_shares_one_look() {
    let place = Place::with_token_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    place.hub.set_pause(50);
    let before = place.hub.calls().len();
    let holding: Vec<_> = (0..50)
        .map(|_| {
            let keeper = place.keeper.clone();
            tokio::spawn(async move { keeper.holds(&path("a")).await })
        })
        .collect();
    for held in holding {
        assert_eq!(held.await.unwrap(), Ok(true));
    }
    let looks = place.hub.calls().len() - before;
    assert!(looks <= 3, "{looks} looks");
}

#[tokio::test]
async fn a_save_costs_two_calls_whatever_was_saved_before() {
    let place = Place::with_token_unpaced();
    for part in 0..60 {
        place.commit(&path(&format!("old-{part}")).archived(), "1");
    }
    saved(&save(&*place.keeper, "a", "1").await);
    for number in 0..5 {
        let before = place.hub.calls().len();
        saved(&save(&*place.keeper, &format!("q-{number}"), "1").await);
        let calls = place.hub.calls().split_off(before);
        let methods: Vec<_> = calls.iter().map(|call| call.method.as_str()).collect();
        assert_eq!(methods, ["GET", "PUT"]);
    }
}

#[tokio::test]
async fn a_change_of_one_folder_reads_that_folder_alone() {
    let place = Place::with_token_unpaced();
    for part in 0..60 {
        place.commit(&path(&format!("old-{part}")).archived(), "1");
    }
    assert_eq!(place.keeper.list().await.unwrap().len(), 60);
    place.commit("notes/1.txt", "theirs");
    let before = place.hub.calls().len();
    assert_eq!(place.keeper.list().await.unwrap().len(), 60);
    let unrelated = place.hub.calls().len() - before;
    assert_eq!(unrelated, 3, "head, commit, top folder");
    place.commit(&path("new").archived(), "1");
    let before = place.hub.calls().len();
    assert_eq!(place.keeper.list().await.unwrap().len(), 61);
    assert_eq!(place.hub.calls().len() - before, unrelated + 2, "and the archive with one of its folders");
}

#[tokio::test]
async fn neither_author_nor_committer_is_sent_and_slashes_are_encoded() {
    let place = Place::with_token_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    saved(&place.keeper.save(vec![answer("b", "1"), answer("c", "1")]).await[0]);
    assert_eq!(place.keeper.archive(vec![path("a")]).await, Ok(()));
    for call in place.hub.calls() {
        assert!(call.body.get("author").is_none() && call.body.get("committer").is_none(), "{call:?}");
        assert!(call.body.get("sha").is_none() || call.path.contains("/git/refs/"), "create only: {call:?}");
    }
    assert_eq!(place.hub.violations(), Vec::<String>::new());
    let log = place.hub.git(REPOSITORY, &["log", "--format=%s", "main"]);
    assert!(log.starts_with("archive 1 answers\nanswer 2 questions\nanswer a: chosen\n"), "{log}");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_saved_as_they_are() {
    let place = Place::with_token_unpaced();
    let mut odd = answer("a", "");
    odd.bytes = vec![0xff, 0, 0xfe];
    let outcomes = place.keeper.save(vec![odd.clone(), answer("b", "1")]).await;
    assert_eq!(saved(&outcomes[0]), saved(&outcomes[1]));
    assert_eq!(place.answer("a"), Some(odd.bytes.clone()));
    assert_eq!(place.keeper.read(&path("a")).await, Ok(Some(odd.bytes)));
}

#[tokio::test]
async fn a_check_leaves_nothing_on_the_branch() {
    let place = Place::with_token_unpaced();
    let head = place.head();
    assert_eq!(place.keeper.check().await, Ok(()));
    assert_eq!((place.head(), place.hub.git(REPOSITORY, &["for-each-ref"]).lines().count()), (head, 1));
}
