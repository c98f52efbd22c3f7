//! Who calls, and what they may do where.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::refusal::{Refusal, not_found};
use super::repository::Repository;
use super::state::State;

/// A person or a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub login: String,
    /// The number.
    pub id: u64,
    pub(super) is_bot: bool,
}

impl User {
    pub(super) fn value(&self, base_url: &str) -> Value {
        json!({
            "login": self.login, "id": self.id, "node_id": format!("U_{}", self.id),
            "type": if self.is_bot { "Bot" } else { "User" }, "site_admin": false,
            "url": format!("{base_url}/users/{}", self.login), "html_url": format!("https://github.com/{}", self.login),
        })
    }
}

/// What can be granted; reading the metadata comes with any of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// Files, commits, branches, dispatches.
    Contents,
    /// Runs of workflows.
    Actions,
    /// Variables of Actions.
    Variables,
    /// Secrets of Actions.
    Secrets,
    /// Files below `.github/workflows`.
    Workflows,
}

impl Permission {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Contents => "contents",
            Self::Actions => "actions",
            Self::Variables => "variables",
            Self::Secrets => "secrets",
            Self::Workflows => "workflows",
        }
    }
}

/// How much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Reading.
    Read,
    /// Reading and writing.
    Write,
}

/// What is granted on one repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rights(pub(super) BTreeMap<Permission, Level>);

impl Rights {
    /// The metadata alone.
    pub fn metadata() -> Self {
        Self::default()
    }

    /// Reading the contents.
    pub fn read() -> Self {
        Self::default().and(Permission::Contents, Level::Read)
    }

    /// Writing the contents, which includes dispatching.
    pub fn write() -> Self {
        Self::default().and(Permission::Contents, Level::Write)
    }

    /// Everything there is.
    pub fn everything() -> Self {
        use Permission::{Actions, Contents, Secrets, Variables, Workflows};
        [Contents, Actions, Variables, Secrets, Workflows].into_iter().fold(Self::default(), |all, it| all.and(it, Level::Write))
    }

    /// With this as well.
    #[must_use]
    pub fn and(mut self, permission: Permission, level: Level) -> Self {
        self.0.insert(permission, level);
        self
    }
}

/// What a token is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A fine-grained personal access token.
    Personal,
    /// Of a GitHub App's installation.
    Installation,
    /// `GITHUB_TOKEN` of a run.
    Workflow,
}

/// A token.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) user: User,
    pub(super) kind: Kind,
    /// By the number of the repository.
    pub(super) rights: BTreeMap<u64, Rights>,
    /// Has it the account's right to make repositories? It may do everything with those it made.
    pub(super) may_create: bool,
    /// Milliseconds since 1970 by the fake's clock.
    pub(super) expires_ms: Option<i64>,
    /// Whose quota it spends.
    pub(super) budget: String,
}

/// Who calls: a token that is known and alive, or nobody.
pub(super) type Caller = Option<Token>;

/// The holder of this bearer token.
pub(super) fn caller(state: &State, token: Option<&str>) -> Result<Caller, Refusal> {
    let Some(token) = token else { return Ok(None) };
    let known = state.tokens.get(token);
    let alive = known.filter(|token| token.expires_ms.is_none_or(|end| end > state.now_ms()));
    alive.cloned().map(Some).ok_or_else(|| Refusal::new(401, "Bad credentials"))
}

/// May the caller do this? Without any right on a private repository there is none.
pub(super) fn check(caller: &Caller, repository: &Repository, needed: Option<(Permission, Level)>) -> Result<(), Refusal> {
    let rights = caller.as_ref().and_then(|token| token.rights.get(&repository.id));
    if repository.is_gone || (rights.is_none() && repository.is_private) {
        return Err(not_found());
    }
    let Some((permission, level)) = needed else { return Ok(()) };
    let is_open = !repository.is_private && permission == Permission::Contents && level == Level::Read;
    if is_open || rights.is_some_and(|rights| rights.0.get(&permission) >= Some(&level)) {
        return Ok(());
    }
    let Some(token) = caller else { return Err(Refusal::new(401, "Requires authentication")) };
    let holder = match token.kind {
        Kind::Personal => "personal access token",
        Kind::Installation | Kind::Workflow => "integration",
    };
    let word = if level == Level::Write { "write" } else { "read" };
    Err(Refusal::new(403, format!("Resource not accessible by {holder}"))
        .header("x-accepted-github-permissions", format!("{}={word}", permission.word())))
}
