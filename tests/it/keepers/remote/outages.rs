//! A remote that is away, from the start or later, and comes back.

use std::time::{Duration, Instant};

use pager_answers::conformance::{Surroundings, save};
use pager_answers::{KeeperError, RemoteRepository, SaveOutcome};
use pager_tests::git_http::GitHttp;

use super::place::{Place, path, settings};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_remote_that_is_down_keeps_nobody_from_starting() {
    let git = GitHttp::start();
    git.stop();
    let clones = tempfile::tempdir().unwrap();
    let began = Instant::now();
    let keeper = RemoteRepository::open(&settings(&git, &clones)).await.unwrap();
    let keeper: &dyn pager_answers::Keeper = &keeper;
    assert!(began.elapsed() < Duration::from_secs(15));
    assert!(matches!(save(keeper, "a", "1").await, SaveOutcome::Unknown { .. }));
    assert_eq!(keeper.holds(&path("a")).await, Ok(false), "nothing was ever seen, and asking goes on");
    assert!(matches!(keeper.list().await, Err(KeeperError::Unavailable { .. })));
    assert!(matches!(keeper.check().await, Err(KeeperError::Unavailable { .. })));
    git.start_again();
    assert!(matches!(save(keeper, "a", "1").await, SaveOutcome::Saved { .. }));
    let first = git.git(&["log", "--format=%s", "--reverse", "main"]);
    assert_eq!(first, "begin to keep answers\nanswer a: chosen");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_remote_is_away_ids_are_known_from_what_was_seen_last() {
    let mut place = Place::new();
    save(&*place.keeper, "a", "1").await;
    place.git.stop();
    for _ in 0..2 {
        assert_eq!(place.keeper.holds(&path("a")).await, Ok(true));
        assert_eq!(place.keeper.holds(&path("b")).await, Ok(false));
        assert!(matches!(place.keeper.read(&path("a")).await, Err(KeeperError::Unavailable { .. })));
        assert!(matches!(save(&*place.keeper, "b", "1").await, SaveOutcome::Unknown { .. }));
        // Once more by a process that has never seen the remote itself.
        place.reopen().await;
    }
    place.git.start_again();
    assert!(matches!(save(&*place.keeper, "b", "1").await, SaveOutcome::Saved { .. }));
    assert_eq!(place.commits_of("b"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_repository_and_a_missing_branch_are_begun() {
    let mut place = Place::new();
    assert_eq!(place.messages().await, ["begin to keep answers"]);
    assert!(place.file("README.md").await.is_some());
    place.git.git(&["branch", "-m", "main", "other"]);
    place.reopen().await;
    assert_eq!(place.messages().await, ["begin to keep answers"]);
    assert!(matches!(save(&*place.keeper, "a", "1").await, SaveOutcome::Saved { .. }));
}
