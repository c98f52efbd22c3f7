#![expect(clippy::unwrap_used, reason = "a test may panic")]
//! The private clone against a bare repository on this machine.

use std::{path::Path, process::Command};

use tempfile::TempDir;

use super::{Change, GitFailure, GitRemote, Patience, PrivateClone};
use crate::Credentials;

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.git(Path::new("/"), &["init", "-q", "--bare", place.remote().to_str().unwrap()]);
        place
    }

    fn remote(&self) -> std::path::PathBuf {
        self.folder.path().join("remote.git")
    }

    fn clone(&self, clones: &str) -> PrivateClone {
        let url = format!("git+file:{}", self.remote().display());
        let remote = GitRemote::new(&url, &Credentials::default()).unwrap();
        PrivateClone::open(remote, "main", &self.folder.path().join(clones), Patience::default()).unwrap()
    }

    fn git(&self, folder: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

fn add(path: &str, text: &str) -> Change {
    Change::Add { path: path.to_owned(), bytes: text.as_bytes().to_vec() }
}

#[tokio::test]
async fn a_commit_adds_moves_and_removes_and_empty_folders_go() {
    let place = Place::new();
    let clone = place.clone("one");
    assert_eq!((clone.fetch().await, clone.head().await), (Ok(None), Ok(None)));
    let changes = vec![add("events/a.json", "1"), add("events/b.json", "2"), add("top.txt", "3"), add("old/deep/c", "4")];
    let first = clone.commit(None, changes, "begin\n".to_owned()).await.unwrap();
    clone.push(&first).await.unwrap();
    assert_eq!(clone.head().await, Ok(Some(first.id)));
    let changes = vec![
        Change::Remove { path: "events/a.json".to_owned() },
        Change::Move { from: "old/deep/c".to_owned(), to: "new/c".to_owned() },
        Change::Move { from: "nobody".to_owned(), to: "new/d".to_owned() },
        Change::Remove { path: "nobody/at/home".to_owned() },
    ];
    let second = clone.commit(Some(first.id), changes, "go on\n".to_owned()).await.unwrap();
    clone.push(&second).await.unwrap();
    let listed = place.git(&place.remote(), &["ls-tree", "-r", "--name-only", "main"]);
    assert_eq!(listed, "events/b.json\nnew/c\ntop.txt\n");
    assert_eq!(place.git(&place.remote(), &["fsck", "--strict", "--full", "--no-dangling"]), "");
    assert_eq!(clone.list(second.id, "events").await.unwrap(), ["b.json"]);
    assert_eq!(clone.list(second.id, "old").await.unwrap(), [""; 0]);
    assert_eq!(clone.read(second.id, "new/c").await, Ok(Some(b"4".to_vec())));
    assert_eq!(clone.read(second.id, "new/d").await, Ok(None));
}

#[tokio::test]
async fn a_push_on_what_another_moved_is_a_race_and_changes_nothing() {
    let place = Place::new();
    let (one, two) = (place.clone("one"), place.clone("two"));
    let first = one.commit(None, vec![add("a", "1")], "one\n".to_owned()).await.unwrap();
    one.push(&first).await.unwrap();
    let stale = two.commit(None, vec![add("b", "2")], "two\n".to_owned()).await.unwrap();
    assert_eq!(two.push(&stale).await, Err(GitFailure::Raced));
    let head = two.fetch().await.unwrap();
    assert_eq!(head, Some(first.id));
    let built = two.commit(head, vec![add("b", "2")], "two\n".to_owned()).await.unwrap();
    two.push(&built).await.unwrap();
    place.git(&place.remote(), &["update-ref", "-d", "refs/heads/main"]);
    let lost = two.commit(Some(built.id), vec![add("c", "3")], "three\n".to_owned()).await.unwrap();
    assert_eq!(two.push(&lost).await, Err(GitFailure::Raced), "a branch that is gone is not brought back");
}

#[tokio::test]
async fn no_path_leads_out_of_the_repository() {
    let clone = Place::new();
    let clone = clone.clone("one");
    for path in ["../a", "/a", "a//b", ".git/config", "a/.GIT/b", "", "a/", "."] {
        let refused = clone.commit(None, vec![add(path, "1")], "no\n".to_owned()).await;
        assert!(matches!(refused, Err(GitFailure::Refused(_))), "{path:?}: {refused:?}");
    }
}

#[tokio::test]
async fn a_remote_that_points_elsewhere_is_refused_and_the_token_goes_nowhere() {
    use std::io::{ErrorKind, Read, Write};
    let elsewhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let asked = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/a.git", asked.local_addr().unwrap());
    let target = elsewhere.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in asked.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let place = format!("http://{target}/a.git/info/refs?service=git-upload-pack");
            let _ = write!(stream, "HTTP/1.1 301 Moved\r\nLocation: {place}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    let credentials = crate::Credentials { user: None, token: Some("t0ken".to_owned().into()) };
    let folder = tempfile::tempdir().unwrap();
    let remote = GitRemote::new(&url, &credentials).unwrap();
    let clone = PrivateClone::open(remote, "main", folder.path(), Patience::default()).unwrap();
    let failure = clone.head().await.unwrap_err();
    assert!(matches!(&failure, GitFailure::Refused(reason) if !reason.contains("t0ken")), "{failure:?}");
    assert_eq!(elsewhere.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "nobody was asked there");
}
