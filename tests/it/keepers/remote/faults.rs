//! Every fault of the server at every call of a save: what the keeper says, and that the next try brings the answer once.

use std::time::Duration;

use pager_answers::SaveOutcome;
use pager_answers::conformance::{Surroundings, save};
use pager_tests::git_http::{At, Fault};

use super::place::Place;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Saved,
    Refused,
    Unknown,
}

const FAULTS: [(At, Fault, Said); 22] = [
    (At::PushLook, Fault::Status(401), Said::Refused),
    (At::PushLook, Fault::Status(403), Said::Refused),
    (At::PushLook, Fault::Status(404), Said::Refused),
    (At::PushLook, Fault::Status(429), Said::Unknown),
    (At::PushLook, Fault::Status(500), Said::Unknown),
    (At::PushLook, Fault::Status(502), Said::Unknown),
    (At::PushLook, Fault::StatusAfter(502), Said::Unknown),
    (At::PushLook, Fault::ResetBefore, Said::Unknown),
    (At::Push, Fault::Status(401), Said::Refused),
    (At::Push, Fault::Status(403), Said::Refused),
    (At::Push, Fault::Status(404), Said::Refused),
    (At::Push, Fault::Status(413), Said::Refused),
    (At::Push, Fault::Status(429), Said::Unknown),
    (At::Push, Fault::Status(500), Said::Unknown),
    (At::Push, Fault::Status(502), Said::Unknown),
    (At::Push, Fault::Status(504), Said::Unknown),
    (At::Push, Fault::Garbage, Said::Unknown),
    // To git that page is a server without branches, so the branch has moved; a look at it tells better.
    (At::PushLook, Fault::Garbage, Said::Saved),
    // The connection was kept from the call before, and such a one is tried once more beneath git.
    (At::Push, Fault::ResetBefore, Said::Saved),
    // It happened, and a look at the branch tells.
    (At::Push, Fault::StatusAfter(500), Said::Saved),
    (At::Push, Fault::StatusAfter(502), Said::Saved),
    (At::Push, Fault::ResetAfter, Said::Saved),
];

fn said(outcome: &SaveOutcome) -> Option<Said> {
    match outcome {
        SaveOutcome::Saved { .. } => Some(Said::Saved),
        SaveOutcome::Refused { .. } => Some(Said::Refused),
        SaveOutcome::Unknown { .. } => Some(Said::Unknown),
        SaveOutcome::Taken => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_of_a_push_is_told_for_what_it_is_and_the_next_try_brings_the_answer_once() {
    let place = Place::new();
    let mut wrong = Vec::new();
    for (number, (at, fault, expected)) in FAULTS.into_iter().enumerate() {
        let id = format!("q-{number}");
        place.git.add_fault(at, fault.clone());
        let first = save(&*place.keeper, &id, "1").await;
        if said(&first) != Some(expected) {
            wrong.push(format!("{at:?} {fault:?}: expected {expected:?}, was {first:?}"));
        }
        place.git.clear_faults();
        let second = save(&*place.keeper, &id, "1").await;
        if said(&second) != Some(Said::Saved) || place.commits_of(&id) != 1 {
            wrong.push(format!("after {at:?} {fault:?}: {second:?}, {} commits", place.commits_of(&id)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    place.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_push_that_took_effect_unseen_is_found_before_anything_is_written_again() {
    let place = Place::new();
    place.git.add_fault(At::Push, Fault::StatusAfter(502));
    place.git.add_fault(At::FetchLook, Fault::Status(502));
    assert_eq!(said(&save(&*place.keeper, "a", "1").await), Some(Said::Unknown));
    let before = place.git.calls().len();
    assert_eq!(said(&save(&*place.keeper, "a", "1").await), Some(Said::Saved));
    let calls = &place.git.calls()[before..];
    assert!(calls.contains(&At::FetchLook) && !calls.contains(&At::Push), "{calls:?}");
    assert_eq!(place.commits_of("a"), 1);
    assert_eq!(save(&*place.keeper, "a", "2").await, SaveOutcome::Taken);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_push_without_a_reply_is_given_up_and_found_to_have_happened() {
    let place = Place::new();
    let keeper = place.impatient(Duration::from_secs(6)).await;
    place.git.add_fault(At::Push, Fault::HangAfter);
    assert_eq!(said(&save(&*keeper, "a", "1").await), Some(Said::Saved));
    place.git.release();
    assert_eq!(place.commits_of("a"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_push_that_hangs_is_given_up_and_its_git_ended() {
    let place = Place::new();
    let keeper = place.impatient(Duration::from_secs(5)).await;
    place.git.add_fault(At::Push, Fault::Hang);
    assert_eq!(said(&save(&*keeper, "a", "1").await), Some(Said::Unknown));
    let port = place.git.url();
    crate::world::until("no git of ours is left", async || super::secrets::commands_with(&port).is_empty().then_some(())).await;
    place.git.release();
    assert_eq!(said(&save(&*keeper, "a", "1").await), Some(Said::Saved));
    assert_eq!(place.commits_of("a"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_writer_in_the_middle_of_a_push_is_built_upon() {
    let place = Place::new();
    let calls = place.git.calls().len();
    place.git.add_fault(At::Push, Fault::Hang);
    let saving = place.saving("a", "1");
    place.until_called(calls, At::Push).await;
    place.write_elsewhere("notes/a.txt", b"note").await;
    place.git.release();
    assert_eq!(said(&saving.await.unwrap()), Some(Said::Saved));
    assert!(place.file("notes/a.txt").await.is_some() && place.file("answers/a.json").await.is_some());
    place.assert_sound().await;
}
