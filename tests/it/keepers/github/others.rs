//! Others write to the same branch at the same time.

use pager_answers::Keeper;
use pager_answers::conformance::save;

use super::place::{Place, REPOSITORY, saved};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_answers_at_once_beside_two_other_writers_are_all_there_once() {
    let place = std::sync::Arc::new(Place::with_token_unpaced());
    place.hub.set_pause(3);
    let second = place.another_keeper();
    let pushing = tokio::task::spawn_blocking({
        let place = place.clone();
        move || {
            for number in 0..15 {
                place.commit(&format!("notes/{number}.txt"), "theirs");
            }
        }
    });
    let saves: Vec<_> = (0..50)
        .map(|number| {
            let keeper = if number % 5 == 0 { second.clone() } else { place.keeper.clone() };
            tokio::spawn(async move {
                let id = format!("q-{number}");
                // As the service does: what is not known is saved again.
                for _ in 0..20 {
                    let outcome = save(&*keeper, &id, &format!("answer {number}")).await;
                    if !matches!(outcome, pager_answers::SaveOutcome::Unknown { .. }) {
                        return outcome;
                    }
                }
                panic!("{id} was never saved");
            })
        })
        .collect();
    for saving in saves {
        saved(&saving.await.unwrap());
    }
    pushing.await.unwrap();
    let files = place.hub.files(REPOSITORY, "main");
    for number in 0..50 {
        assert_eq!(files.get(&format!("answers/q-{number}.json")), Some(&format!("answer {number}").into_bytes()));
    }
    assert_eq!(files.keys().filter(|path| path.starts_with("notes/")).count(), 15);
    let history = place.hub.messages(REPOSITORY, "main").join("\n");
    for number in 0..50 {
        assert_eq!(history.matches(&format!("answer q-{number}: chosen")).count(), 1, "q-{number} is committed once");
    }
    let changed = place.hub.git(REPOSITORY, &["log", "--diff-filter=MDTR", "--format=%H", "main", "--", "answers"]);
    assert_eq!(changed.trim(), "", "no answer was ever changed");
    place.is_sound();
}

#[tokio::test]
async fn two_keepers_that_give_one_id_agree_who_was_first() {
    let place = Place::with_token_unpaced();
    let second = place.another_keeper();
    let (ours, theirs) = tokio::join!(save(&*place.keeper, "a", "1"), save(&*second, "a", "2"));
    let outcomes = [&ours, &theirs];
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, pager_answers::SaveOutcome::Saved { .. })).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == &pager_answers::SaveOutcome::Taken).count(), 1, "{outcomes:?}");
}

#[tokio::test]
async fn an_answer_that_somebody_removed_is_missed_and_can_be_saved_again() {
    let place = Place::with_token_unpaced();
    saved(&save(&*place.keeper, "warm", "1").await);
    let third = place.another_keeper();
    saved(&save(&*third, "a", "1").await);
    assert_eq!(place.keeper.list().await.unwrap(), ["a", "warm"]);
    place.hub.remove(REPOSITORY, "main", "answers/a.json");
    assert_eq!(place.keeper.list().await.unwrap(), ["warm"]);
    saved(&save(&*place.keeper, "a", "1").await);
    assert_eq!(place.answer("a").as_deref(), Some(&b"1"[..]));
}
