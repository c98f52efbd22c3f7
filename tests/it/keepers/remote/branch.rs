//! What the owner of the remote may do: rules, a branch or a repository that goes, rights that are taken away.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use pager_answers::conformance::{Surroundings, answer, save};
use pager_answers::{KeeperError, SaveOutcome};
use pager_tests::git_http::{At, Fault};

use super::place::{Place, refused};

const RULE: &str = "error: GH013: Repository rule violations found for refs/heads/main.\n\n- Changes must be made through a pull request.\n- Found hunter2 in answers/a.json\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rule_that_declines_is_told_in_its_own_words_and_without_the_answers() {
    let place = Place::new();
    place.git.refuse_pushes(RULE);
    let outcome = save(&*place.keeper, "a", r#"{"answer": "it is hunter2"}"#).await;
    let reason = refused(&outcome);
    assert!(reason.contains("GH013: Repository rule violations found"), "{reason}");
    assert!(reason.contains("Changes must be made through a pull request"), "{reason}");
    assert!(!reason.contains("hunter2"), "{reason}");
    place.git.accept_pushes();
    assert!(matches!(save(&*place.keeper, "a", "1").await, SaveOutcome::Saved { .. }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_answer_that_a_rule_declines_does_not_keep_back_the_others() {
    let place = Place::new();
    let hook = place.git.repository().join("hooks/pre-receive");
    let script = "#!/bin/sh\nread old new ref\ngit ls-tree -r --name-only $new | grep -q b.json && { echo GH013: no b >&2; exit 1; }\nexit 0\n";
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, script).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let outcomes = place.keeper.save(vec![answer("a", "1"), answer("b", "1"), answer("c", "1")]).await;
    assert!(matches!(outcomes[0], SaveOutcome::Saved { .. }), "{outcomes:?}");
    assert!(refused(&outcomes[1]).contains("GH013: no b"), "{outcomes:?}");
    assert!(matches!(outcomes[2], SaveOutcome::Saved { .. }), "{outcomes:?}");
    assert_eq!(place.keeper.list().await.unwrap(), ["a", "c"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rule_of_the_branch_refuses_a_batch_after_a_few_pushes() {
    let place = Place::new();
    place.git.refuse_pushes("error: GH006: Protected branch update failed for refs/heads/main.\n");
    let before = place.git.calls().len();
    let batch: Vec<_> = (0..16).map(|number| answer(&format!("q-{number}"), "1")).collect();
    for outcome in place.keeper.save(batch).await {
        assert!(refused(&outcome).contains("Protected branch"), "{outcome:?}");
    }
    let pushes = place.git.calls()[before..].iter().filter(|call| **call == At::Push).count();
    assert!(pushes <= 5, "the batch, its halves down to the first one, and no more: {pushes}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_branch_that_is_gone_is_refused_and_not_made_again() {
    let place = Place::new();
    save(&*place.keeper, "a", "1").await;
    place.git.delete_branch();
    assert!(refused(&save(&*place.keeper, "b", "1").await).contains("refs/heads/main"));
    assert!(refused(&save(&*place.keeper, "a", "1").await).contains("refs/heads/main"));
    assert_eq!(place.git.git(&["for-each-ref"]), "");
    assert_eq!(place.keeper.head().await, Ok(None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repository_that_is_gone_is_refused_until_it_is_back() {
    let place = Place::new();
    place.git.take_away();
    let outcome = save(&*place.keeper, "a", "1").await;
    assert!(refused(&outcome).contains("not found"), "{outcome:?}");
    assert!(matches!(place.keeper.check().await, Err(KeeperError::Refused { .. })));
    place.git.bring_back();
    assert!(matches!(save(&*place.keeper, "a", "1").await, SaveOutcome::Saved { .. }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_branch_that_was_set_back_is_seen_as_it_is() {
    let place = Place::new();
    save(&*place.keeper, "a", "1").await;
    let first = place.git.git(&["rev-parse", "main"]);
    save(&*place.keeper, "b", "1").await;
    place.git.git(&["update-ref", "refs/heads/main", &first]);
    assert!(matches!(save(&*place.keeper, "b", "1").await, SaveOutcome::Saved { .. }));
    assert_eq!(place.file("answers/b.json").await.as_deref(), Some(&b"1"[..]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_finds_a_missing_right_and_leaves_nothing_behind() {
    let place = Place::new();
    let before = place.git.git(&["for-each-ref"]);
    place.keeper.check().await.unwrap();
    place.git.add_fault(At::PushLook, Fault::Status(403));
    let refusal = place.keeper.check().await.unwrap_err();
    assert!(matches!(&refusal, KeeperError::Refused { reason } if reason.contains("403")), "{refusal}");
    place.git.add_fault(At::PushLook, Fault::Status(502));
    assert!(matches!(place.keeper.check().await, Err(KeeperError::Unavailable { .. })));
    assert_eq!(place.git.git(&["for-each-ref"]), before);
}
