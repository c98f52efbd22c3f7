//! Looking for words that must be nowhere.

use std::path::Path;

use super::World;

impl World {
    /// Panics when these words lie in any file of this world: the store and its journal, the log, git's objects, whatever else.
    #[track_caller]
    pub fn holds_nowhere(&self, words: &str) {
        let mut found = Vec::new();
        look_through(self.folder(), words.as_bytes(), &mut found);
        assert!(found.is_empty(), "{words:?} lies in {found:?}");
        // Objects are compressed.
        if self.repository().exists() {
            let mut git = std::process::Command::new("git");
            git.current_dir(self.repository()).args(["cat-file", "--batch-all-objects", "--batch"]);
            let objects = git.output().unwrap();
            assert!(objects.status.success(), "git's objects could not be read");
            assert!(!holds(&objects.stdout, words.as_bytes()), "{words:?} lies in an object of git's");
        }
    }
}

fn look_through(folder: &Path, words: &[u8], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            look_through(&path, words, found);
            continue;
        }
        // What is made and deleted meanwhile holds nothing any more.
        let content = std::fs::read(&path).unwrap_or_default();
        if holds(&content, words) {
            found.push(path.display().to_string());
        }
    }
}

fn holds(content: &[u8], words: &[u8]) -> bool {
    content.windows(words.len()).any(|window| window == words)
}
