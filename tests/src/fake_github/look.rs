//! Looking at repositories and requests from a test: copies, so that nothing is held locked.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use super::FakeGitHub;
use super::faults::matches;
use super::git::Git;
use super::state::{Call, State};

impl FakeGitHub {
    /// Looks at anything in the state.
    pub fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        self.shared().look(look)
    }

    /// Every request that reached the server, oldest first.
    pub fn calls(&self) -> Vec<Call> {
        self.look(|state| state.calls.clone())
    }

    /// The requests of one method (`*` for any) to paths that fit, where `*` stands for anything.
    pub fn calls_of(&self, method: &str, path: &str) -> Vec<Call> {
        let mut calls = self.calls();
        calls.retain(|call| (method == "*" || call.method == method) && matches(path, &call.path));
        calls
    }

    /// How many requests with this token cost quota.
    pub fn spent_by(&self, token: &str) -> usize {
        self.look(|state| state.calls.iter().filter(|call| call.is_counted && call.token.as_deref() == Some(token)).count())
    }

    /// The real bare repository on disk, for git itself.
    pub fn git_dir(&self, repository: &str) -> PathBuf {
        self.look(|state| state.repository(repository).git.folder().to_owned())
    }

    /// What git says about a repository.
    ///
    /// # Panics
    /// When git fails.
    pub fn git(&self, repository: &str, arguments: &[&str]) -> String {
        self.try_git(repository, arguments).unwrap_or_else(|said| panic!("git {arguments:?}: {said}"))
    }

    /// The same; `Err` is what git said when it failed.
    ///
    /// # Errors
    /// When git fails.
    ///
    /// # Panics
    /// When there is no git.
    pub fn try_git(&self, repository: &str, arguments: &[&str]) -> Result<String, String> {
        let folder = self.git_dir(repository);
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(&folder).args(arguments).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", &folder);
        let done = command.output().expect("there is a git program");
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        if done.status.success() { Ok(said) } else { Err(format!("{said}{}", String::from_utf8_lossy(&done.stderr))) }
    }

    /// The number of a repository.
    pub fn repository_id(&self, repository: &str) -> u64 {
        self.look(|state| state.repository(repository).id)
    }

    /// The number of a person, who is known from here on.
    pub fn user_id(&self, login: &str) -> u64 {
        self.shared().change(|state| state.user(login).id)
    }

    /// The commit that a branch stands at.
    pub fn head(&self, repository: &str, branch: &str) -> Option<String> {
        self.look(|state| state.repository(repository).git.head(branch).map(|id| id.to_string()))
    }

    /// The bytes of a file on a branch.
    pub fn file(&self, repository: &str, branch: &str, path: &str) -> Option<Vec<u8>> {
        self.look(|state| {
            let git = &state.repository(repository).git;
            let tree = git.commit(git.head(branch)?)?.tree;
            git.blob(git.find(tree, path)?.id)
        })
    }

    /// Every file of a branch with its bytes, by path.
    pub fn files(&self, repository: &str, branch: &str) -> BTreeMap<String, Vec<u8>> {
        self.look(|state| {
            let git = &state.repository(repository).git;
            let mut files = BTreeMap::new();
            if let Some(commit) = git.head(branch).and_then(|head| git.commit(head)) {
                collect(git, commit.tree, "", &mut files);
            }
            files
        })
    }

    /// The messages of a branch's commits, newest first, along the first parents.
    pub fn messages(&self, repository: &str, branch: &str) -> Vec<String> {
        self.look(|state| {
            let git = &state.repository(repository).git;
            let mut messages = Vec::new();
            let mut next = git.head(branch);
            while let Some(commit) = next.and_then(|id| git.commit(id)) {
                messages.push(commit.message.to_string());
                next = commit.parents.first().copied();
            }
            messages
        })
    }

    /// A variable of Actions.
    pub fn variable(&self, repository: &str, name: &str) -> Option<String> {
        self.look(|state| state.repository(repository).variables.get(&name.to_uppercase()).cloned())
    }

    /// The faults that wait for their request.
    pub fn waiting_faults(&self) -> usize {
        self.look(|state| state.faults.left())
    }
}

fn collect(git: &Git, tree: gix::ObjectId, above: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in git.entries(tree) {
        let path = if above.is_empty() { entry.name } else { format!("{above}/{}", entry.name) };
        if entry.mode.is_tree() {
            collect(git, entry.id, &path, files);
        } else if let Some(bytes) = git.blob(entry.id) {
            files.insert(path, bytes);
        }
    }
}
