//! Answers on a git remote: the keeper against the real `git http-backend`, and the real pagerd with it.

mod branch;
mod clones;
mod faults;
mod kills;
mod outages;
mod place;
mod secrets;
mod service;

use pager_answers::SaveOutcome;
use pager_answers::conformance::{self, Surroundings, save};
use pager_tests::git_http::{At, Fault};

use place::{Place, path};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_git_remote_passes_the_conformance_suite() {
    conformance::all(Place::new).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_save_is_one_push_and_nothing_else() {
    let place = Place::new();
    save(&*place.keeper, "a", "1").await;
    let before = place.git.calls().len();
    save(&*place.keeper, "b", "1").await;
    assert_eq!(place.git.calls()[before..], [At::PushLook, At::Push]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_who_ask_for_an_id_at_once_share_looks_at_the_remote() {
    let place = Place::new();
    save(&*place.keeper, "a", "1").await;
    let before = place.git.calls().len();
    let (a, b) = (path("a"), path("b"));
    let asked = (0..20).map(|number| place.keeper.holds(if number % 2 == 0 { &a } else { &b }));
    let answers = futures_util::future::join_all(asked).await;
    assert!(answers.iter().enumerate().all(|(number, holds)| *holds == Ok(number % 2 == 0)), "{answers:?}");
    let looks = place.git.calls()[before..].iter().filter(|at| **at == At::FetchLook).count();
    assert!(looks <= 2, "{looks} looks for 20 who asked at the same time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn answers_that_wait_for_a_push_go_together_into_the_next_one() {
    let place = Place::new();
    let before = place.messages().await.len();
    let calls = place.git.calls().len();
    place.git.add_fault(At::Push, Fault::Hang);
    let one = place.saving("first", "1");
    place.until_called(calls, At::Push).await;
    let others: Vec<_> = (0..20).map(|number| place.saving(&format!("q-{number}"), "1")).collect();
    place.git.release();
    for saving in std::iter::once(one).chain(others) {
        let outcome = saving.await.unwrap();
        assert!(matches!(outcome, SaveOutcome::Saved { .. }), "{outcome:?}");
    }
    let commits = place.messages().await.len() - before;
    assert!(commits <= 3, "{commits} commits for 21 answers");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bare_repository_on_a_mounted_disk_is_a_remote_too() {
    let place = Place::new();
    let url = format!("git+file:{}", place.git.repository().display());
    let keeper = place.another(&url, place::Patience::default()).await;
    keeper.check().await.unwrap();
    assert!(matches!(save(&*keeper, "a", "1").await, SaveOutcome::Saved { .. }));
    assert_eq!(place.file("answers/a.json").await.as_deref(), Some(&b"1"[..]));
}
