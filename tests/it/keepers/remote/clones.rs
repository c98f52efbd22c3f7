//! The private clone is a cache: broken, half made or locked by a git that died, it is made anew or gone around.

use std::fs;
use std::path::{Path, PathBuf};

use pager_answers::SaveOutcome;
use pager_answers::conformance::{Surroundings, save};

use super::place::{Place, path};

fn clone_of(place: &Place) -> PathBuf {
    let mut folders = fs::read_dir(place.clones.path()).unwrap().map(|entry| entry.unwrap().path());
    folders.find(|path| path.extension().is_some_and(|extension| extension == "git")).unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clone_whose_objects_were_lost_is_made_anew() {
    let mut place = Place::new();
    save(&*place.keeper, "a", "1").await;
    for restarts in [false, true] {
        for file in files(&clone_of(&place).join("objects")) {
            fs::remove_file(&file).unwrap();
            // The empty files that a loss of power can leave.
            fs::write(&file, "").unwrap();
        }
        if restarts {
            place.reopen().await;
        }
        let id = format!("b-{restarts}");
        let outcome = save(&*place.keeper, &id, "1").await;
        assert!(matches!(outcome, SaveOutcome::Saved { .. }), "{outcome:?}");
        assert_eq!(place.keeper.read(&path("a")).await, Ok(Some(b"1".to_vec())));
        place.assert_sound().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clone_that_is_gone_or_half_made_is_made_anew() {
    let mut place = Place::new();
    save(&*place.keeper, "a", "1").await;
    fs::remove_dir_all(clone_of(&place)).unwrap();
    assert!(matches!(save(&*place.keeper, "b", "1").await, SaveOutcome::Saved { .. }));
    let clone = clone_of(&place);
    fs::remove_file(clone.join("HEAD")).unwrap();
    fs::remove_dir_all(clone.join("refs")).unwrap();
    place.reopen().await;
    assert!(matches!(save(&*place.keeper, "c", "1").await, SaveOutcome::Saved { .. }));
    assert_eq!(place.keeper.list().await.unwrap(), ["a", "b", "c"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locks_of_a_git_that_died_block_nobody() {
    let mut place = Place::new();
    save(&*place.keeper, "a", "1").await;
    let clone = clone_of(&place);
    for lock in ["HEAD.lock", "config.lock", "packed-refs.lock", "shallow.lock", "FETCH_HEAD.lock", "refs/pager/seen.lock"] {
        fs::write(clone.join(lock), "").unwrap();
    }
    place.write_elsewhere("notes/a.txt", b"note").await;
    assert!(matches!(save(&*place.keeper, "b", "1").await, SaveOutcome::Saved { .. }));
    place.reopen().await;
    assert!(matches!(save(&*place.keeper, "c", "1").await, SaveOutcome::Saved { .. }));
}
