//! A fresh bare repository, and git beside it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use async_trait::async_trait;
use pager_answers::{BareRepository, Keeper, conformance::Surroundings};
use tempfile::TempDir;

pub struct Place {
    pub folder: TempDir,
    pub keeper: Arc<dyn Keeper>,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let keeper = open(&folder.path().join("answers.git"));
        Self { folder, keeper }
    }

    pub fn repository(&self) -> PathBuf {
        self.folder.path().join("answers.git")
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        git(&self.repository(), arguments).unwrap()
    }
}

pub fn open(path: &Path) -> Arc<dyn Keeper> {
    Arc::new(BareRepository::open(path, "main").unwrap())
}

/// Runs git without anybody's settings; its standard output without the last line break, or its complaint.
pub fn git(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\n').to_owned();
    run_git(folder, arguments).map(|bytes| text(&bytes)).map_err(|bytes| text(&bytes))
}

fn run_git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, Vec<u8>> {
    let output = Command::new("git")
        .args(["-c", "user.name=other", "-c", "user.email=other@localhost", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    if output.status.success() { Ok(output.stdout) } else { Err(output.stderr) }
}

/// Clones, adds one file and pushes, anew until the push is not overtaken.
pub fn push_file(repository: &Path, path: &str, bytes: &[u8]) {
    let clone = tempfile::tempdir().unwrap();
    let folder = clone.path();
    git(folder, &["clone", "-q", "-b", "main", repository.to_str().unwrap(), "."]).unwrap();
    for _ in 0..200 {
        git(folder, &["fetch", "-q", "origin"]).unwrap();
        git(folder, &["reset", "-q", "--hard", "origin/main"]).unwrap();
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
        git(folder, &["add", "-A"]).unwrap();
        git(folder, &["commit", "-q", "-m", &format!("write {path}")]).unwrap();
        if git(folder, &["push", "-q", "origin", "HEAD:main"]).is_ok() {
            return;
        }
    }
    panic!("{path} could not be pushed");
}

#[async_trait]
impl Surroundings for Place {
    fn keeper(&self) -> Arc<dyn Keeper> {
        Arc::clone(&self.keeper)
    }

    async fn write_elsewhere(&self, path: &str, bytes: &[u8]) {
        let (repository, path, bytes) = (self.repository(), path.to_owned(), bytes.to_vec());
        tokio::task::spawn_blocking(move || push_file(&repository, &path, &bytes)).await.unwrap();
    }

    async fn file(&self, path: &str) -> Option<Vec<u8>> {
        run_git(&self.repository(), &["show", &format!("main:{path}")]).ok()
    }

    async fn messages(&self) -> Vec<String> {
        let log = self.git(&["log", "-z", "--format=%B", "main"]);
        log.split('\0').map(|message| message.trim_end().to_owned()).filter(|message| !message.is_empty()).collect()
    }

    async fn assert_sound(&self) {
        let verdict = git(&self.repository(), &["fsck", "--full", "--strict", "--no-dangling"]).unwrap();
        assert_eq!(verdict, "", "git fsck complains");
    }
}
