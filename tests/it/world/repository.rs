//! The answers repository, judged by the real git.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;

use pager_questions::{Answer, VerifyingKey};
use rustix::fs::{FlockOperation, flock};
use serde_json::Value;

use super::World;
use super::until::until;

impl World {
    /// The folder of the bare repository.
    pub fn repository(&self) -> PathBuf {
        self.data_dir().join("answers.git")
    }

    /// What git says. It must not fail.
    pub fn git(&self, arguments: &[&str]) -> String {
        let (succeeded, said) = git_in(&self.repository(), arguments);
        assert!(succeeded, "git {arguments:?}: {said}");
        said
    }

    /// `answers/<id>.json` as it is committed; None when there is none.
    pub fn answer_file(&self, id: &str) -> Option<String> {
        let (succeeded, said) = git_in(&self.repository(), &["show", &format!("main:answers/{id}.json")]);
        succeeded.then_some(said)
    }

    /// The commits that touched `answers/<id>.json`.
    pub fn commits_of(&self, id: &str) -> Vec<String> {
        let said = self.git(&["log", "--format=%H", "main", "--", &format!("answers/{id}.json")]);
        said.lines().map(str::to_owned).collect()
    }

    /// The only answer of this id: one commit brought it, the repository is sound, and the service signed it.
    pub async fn saved_answer(&self, id: &str) -> Value {
        assert_eq!(self.commits_of(id).len(), 1, "commits of {id}");
        self.is_sound().await;
        let text = self.answer_file(id).expect("there is a file");
        let answer: Answer = serde_json::from_str(&text).unwrap();
        answer.verify(&[self.key().await]).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// git finds nothing wrong. While something else is being written it may miss objects that came behind it, so it looks
    /// again: what is really broken stays so.
    async fn is_sound(&self) {
        let fsck = ["fsck", "--strict", "--full", "--no-dangling"];
        until("git fsck is content", async || {
            let (succeeded, said) = git_in(&self.repository(), &fsck);
            (succeeded && said.is_empty()).then_some(())
        })
        .await;
    }

    /// The public half of the key, as `pagerd key` prints it.
    pub async fn key(&self) -> VerifyingKey {
        let ended = self.pagerd(&["key"]).await;
        assert_eq!(ended.code, Some(0), "{ended:?}");
        VerifyingKey::parse(ended.output.trim()).unwrap()
    }

    /// Somebody else commits a file to the repository.
    pub fn commit_from_elsewhere(&self, path: &str, text: &str) {
        let work = self.folder().join("elsewhere");
        let run = |arguments: &[&str]| {
            let (succeeded, said) = git_in(&work, arguments);
            assert!(succeeded, "git {arguments:?}: {said}");
        };
        std::fs::create_dir_all(&work).unwrap();
        run(&["init", "--quiet", "--initial-branch=main"]);
        run(&["fetch", "--quiet", self.repository().to_str().unwrap(), "main"]);
        run(&["reset", "--quiet", "--hard", "FETCH_HEAD"]);
        std::fs::create_dir_all(work.join(path).parent().unwrap()).unwrap();
        std::fs::write(work.join(path), text).unwrap();
        run(&["add", "--all"]);
        run(&["commit", "--quiet", "--message", "from elsewhere"]);
        run(&["push", "--quiet", self.repository().to_str().unwrap(), "HEAD:main"]);
    }

    /// Keeps pagerd from writing into it for as long as the file lives.
    pub fn hold_writing(&self) -> File {
        let path = self.repository().join("pager-writer.lock");
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).unwrap();
        flock(&file, FlockOperation::NonBlockingLockExclusive).unwrap();
        file
    }

    /// Makes the repository refuse every write, until [`Self::mend_repository`].
    pub fn break_repository(&self) {
        std::fs::rename(self.repository().join("objects"), self.repository().join("objects.away")).unwrap();
        std::fs::write(self.repository().join("objects"), "not a folder").unwrap();
    }

    /// Mends it.
    pub fn mend_repository(&self) {
        std::fs::remove_file(self.repository().join("objects")).unwrap();
        std::fs::rename(self.repository().join("objects.away"), self.repository().join("objects")).unwrap();
    }
}

fn git_in(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new("git")
        .current_dir(folder)
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "Somebody")))
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "somebody@example.org")))
        .output()
        .expect("git is installed");
    if output.status.success() {
        (true, String::from_utf8(output.stdout).unwrap())
    } else {
        (false, String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
