//! What GitHub refuses for good is told in its own words, with what to do and without the answer's.

use pager_answers::conformance::{answer, save};
use pager_answers::{Keeper, KeeperError, SaveOutcome};
use pager_tests::fake_github::{Fault, Rights};

use super::place::{Place, REPOSITORY, path, refused, saved, unknown};

const WORDS: &str = "the owner's own words";

#[tokio::test]
async fn each_refusal_names_its_cause_and_never_the_words() {
    let cases = [
        (Fault::RuleViolation {}, "Changes must be made through a pull request."),
        (Fault::SecretFound {}, "Secret detected in content"),
        (Fault::Gone {}, "answers.url"),
        (Fault::status(404, "Branch main not found"), "Branch main not found"),
        (Fault::status(403, "Resource not accessible by personal access token"), "Contents: read and write"),
        (Fault::status(401, "Bad credentials"), "github.token"),
        (Fault::status(422, "Validation Failed"), "Validation Failed"),
        (Fault::status(451, "Repository access blocked"), "access blocked"),
    ];
    for (fault, cause) in cases {
        let place = Place::with_token_unpaced();
        save(&*place.keeper, "warm", "1").await;
        let writes = place.writes();
        place.hub.fault("PUT", "*/contents/*", fault.clone());
        let outcome = save(&*place.keeper, "a", WORDS).await;
        let reason = refused(&outcome);
        assert!(reason.contains(cause) && !reason.contains(WORDS) && !reason.contains(&place.token), "{fault:?}: {reason}");
        assert_eq!(place.writes(), writes + 1, "it is not tried again");
        assert_eq!(place.answer("a"), None);
        saved(&save(&*place.keeper, "a", WORDS).await);
    }
}

#[tokio::test]
async fn not_authorised_to_push_is_believed_after_a_few_tries() {
    let place = Place::with_token_unpaced();
    place.hub.fault("PUT", "*/contents/*", Fault::NotAuthorizedToPush {});
    saved(&save(&*place.keeper, "a", "1").await);
    place.hub.faults("PUT", "*/contents/*", Fault::NotAuthorizedToPush {}, 100);
    let before = place.writes();
    let outcome = save(&*place.keeper, "b", "1").await;
    assert!(refused(&outcome).contains("not authorized to push"), "{outcome:?}");
    assert_eq!(place.writes() - before, 3);
}

#[tokio::test]
async fn one_answer_that_looks_like_a_secret_does_not_hold_up_the_others() {
    let place = Place::with_token_unpaced();
    // The batch, its second half, and then the one alone.
    place.hub.faults("POST", "*/git/trees", Fault::SecretFound {}, 2);
    place.hub.fault("PUT", "*/contents/answers/c.json", Fault::SecretFound {});
    let outcomes = place.keeper.save(["a", "b", "c"].map(|id| answer(id, "1")).to_vec()).await;
    saved(&outcomes[0]);
    saved(&outcomes[1]);
    assert!(refused(&outcomes[2]).contains("Secret detected"), "{outcomes:?}");
    assert_eq!((place.answer("b").as_deref(), place.answer("c")), (Some(&b"1"[..]), None));
    place.is_sound();
}

#[tokio::test]
async fn behind_an_answer_that_is_not_decided_nothing_is_written() {
    let place = Place::with_token_unpaced();
    place.hub.fault("POST", "*/git/trees", Fault::SecretFound {});
    place.hub.fault("PUT", "*/contents/answers/a.json", Fault::bad_gateway());
    let outcomes = place.keeper.save(["a", "b"].map(|id| answer(id, "1")).to_vec()).await;
    unknown(&outcomes[0]);
    unknown(&outcomes[1]);
    assert_eq!(place.answer("b"), None);
    for outcome in place.keeper.save(["a", "b"].map(|id| answer(id, "1")).to_vec()).await {
        saved(&outcome);
    }
}

#[tokio::test]
async fn a_refusal_that_quotes_the_answer_is_told_without_it() {
    let place = Place::with_token_unpaced();
    place.hub.fault("PUT", "*/contents/*", Fault::status(409, "Secret detected in content: hunter2"));
    let outcome = save(&*place.keeper, "a", r#"{"answer": "it is hunter2"}"#).await;
    let reason = refused(&outcome);
    assert!(reason.contains("Secret detected") && !reason.contains("hunter2"), "{reason}");
}

#[tokio::test]
async fn a_rule_of_the_branch_refuses_the_whole_batch_at_once() {
    let place = Place::with_token_unpaced();
    save(&*place.keeper, "warm", "1").await;
    let before = place.writes();
    place.hub.fault("PATCH", "*/git/refs/*", Fault::RuleViolation {});
    let outcomes = place.keeper.save(["a", "b", "c"].map(|id| answer(id, "1")).to_vec()).await;
    for outcome in &outcomes {
        assert!(refused(outcome).contains("pull request"), "{outcomes:?}");
    }
    assert_eq!(place.writes() - before, 3, "tree, commit, branch, and no more");
}

#[tokio::test]
async fn a_right_that_is_taken_away_refuses_and_comes_back_without_a_restart() {
    let place = Place::with_token_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    place.hub.set_rights(&place.token, REPOSITORY, Some(Rights::read()));
    let outcome = save(&*place.keeper, "b", "1").await;
    assert!(refused(&outcome).contains("contents=write"), "{outcome:?}");
    assert_eq!(place.keeper.holds(&path("a")).await, Ok(true), "reading still goes");
    assert!(matches!(place.keeper.check().await, Err(KeeperError::Refused { .. })));
    place.hub.set_rights(&place.token, REPOSITORY, Some(Rights::write()));
    saved(&save(&*place.keeper, "b", "1").await);
    assert_eq!(place.keeper.check().await, Ok(()));
}

#[tokio::test]
async fn a_repository_or_branch_that_is_gone_is_refused_and_not_made_again() {
    let place = Place::with_token_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    place.hub.set_gone(REPOSITORY, true);
    let outcome = save(&*place.keeper, "b", "1").await;
    assert!(refused(&outcome).contains("answers.url"), "{outcome:?}");
    assert!(matches!(place.keeper.holds(&path("b")).await, Err(KeeperError::Refused { .. })));
    assert!(matches!(place.keeper.check().await, Err(KeeperError::Refused { .. })));
    place.hub.set_gone(REPOSITORY, false);
    saved(&save(&*place.keeper, "b", "1").await);

    let head = place.head();
    place.hub.force(REPOSITORY, "main", None);
    for outcome in
        [save(&*place.keeper, "c", "1").await, place.keeper.save(vec![answer("c", "1"), answer("d", "1")]).await.remove(0)]
    {
        assert!(refused(&outcome).contains("no branch main"), "{outcome:?}");
    }
    assert_eq!(place.keeper.head().await, Ok(None));
    let told = place.keeper.check().await.unwrap_err().to_string();
    assert!(told.contains("no branch main"), "{told}");
    place.hub.force(REPOSITORY, "main", Some(&head));
    saved(&save(&*place.keeper, "c", "1").await);
    assert_eq!(place.keeper.list().await.unwrap(), ["a", "b", "c"]);
}

#[tokio::test]
async fn a_file_called_answers_is_named_as_the_cause() {
    let place = Place::with_token_unpaced();
    place.commit("answers", "a file");
    let outcome = save(&*place.keeper, "a", "1").await;
    assert!(refused(&outcome).contains("answers is a file"), "{outcome:?}");
}

#[tokio::test]
async fn a_folder_in_the_place_of_an_answer_is_taken_and_no_answer() {
    let place = Place::with_token_unpaced();
    place.commit("answers/a.json/note", "1");
    assert_eq!(save(&*place.keeper, "a", "1").await, SaveOutcome::Taken);
    assert_eq!(place.keeper.holds(&path("a")).await, Ok(true));
    assert!(place.keeper.read(&path("a")).await.is_err());
}

#[tokio::test]
async fn while_github_cannot_be_reached_ids_are_told_from_what_was_seen_last() {
    let place = Place::with_token_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    place.hub.set_down(true);
    assert_eq!(place.keeper.holds(&path("a")).await, Ok(true));
    assert_eq!(place.keeper.holds(&path("b")).await, Ok(false));
    unknown(&save(&*place.keeper, "b", "1").await);
    assert!(matches!(place.keeper.list().await, Err(KeeperError::Unavailable { .. })));
    assert!(matches!(place.keeper.check().await, Err(KeeperError::Unavailable { .. })));
    place.hub.set_down(false);
    saved(&save(&*place.keeper, "b", "1").await);
}

#[tokio::test]
async fn whoever_asks_a_question_does_not_wait_for_a_github_that_hangs() {
    let place = Place::with_token_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    place.hub.faults("GET", "*/commits/*", Fault::hang(), 20);
    let began = std::time::Instant::now();
    let holding = (0..10).map(|_| {
        let keeper = place.keeper.clone();
        tokio::spawn(async move { keeper.holds(&path("a")).await })
    });
    for held in holding.collect::<Vec<_>>() {
        assert_eq!(held.await.unwrap(), Ok(true));
    }
    assert!(began.elapsed().as_secs() < 8, "{:?}", began.elapsed());
    place.hub.clear_faults();
    place.hub.release();
}
