//! What a process that was killed may leave behind.

use std::{
    fs::{self, File},
    time::{Duration, Instant, SystemTime},
};

use pager_answers::{
    SaveOutcome,
    conformance::{Surroundings, save},
};

use crate::place::{Place, git};

#[tokio::test]
async fn our_own_lock_of_a_crash_is_removed_at_once() {
    let place = Place::new();
    let repository = place.repository();
    let lock = repository.join("refs/heads/main.lock");
    fs::write(repository.join("pager-next"), "0123").unwrap();
    fs::hard_link(repository.join("pager-next"), &lock).unwrap();
    let began = Instant::now();
    assert!(matches!(save(&*place.keeper, "a", "1").await, SaveOutcome::Saved { .. }));
    assert!(began.elapsed() < Duration::from_secs(4), "it was taken for a foreign lock");
    assert!(!lock.exists() && !repository.join("pager-next").exists());
    place.assert_sound().await;
}

#[tokio::test]
async fn a_crash_after_the_branch_moved_does_not_disturb_the_branch() {
    let place = Place::new();
    save(&*place.keeper, "a", "1").await;
    let branch = place.repository().join("refs/heads/main");
    fs::hard_link(&branch, place.repository().join("pager-next")).unwrap();
    let first = place.git(&["rev-parse", "main"]);
    save(&*place.keeper, "b", "1").await;
    assert_eq!(place.git(&["rev-parse", "main~1"]), first);
    place.assert_sound().await;
}

#[tokio::test]
async fn an_old_lock_of_a_dead_git_is_removed() {
    let place = Place::new();
    let lock = place.repository().join("refs/heads/main.lock");
    let file = File::create(&lock).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    assert!(matches!(save(&*place.keeper, "a", "1").await, SaveOutcome::Saved { .. }));
    assert!(!lock.exists());
    place.git(&["update-ref", "refs/heads/other", "main"]);
}

#[tokio::test]
async fn a_lock_of_a_living_git_is_waited_for() {
    let place = Place::new();
    let lock = place.repository().join("refs/heads/main.lock");
    File::create(&lock).unwrap();
    let keeper = place.keeper();
    let saving = tokio::spawn(async move { save(&*keeper, "a", "1").await });
    let next = place.repository().join("pager-next");
    while !next.exists() {
        tokio::task::yield_now().await;
    }
    assert!(!saving.is_finished());
    fs::remove_file(&lock).unwrap();
    assert!(matches!(saving.await.unwrap(), SaveOutcome::Saved { .. }));
}

#[tokio::test]
async fn stray_and_broken_objects_do_no_harm() {
    let place = Place::new();
    let objects = place.repository().join("objects");
    let blob = git(&place.repository(), &["rev-parse", "main:README.md"]).unwrap();
    fs::write(objects.join(&blob[..2]).join("tmp_obj_stray"), "half").unwrap();
    // The empty file that a loss of power can make of an object which was never flushed. `1` has this id.
    let broken = objects.join("56/a6051ca2b02b04ef92d5150c9ef600403cb1de");
    fs::create_dir_all(broken.parent().unwrap()).unwrap();
    fs::write(&broken, "").unwrap();
    assert!(matches!(save(&*place.keeper, "a", "1").await, SaveOutcome::Saved { .. }));
    assert_eq!(place.file("answers/a.json").await.as_deref(), Some(&b"1"[..]));
    place.assert_sound().await;
}

#[tokio::test]
async fn nothing_temporary_is_left_after_a_save_and_a_check() {
    let place = Place::new();
    save(&*place.keeper, "a", "1").await;
    place.keeper.check().await.unwrap();
    let mut folders = vec![place.repository()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let stray = name.starts_with("tmp_") || name.starts_with("pager-") || name.ends_with(".lock");
            assert!(!stray || name == "pager-writer.lock", "{} was left behind", path.display());
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
}
