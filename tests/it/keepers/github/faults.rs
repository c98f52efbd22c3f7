//! Whatever GitHub does to a write: afterwards the answer is there once, or nobody was told that it is.

use pager_answers::conformance::{answer, save};
use pager_answers::{Keeper, SaveOutcome};
use pager_tests::fake_github::Fault;

use super::place::{Place, path, saved, unknown};

const PUT: (&str, &str) = ("PUT", "*/contents/*");
const MOVE: (&str, &str) = ("PATCH", "*/git/refs/*");

/// Meets a fault at a save, then saves the same again until it is done. The outcomes on the way.
async fn save_through(place: &Place, at: (&str, &str), fault: &Fault) -> Vec<SaveOutcome> {
    place.hub.fault(at.0, at.1, fault.clone());
    let batch = if at == PUT { vec![answer("a", "1")] } else { vec![answer("a", "1"), answer("b", "2")] };
    let mut outcomes = Vec::new();
    for _ in 0..5 {
        let outcome = place.keeper.save(batch.clone()).await.remove(0);
        outcomes.push(outcome.clone());
        if matches!(outcome, SaveOutcome::Saved { .. }) {
            break;
        }
    }
    assert_eq!(place.hub.waiting_faults(), 0, "{fault:?} was met");
    saved(outcomes.last().unwrap());
    assert_eq!(place.answer("a").as_deref(), Some(&b"1"[..]), "{fault:?}");
    let history = place.hub.messages("me/answers", "main").join("\n");
    assert_eq!(history.matches("answer a: chosen").count(), 1, "{fault:?}: {history}");
    place.is_sound();
    outcomes
}

#[tokio::test]
async fn a_write_that_was_done_and_not_told_is_found_at_once_by_reading_the_path() {
    for at in [PUT, MOVE] {
        for fault in [Fault::bad_gateway_after(), Fault::reset_after(), Fault::Garbage { applied: true }] {
            let place = Place::with_token_unpaced();
            let outcomes = save_through(&place, at, &fault).await;
            assert_eq!(outcomes.len(), 1, "{fault:?} {outcomes:?}");
            assert_eq!(saved(&outcomes[0]), place.head());
            assert_eq!(place.hub.calls_of(at.0, at.1).len(), 1, "{fault:?}: nothing was written twice");
        }
    }
}

#[tokio::test]
async fn a_write_that_was_not_done_is_unknown_and_then_done_by_the_same_write() {
    for at in [PUT, MOVE] {
        for fault in [Fault::bad_gateway(), Fault::reset(), Fault::Garbage { applied: false }, Fault::status(500, "Server Error")]
        {
            let place = Place::with_token_unpaced();
            let outcomes = save_through(&place, at, &fault).await;
            assert_eq!(outcomes.len(), 2, "{fault:?} {outcomes:?}");
            unknown(&outcomes[0]);
        }
    }
}

#[tokio::test]
async fn before_an_unknown_write_is_repeated_its_path_is_read() {
    let place = Place::with_token_unpaced();
    save_through(&place, PUT, &Fault::bad_gateway()).await;
    let calls = place.hub.calls();
    let about_it: Vec<_> =
        calls.iter().filter(|call| call.path.ends_with("/contents/answers/a.json")).map(|call| call.method.as_str()).collect();
    assert_eq!(about_it, ["PUT", "GET", "GET", "PUT"], "{calls:?}");
}

#[tokio::test]
async fn an_outage_in_the_middle_of_a_batch_leaves_nothing_on_the_branch() {
    for at in [("POST", "*/git/trees"), ("POST", "*/git/commits")] {
        for fault in [Fault::bad_gateway_after(), Fault::reset(), Fault::Garbage { applied: true }] {
            let place = Place::with_token_unpaced();
            let outcomes = save_through(&place, at, &fault).await;
            unknown(&outcomes[0]);
            assert_eq!(outcomes.len(), 2, "{fault:?} {outcomes:?}");
        }
    }
}

#[tokio::test]
async fn a_moved_head_in_any_wording_is_met_by_the_same_write() {
    let wordings = [
        Fault::head_moved(),
        Fault::HeadMoved { status: 422 },
        Fault::status(409, "refs/heads/main expected to be at 5d2cb0f1"),
        Fault::status(422, "Update is not a fast forward"),
        Fault::status(422, "Reference cannot be updated"),
        Fault::status(409, "fatal: cannot lock ref 'refs/heads/main': is at 5d2c but expected 8a1f"),
    ];
    for fault in wordings {
        for at in [PUT, MOVE] {
            let place = Place::with_token_unpaced();
            let outcomes = save_through(&place, at, &fault).await;
            assert_eq!(outcomes.len(), 1, "{fault:?} {outcomes:?}");
            assert_eq!(place.hub.calls_of(at.0, at.1).len(), 2);
        }
    }
}

#[tokio::test]
async fn a_head_that_moves_without_end_is_given_up_as_unknown() {
    let place = Place::with_token_unpaced();
    place.hub.faults(PUT.0, PUT.1, Fault::head_moved(), 1000);
    let outcome = save(&*place.keeper, "a", "1").await;
    assert!(unknown(&outcome).0.contains("but expected"), "{outcome:?}");
    let tries = place.hub.calls_of(PUT.0, PUT.1).len();
    assert!((5..=20).contains(&tries), "{tries}");
}

#[tokio::test]
async fn a_file_that_is_there_without_our_knowing_is_compared() {
    let place = Place::with_token_unpaced();
    save(&*place.keeper, "warm", "1").await;
    place.hub.age(60);
    place.hub.lag_reads("me/answers", 30);
    let ours = place.commit("answers/a.json", "1");
    place.commit("answers/b.json", "theirs");
    // The copies that reads go to know of neither yet, so there is nothing to compare with, and nothing is overwritten.
    unknown(&save(&*place.keeper, "a", "1").await);
    unknown(&save(&*place.keeper, "b", "2").await);
    place.hub.lag_reads("me/answers", 0);
    let outcome = save(&*place.keeper, "a", "1").await;
    assert!([ours, place.head()].iter().any(|commit| commit == saved(&outcome)), "{outcome:?}");
    assert_eq!(save(&*place.keeper, "b", "2").await, SaveOutcome::Taken);
    assert_eq!(place.answer("b").as_deref(), Some(&b"theirs"[..]));
}

#[tokio::test]
async fn the_commit_that_a_write_told_is_believed_more_than_reads_that_lag_behind() {
    let place = Place::with_token_unpaced();
    place.hub.age(60);
    place.hub.lag_reads("me/answers", 20);
    for (number, id) in ["a", "b", "c"].into_iter().enumerate() {
        let outcome = save(&*place.keeper, id, "1").await;
        assert_eq!(saved(&outcome), place.head());
        assert_eq!(place.keeper.head().await, Ok(Some(place.head())));
        assert_eq!(place.keeper.holds(&path(id)).await, Ok(true));
        assert_eq!(place.keeper.list().await.unwrap().len(), number + 1);
        assert_eq!(place.keeper.read(&path(id)).await, Ok(Some(b"1".to_vec())));
    }
    let batch = place.keeper.save(vec![answer("d", "1"), answer("e", "1")]).await;
    assert_eq!(saved(&batch[0]), place.head());
    assert_eq!(place.keeper.archive(vec![path("a"), path("d")]).await, Ok(()));
    assert_eq!(place.keeper.live().await.unwrap(), ["b", "c", "e"]);
    place.is_sound();
}

#[tokio::test]
async fn an_unclear_end_of_archiving_is_told_and_the_same_batch_can_be_moved_again() {
    for fault in [Fault::bad_gateway_after(), Fault::reset()] {
        let place = Place::with_token_unpaced();
        save(&*place.keeper, "a", "1").await;
        place.hub.fault(MOVE.0, MOVE.1, fault);
        assert!(place.keeper.archive(vec![path("a")]).await.is_err());
        assert_eq!(place.keeper.archive(vec![path("a")]).await, Ok(()));
        assert_eq!(place.answer("a"), None);
        assert_eq!(place.keeper.read(&path("a")).await, Ok(Some(b"1".to_vec())));
    }
}
