//! What `answers.url` and `answers.branch` may lead to, and what is refused.

use std::{fs, path::Path};

use pager_answers::{BareRepository, OpenError, conformance::save};

use crate::place::{Place, git, open};

fn refusal(path: &Path) -> String {
    BareRepository::open(path, "main").err().unwrap().to_string()
}

#[tokio::test]
async fn an_absent_folder_becomes_a_repository_that_git_likes() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file:{}", folder.path().join("deep/answers.git").display());
    let keeper = pager_answers::open(&pager_answers::KeeperSettings::local(&url, "main")).await.unwrap();
    let path = folder.path().join("deep/answers.git");
    assert_eq!(git(&path, &["rev-parse", "--is-bare-repository"]).unwrap(), "true");
    assert_eq!(git(&path, &["symbolic-ref", "HEAD"]).unwrap(), "refs/heads/main");
    assert_eq!(keeper.head().await.unwrap(), Some(git(&path, &["rev-parse", "main"]).unwrap()));
    assert_eq!(git(&path, &["log", "--format=%an <%ae> %cn <%ce>"]).unwrap(), "pager <pager@localhost> pager <pager@localhost>");
    assert_eq!(git(&path, &["fsck", "--strict"]).unwrap(), "");
    assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 1, "nothing is left beside it");
}

#[tokio::test]
async fn reopening_finds_what_was_saved_and_makes_no_commit() {
    let place = Place::new();
    save(&*place.keeper, "a", "1").await;
    let head = place.keeper.head().await;
    let again = open(&place.repository());
    assert_eq!(again.head().await, head);
    assert_eq!(again.list().await.unwrap(), ["a"]);
}

#[tokio::test]
async fn an_empty_repository_and_a_branch_with_slashes_are_begun() {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q", "--bare", "-b", "trunk", "."]).unwrap();
    let keeper = BareRepository::open(folder.path(), "team/answers").unwrap();
    save(&keeper, "a", "1").await;
    git(folder.path(), &["pack-refs", "--all", "--prune"]).unwrap();
    save(&keeper, "b", "1").await;
    assert_eq!(git(folder.path(), &["show", "HEAD:answers/b.json"]).unwrap(), "1");
    assert_eq!(git(folder.path(), &["symbolic-ref", "HEAD"]).unwrap(), "refs/heads/team/answers");
}

#[test]
fn a_folder_with_files_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    let words = refusal(folder.path());
    assert!(words.starts_with("answers.url: ") && words.contains("not a git repository"), "{words}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let words = refusal(&folder.path().join("letter.txt"));
    assert!(words.contains("not a git repository"), "{words}");
}

#[test]
fn a_repository_with_a_work_tree_is_refused_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q", "."]).unwrap();
    let words = refusal(folder.path());
    assert!(words.contains("work tree") && words.contains("git clone --bare"), "{words}");
    let words = refusal(&folder.path().join(".git"));
    assert!(words.contains("work tree"), "{words}");
}

#[test]
fn formats_that_cannot_be_written_are_refused() {
    for format in ["--object-format=sha256", "--ref-format=reftable"] {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "-q", "--bare", format, "."]).unwrap();
        let words = refusal(folder.path());
        assert!(words.contains("git init --bare --object-format=sha1 --ref-format=files"), "{words}");
    }
}

#[test]
fn branch_names_that_git_does_not_take_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for branch in ["", "-x", "a..b", "a b", "a/", "HEAD", "x.lock", "../../HEAD", "a\n"] {
        let error = BareRepository::open(&folder.path().join("a.git"), branch).err().unwrap();
        assert!(matches!(error, OpenError::InvalidBranch { .. }), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_branch_that_is_another_name_is_refused_and_the_setting_is_named() {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q", "--bare", "."]).unwrap();
    git(folder.path(), &["symbolic-ref", "refs/heads/main", "refs/heads/other"]).unwrap();
    let words = refusal(folder.path());
    assert!(words.contains("set answers.branch to that one"), "{words}");
}
