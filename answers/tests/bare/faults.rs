//! What the system refuses is told in its own words, and nothing is half done.
//! Permissions do not stop a test that runs as root, so what is in the way here is a file where a folder should be.

use std::fs;

use pager_answers::{
    KeeperError, SaveOutcome,
    conformance::{Surroundings, answer, save},
};

use crate::place::Place;

fn refused(outcome: &SaveOutcome) -> &str {
    match outcome {
        SaveOutcome::Refused { reason } => reason,
        other => panic!("expected a refusal, was {other:?}"),
    }
}

#[tokio::test]
async fn objects_that_cannot_be_written_are_a_refusal_and_the_branch_stays() {
    let place = Place::new();
    let head = place.keeper.head().await.unwrap();
    // `1` would go to objects/56/.
    let folder = place.repository().join("objects/56");
    fs::write(&folder, "").unwrap();
    let outcome = save(&*place.keeper, "a", "1").await;
    assert!(refused(&outcome).contains("Not a directory"), "{outcome:?}");
    assert_eq!(place.keeper.head().await.unwrap(), head);
    fs::remove_file(&folder).unwrap();
    assert!(matches!(save(&*place.keeper, "a", "1").await, SaveOutcome::Saved { .. }));
    place.assert_sound().await;
}

#[tokio::test]
async fn what_is_there_already_is_told_even_when_the_rest_is_refused() {
    let place = Place::new();
    save(&*place.keeper, "old", "1").await;
    fs::create_dir(place.repository().join("pager-next")).unwrap();
    let batch = vec![answer("old", "2"), answer("old", "1"), answer("new", "1"), answer("new", "1"), answer("new", "2")];
    let outcomes = place.keeper.save(batch).await;
    assert_eq!(outcomes[0], SaveOutcome::Taken);
    assert!(matches!(outcomes[1], SaveOutcome::Saved { .. }), "{outcomes:?}");
    for outcome in &outcomes[2..] {
        assert!(refused(outcome).contains("pager-next"), "{outcomes:?}");
    }
    assert!(matches!(place.keeper.check().await, Err(KeeperError::Refused { .. })));
}

#[tokio::test]
async fn a_repository_that_is_gone_is_refused_and_not_made_again() {
    let place = Place::new();
    fs::remove_dir_all(place.repository()).unwrap();
    let outcome = save(&*place.keeper, "a", "1").await;
    assert!(refused(&outcome).contains("No such file or directory"), "{outcome:?}");
    assert!(!place.repository().exists());
    let words = place.keeper.head().await.unwrap_err().to_string();
    assert!(words.contains("No such file or directory"), "{words}");
    assert!(place.keeper.list().await.is_err());
    assert!(matches!(place.keeper.check().await, Err(KeeperError::Refused { .. })));
}

#[tokio::test]
async fn a_branch_that_is_gone_is_refused() {
    let place = Place::new();
    place.git(&["update-ref", "-d", "refs/heads/main"]);
    let outcome = save(&*place.keeper, "a", "1").await;
    assert!(refused(&outcome).contains("refs/heads/main"), "{outcome:?}");
    assert_eq!(place.keeper.head().await, Ok(None));
}

#[tokio::test]
async fn a_file_called_answers_is_named_as_the_cause() {
    let place = Place::new();
    place.write_elsewhere("answers", b"a file").await;
    let outcome = save(&*place.keeper, "a", "1").await;
    assert!(refused(&outcome).contains("answers is a file"), "{outcome:?}");
}

#[tokio::test]
async fn a_branch_file_without_a_commit_is_refused() {
    let place = Place::new();
    fs::write(place.repository().join("refs/heads/main"), "").unwrap();
    let outcome = save(&*place.keeper, "a", "1").await;
    assert!(refused(&outcome).contains("refs/heads/main"), "{outcome:?}");
    assert!(place.keeper.head().await.is_err());
}

#[tokio::test]
async fn a_folder_in_the_place_of_an_answer_is_taken_and_no_answer() {
    let place = Place::new();
    place.write_elsewhere("answers/a.json/note", b"1").await;
    assert_eq!(save(&*place.keeper, "a", "1").await, SaveOutcome::Taken);
    let path = pager_answers::AnswerPath::new("a").unwrap();
    assert_eq!(place.keeper.holds(&path).await, Ok(true));
    assert!(place.keeper.read(&path).await.is_err());
}

#[tokio::test]
async fn a_message_stays_one_line_and_the_repository_sound() {
    let place = Place::new();
    let mut file = answer("a", "1");
    file.message = "answer a:\n\nchosen\0".to_owned();
    place.keeper.save(vec![file]).await;
    assert_eq!(place.messages().await[0], "answer a:  chosen");
    place.assert_sound().await;
}
