//! The reins of a test: repositories, tokens and Apps come and go, faults wait, the clock moves.

use std::collections::BTreeMap;

use super::FakeGitHub;
use super::access::{Kind, Rights, Token};
use super::apps::{App, Installation};
use super::faults::Fault;
use super::git::Git;
use super::repository::Repository;
use super::state::State;
use crate::keys::Key;

/// Whether whoever has no right sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Nobody without a right does.
    Private,
    /// Everybody does.
    Public,
}

impl FakeGitHub {
    /// Adds a repository with one commit (a README) on `main`; gives its number.
    pub fn add_repository(&self, full_name: &str, visibility: Visibility) -> u64 {
        let id = self.add_empty_repository(full_name, visibility);
        self.commit(full_name, "main", "README.md", format!("# {full_name}\n").as_bytes());
        id
    }

    /// Adds a repository without a commit; its default branch will be `main`.
    ///
    /// # Panics
    /// When the name is not `owner/name`, or the disk is full.
    pub fn add_empty_repository(&self, full_name: &str, visibility: Visibility) -> u64 {
        self.shared().change(|state| add_repository(state, full_name, visibility))
    }

    /// Adds a fine-grained personal access token of a person for some repositories.
    pub fn add_token(&self, login: &str, rights: &[(&str, Rights)]) -> String {
        self.shared().change(|state| add_token(state, login, rights))
    }

    /// Gives a token the right to make repositories in its owner's account.
    pub fn let_create(&self, token: &str) {
        self.shared().change(|state| {
            state.tokens.get_mut(token).expect("the token was added before").may_create = true;
        });
    }

    /// Makes a token worthless.
    pub fn revoke(&self, token: &str) {
        self.shared().change(|state| state.tokens.remove(token));
    }

    /// Changes what a token may on a repository; `None` takes it off the repository.
    pub fn set_rights(&self, token: &str, repository: &str, rights: Option<Rights>) {
        self.shared().change(|state| {
            let id = state.repository(repository).id;
            let token = state.tokens.get_mut(token).expect("the token was added before");
            match rights {
                Some(rights) => token.rights.insert(id, rights),
                None => token.rights.remove(&id),
            };
        });
    }

    /// Adds a GitHub App with this key, installed on some repositories; gives its number.
    pub fn add_app(&self, slug: &str, key: &Key, rights: &[(&str, Rights)]) -> u64 {
        self.shared().change(|state| {
            let (id, rights) = (state.new_id(), by_id(state, rights));
            let owner = rights.keys().next().and_then(|id| Some(state.by_id(*id)?.owner.clone()));
            let installation = owner.map(|account| Installation { id: state.new_id(), account, rights });
            let installations = installation.into_iter().collect();
            let app = App { id, slug: slug.to_owned(), public_pem: key.public_pem().to_owned(), hook: None, installations };
            state.apps.insert(id, app);
            id
        })
    }

    /// Installs an App on some repositories of one owner, as a new installation.
    ///
    /// # Panics
    /// When the App was not added.
    pub fn install(&self, app: u64, rights: &[(&str, Rights)]) {
        self.shared().change(|state| {
            let (id, rights) = (state.new_id(), by_id(state, rights));
            let owner = rights.keys().next().and_then(|id| Some(state.by_id(*id)?.owner.clone()));
            let app = state.apps.get_mut(&app).expect("the App was added before");
            app.installations.extend(owner.map(|account| Installation { id, account, rights }));
        });
    }

    /// Takes an App off every repository; its tokens die.
    pub fn uninstall(&self, app: u64) {
        self.shared().change(|state| {
            let app = state.apps.get_mut(&app).expect("the App was added before");
            let gone: Vec<_> = app.installations.drain(..).map(|it| format!("installation:{}", it.id)).collect();
            state.tokens.retain(|_, token| !gone.contains(&token.budget));
        });
    }

    /// Somebody else commits a file, as by a push. The branch is made when it is not there.
    ///
    /// # Panics
    /// When the path is none, or somebody moves the branch again and again meanwhile.
    pub fn commit(&self, repository: &str, branch: &str, path: &str, bytes: &[u8]) -> String {
        self.shared().change(|state| {
            let tried = (0..100).find_map(|_| commit(state, repository, branch, path, Some(bytes)).ok());
            tried.expect("the branch stands still for a moment")
        })
    }

    /// Somebody else deletes a file.
    ///
    /// # Panics
    /// As [`Self::commit`].
    pub fn remove(&self, repository: &str, branch: &str, path: &str) -> String {
        self.shared().change(|state| {
            let tried = (0..100).find_map(|_| commit(state, repository, branch, path, None).ok());
            tried.expect("the branch stands still for a moment")
        })
    }

    /// Deletes a branch, or moves it to any commit: `None` for away.
    ///
    /// # Panics
    /// When the commit's name is none.
    pub fn force(&self, repository: &str, branch: &str, to: Option<&str>) {
        self.shared().change(|state| {
            let now = state.now_ms();
            let repository = state.repository_mut(repository);
            let from = repository.git.head(branch);
            let to = to.map(|to| super::repository::hash(to).expect("it is a full hash"));
            repository.set(&format!("refs/heads/{branch}"), from, to, now).expect("nobody else moves the branch");
        });
    }

    /// Hides a repository from everybody as if it were deleted, or brings it back.
    pub fn set_gone(&self, repository: &str, is_gone: bool) {
        self.shared().change(|state| state.repository_mut(repository).is_gone = is_gone);
    }

    /// Makes a repository public or private.
    pub fn set_visibility(&self, repository: &str, visibility: Visibility) {
        self.shared().change(|state| state.repository_mut(repository).is_private = visibility == Visibility::Private);
    }

    /// Renames a repository (the owner stays); the old name redirects.
    pub fn rename(&self, repository: &str, name: &str) {
        self.shared().change(|state| {
            let repository = state.repository_mut(repository);
            let former = repository.full_name();
            repository.former.push(former);
            name.clone_into(&mut repository.name);
        });
    }

    /// Sets a variable of Actions.
    pub fn set_variable(&self, repository: &str, name: &str, value: &str) {
        self.shared().change(|state| state.repository_mut(repository).variables.insert(name.to_uppercase(), value.to_owned()));
    }

    /// The next request of this kind meets a fault; `*` for any method, and for anything in the path.
    pub fn fault(&self, method: &str, path: &str, fault: Fault) {
        self.faults(method, path, fault, 1);
    }

    /// The next requests of this kind do.
    pub fn faults(&self, method: &str, path: &str, fault: Fault, times: usize) {
        self.shared().change(|state| state.faults.add(method, path, &fault, times));
    }

    /// Takes the faults away that still wait.
    pub fn clear_faults(&self) {
        self.shared().change(|state| state.faults.clear());
    }

    /// Lets hanging requests go on.
    pub fn release(&self) {
        self.shared().change(|state| state.faults.releases += 1);
    }

    /// Cuts every connection from here on without carrying anything out, or ends that.
    pub fn set_down(&self, is_down: bool) {
        self.shared().change(|state| state.is_down = is_down);
    }

    /// Reads of a branch show what it was so many seconds ago; 0 for as it is.
    pub fn lag_reads(&self, repository: &str, seconds: i64) {
        self.shared().change(|state| state.repository_mut(repository).lag_ms = seconds * 1000);
    }

    /// So long passes in every request between the look at the branches and what it does.
    pub fn set_pause(&self, milliseconds: u64) {
        self.shared().change(|state| state.write_pause = milliseconds);
    }

    /// Moves the fake's clock: tokens of installations die after an hour, limits are of a minute or an hour.
    pub fn age(&self, seconds: i64) {
        self.shared().change(|state| state.age(seconds * 1000));
    }

    /// Sets the fake's clock, which goes on from there; seconds since 1970.
    pub fn set_time(&self, seconds: i64) {
        self.shared().change(|state| {
            let ahead = seconds * 1000 - state.now_ms();
            state.age(ahead);
        });
    }

    /// Another number of requests an hour, from a fresh hour on; `None` for the usual one.
    pub fn set_hourly_limit(&self, requests: Option<u64>) {
        self.shared().change(|state| {
            state.limits.forget();
            state.limits.hourly = requests;
        });
    }

    /// The bound of 80 writes a minute and 500 an hour, on or off. It is on at start.
    pub fn enforce_pace(&self, is_on: bool) {
        self.shared().change(|state| {
            state.limits.forget();
            state.limits.writes = is_on.then_some((80, 500));
        });
    }

    /// What was carried out although GitHub's published description refuses it. A handle with any panics at its end.
    pub fn violations(&self) -> Vec<String> {
        self.look(|state| state.violations.clone())
    }

    /// The same, forgotten.
    pub fn take_violations(&self) -> Vec<String> {
        self.shared().change(|state| std::mem::take(&mut state.violations))
    }
}

pub(super) fn add_repository(state: &mut State, full_name: &str, visibility: Visibility) -> u64 {
    let (owner, name) = full_name.split_once('/').expect("the name is owner/name");
    let (id, owner) = (state.new_id(), state.user(owner));
    let git = Git::make(&state.new_folder(id), "main").expect("the disk has room");
    state.repositories.push(Repository {
        id,
        owner,
        name: name.to_owned(),
        is_private: visibility == Visibility::Private,
        default_branch: "main".to_owned(),
        former: Vec::new(),
        is_gone: false,
        git,
        variables: BTreeMap::new(),
        secrets: BTreeMap::new(),
        lag_ms: 0,
        moves: Vec::new(),
    });
    id
}

pub(super) fn add_token(state: &mut State, login: &str, rights: &[(&str, Rights)]) -> String {
    let (user, number, rights) = (state.user(login), state.new_id(), by_id(state, rights));
    let text = format!("github_pat_{login}_{number}");
    // All tokens of a person draw on one budget.
    let budget = format!("user:{}", user.id);
    state.tokens.insert(text.clone(), Token { user, kind: Kind::Personal, rights, may_create: false, expires_ms: None, budget });
    text
}

fn by_id(state: &State, rights: &[(&str, Rights)]) -> BTreeMap<u64, Rights> {
    rights.iter().map(|(name, rights)| (state.repository(name).id, rights.clone())).collect()
}

pub(super) fn commit(
    state: &mut State,
    repository: &str,
    branch: &str,
    path: &str,
    bytes: Option<&[u8]>,
) -> anyhow::Result<String> {
    let now = state.now_ms();
    let repository = state.repository_mut(repository);
    let git = &repository.git;
    let head = git.head(branch);
    let tree = head.and_then(|head| git.commit(head)).map(|commit| commit.tree);
    let blob = bytes.map(|bytes| git.write_blob(bytes)).transpose()?;
    let tree = git.put(tree, vec![(path.to_owned(), blob.map(|blob| (gix::objs::tree::EntryKind::Blob.into(), blob)))])?;
    let time = gix::date::Time { seconds: now / 1000, offset: 0 };
    let somebody = gix::actor::Signature { name: "Somebody".into(), email: "somebody@example.org".into(), time };
    let message = format!("{} {path}\n", if bytes.is_some() { "Write" } else { "Remove" });
    let commit = git.write_commit(tree, head.into_iter().collect(), somebody.clone(), somebody, &message)?;
    let moved = repository.set(&format!("refs/heads/{branch}"), head, Some(commit), now);
    moved.map_err(|at| anyhow::anyhow!("somebody else moved the branch to {at:?}"))?;
    Ok(commit.to_string())
}
