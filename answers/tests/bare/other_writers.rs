//! Other programs that use the same repository.

use std::process::Command;

use pager_answers::{
    SaveOutcome,
    conformance::{Surroundings, answer, save},
};

use crate::place::{Place, open, push_file};

#[tokio::test]
async fn a_push_in_between_is_built_upon() {
    let place = Place::new();
    save(&*place.keeper, "a", "1").await;
    push_file(&place.repository(), "answers/b.json", b"2");
    let pushed = place.git(&["rev-parse", "main"]);
    assert!(matches!(save(&*place.keeper, "c", "3").await, SaveOutcome::Saved { .. }));
    assert_eq!(place.git(&["rev-parse", "main~1"]), pushed);
    assert_eq!(place.keeper.list().await.unwrap(), ["a", "b", "c"]);
}

#[tokio::test]
async fn a_repacked_repository_goes_on() {
    let place = Place::new();
    for number in 0..5 {
        save(&*place.keeper, &format!("a-{number}"), "1").await;
        place.git(&["gc", "-q", "--prune=now"]);
        assert!(!place.repository().join("refs/heads/main").exists(), "gc packs the branch");
        assert_eq!(place.keeper.holds(&answer(&format!("a-{number}"), "1").path).await, Ok(true));
        assert_eq!(place.keeper.holds(&answer(&format!("a-{}", number + 1), "1").path).await, Ok(false));
    }
    assert_eq!(place.keeper.list().await.unwrap().len(), 5);
    assert_eq!(save(&*place.keeper, "a-0", "2").await, SaveOutcome::Taken);
    assert!(matches!(save(&*place.keeper, "a-0", "1").await, SaveOutcome::Saved { .. }));
    place.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_keepers_on_one_repository_lose_nothing() {
    let place = Place::new();
    let keepers = [place.keeper(), open(&place.repository())];
    let saves: Vec<_> = (0..40)
        .map(|number| {
            let keeper = keepers[number % 2].clone();
            tokio::spawn(async move { save(&*keeper, &format!("q-{}", number / 2), &format!("{number}")).await })
        })
        .collect();
    let mut saved = 0;
    for saving in saves {
        match saving.await.unwrap() {
            SaveOutcome::Saved { .. } => saved += 1,
            SaveOutcome::Taken => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(saved, 20, "of two different answers to one question exactly one is saved");
    place.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn answers_that_wait_go_together() {
    let place = Place::new();
    let before = place.messages().await.len();
    // Held as another process of ours would hold it, so that all of them have to wait.
    let mut holder = Command::new("flock")
        .arg(place.repository().join("pager-writer.lock"))
        .args(["sh", "-c", "echo held; read line"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(holder.stdout.as_mut().unwrap()), &mut line).unwrap();
    let keeper = place.keeper();
    let saves: Vec<_> = (0..30)
        .map(|number| {
            let keeper = keeper.clone();
            tokio::spawn(async move { keeper.save(vec![answer(&format!("q-{number}"), "1")]).await })
        })
        .collect();
    drop(holder.stdin.take());
    holder.wait().unwrap();
    for saving in saves {
        assert!(matches!(saving.await.unwrap()[..], [SaveOutcome::Saved { .. }]));
    }
    let commits = place.messages().await.len() - before;
    assert!(commits < 30, "{commits} commits for 30 answers");
}

#[tokio::test]
async fn a_batch_larger_than_the_files_a_process_may_open_is_saved() {
    let place = Place::new();
    let batch: Vec<_> = (0..1_500).map(|number| answer(&format!("q-{number}"), &format!("{number}"))).collect();
    let outcomes = place.keeper.save(batch).await;
    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "one commit for all");
    assert_eq!(place.keeper.list().await.unwrap().len(), 1_500);
    place.assert_sound().await;
}
