//! The repository behind the server, as whoever owns the machine sees and changes it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::GitHttp;

impl GitHttp {
    /// The folder of the bare repository.
    pub fn repository(&self) -> PathBuf {
        self.folder.path().join("answers.git")
    }

    /// Runs git in the repository; what it prints, without the last line break.
    ///
    /// # Panics
    /// When it fails.
    pub fn git(&self, arguments: &[&str]) -> String {
        let printed = git(&self.repository(), arguments).unwrap_or_else(|words| panic!("git {arguments:?}: {words}"));
        String::from_utf8_lossy(&printed).trim_end_matches('\n').to_owned()
    }

    /// The file at the head of `main`.
    pub fn file(&self, path: &str) -> Option<Vec<u8>> {
        git(&self.repository(), &["show", &format!("main:{path}")]).ok()
    }

    /// Commits a file to `main` as another program would, anew until no other writer is faster.
    ///
    /// # Panics
    /// When that does not work two hundred times.
    pub fn commit(&self, path: &str, bytes: &[u8]) {
        let work = tempfile::tempdir().expect("there is room for a folder");
        let run = |arguments: &[&str]| git(work.path(), arguments);
        run(&["clone", "--quiet", &self.repository().to_string_lossy(), "."]).expect("it can be cloned");
        for _ in 0..200 {
            let _ = run(&["fetch", "--quiet", "origin"]);
            let _ = run(&["reset", "--quiet", "--hard", "origin/main"]);
            let file = work.path().join(path);
            let _ = file.parent().map(fs::create_dir_all);
            fs::write(&file, bytes).expect("it can be written");
            run(&["add", "--all"]).expect("it can be added");
            run(&["commit", "--quiet", "--allow-empty", "--message", &format!("write {path}")]).expect("it can be committed");
            if run(&["push", "--quiet", "origin", "HEAD:main"]).is_ok() {
                return;
            }
        }
        panic!("{path} could not be pushed");
    }

    /// Refuses every push from here on with these lines, as a rule of the server's does.
    ///
    /// # Panics
    /// When the hook cannot be written.
    pub fn refuse_pushes(&self, words: &str) {
        let text = self.repository().join("refusal.txt");
        fs::write(&text, words).expect("it can be written");
        let hook = self.repository().join("hooks/pre-receive");
        let script = format!("#!/bin/sh\ncat '{}' >&2\nexit 1\n", text.display());
        fs::create_dir_all(self.repository().join("hooks")).expect("there is room for a folder");
        fs::write(&hook, script).expect("it can be written");
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("it can be made a program");
    }

    /// Takes pushes again.
    pub fn accept_pushes(&self) {
        let _ = fs::remove_file(self.repository().join("hooks/pre-receive"));
    }

    /// The branch `main` is gone.
    pub fn delete_branch(&self) {
        self.git(&["update-ref", "-d", "refs/heads/main"]);
    }

    /// The repository is gone; [`Self::bring_back`] returns it.
    ///
    /// # Panics
    /// When it is gone already.
    pub fn take_away(&self) {
        fs::rename(self.repository(), self.folder.path().join("away")).expect("it is there");
    }

    /// Returns what [`Self::take_away`] took.
    ///
    /// # Panics
    /// When nothing was taken away.
    pub fn bring_back(&self) {
        fs::rename(self.folder.path().join("away"), self.repository()).expect("it was taken away");
    }
}

pub(super) fn make(path: &Path) {
    let made = git(Path::new("/"), &["init", "--quiet", "--bare", "--initial-branch=main", &path.to_string_lossy()]);
    made.unwrap_or_else(|words| panic!("git init: {words}"));
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("git")
        .current_dir(folder)
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "Somebody")))
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "somebody@example.org")))
        .output()
        .map_err(|error| format!("git cannot be started: {error}"))?;
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
