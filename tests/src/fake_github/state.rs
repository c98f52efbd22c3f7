//! Everything the fake knows: repositories, who may what, what was asked of it, and its clock.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::access::{Token, User};
use super::apps::App;
use super::events::Event;
use super::faults::Faults;
use super::hooks::Delivery;
use super::limits::Limits;
use super::refusal::Refusal;
use super::repository::Repository;

/// The state of a GitHub.
#[derive(Debug)]
pub struct State {
    pub(super) folder: tempfile::TempDir,
    pub(super) base_url: String,
    pub(super) repositories: Vec<Repository>,
    pub(super) users: BTreeMap<String, User>,
    pub(super) tokens: BTreeMap<String, Token>,
    pub(super) apps: BTreeMap<u64, App>,
    pub(super) limits: Limits,
    pub(super) faults: Faults,
    /// Every request, oldest first.
    pub calls: Vec<Call>,
    /// Every dispatched event, oldest first.
    pub events: Vec<Event>,
    /// Every delivery of a webhook, oldest first.
    pub deliveries: Vec<Delivery>,
    pub(super) violations: Vec<String>,
    pub(super) is_down: bool,
    pub(super) holds_deliveries: bool,
    /// How long the fake takes between reading a branch and moving it, milliseconds.
    pub(super) write_pause: u64,
    offset_ms: i64,
    next_id: u64,
}

/// A request that reached the server.
#[derive(Debug, Clone)]
pub struct Call {
    /// Such as `GET`.
    pub method: String,
    /// The path, decoded, without the query.
    pub path: String,
    /// The query as it came.
    pub query: String,
    /// The body, when it was JSON; else null.
    pub body: Value,
    /// The token that it came with.
    pub token: Option<String>,
    /// The request's headers, names in lower case, but for `authorization`.
    pub headers: BTreeMap<String, String>,
    /// By the fake's clock, milliseconds since 1970.
    pub at_ms: i64,
    /// Did it cost quota?
    pub is_counted: bool,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Not yet replied to.
    Open,
    /// Carried out and replied to with this status.
    Done(u16),
    /// Refused.
    Refused(Refusal),
    /// The client went away before the reply.
    Abandoned,
    /// A fault spoilt the reply.
    Spoilt {
        /// Whether it was carried out.
        applied: bool,
    },
}

impl State {
    pub(super) fn new(base_url: String) -> std::io::Result<Self> {
        Ok(Self {
            folder: tempfile::tempdir()?,
            base_url,
            repositories: Vec::new(),
            users: BTreeMap::new(),
            tokens: BTreeMap::new(),
            apps: BTreeMap::new(),
            limits: Limits::default(),
            faults: Faults::default(),
            calls: Vec::new(),
            events: Vec::new(),
            deliveries: Vec::new(),
            violations: Vec::new(),
            is_down: false,
            holds_deliveries: false,
            write_pause: 0,
            offset_ms: 0,
            next_id: 1000,
        })
    }

    /// Milliseconds since 1970 by the fake's clock.
    pub fn now_ms(&self) -> i64 {
        let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(real.as_millis()).unwrap_or(i64::MAX) + self.offset_ms
    }

    /// Seconds since 1970 by the fake's clock.
    pub fn now(&self) -> i64 {
        self.now_ms().div_euclid(1000)
    }

    pub(super) fn age(&mut self, milliseconds: i64) {
        self.offset_ms += milliseconds;
    }

    /// A number that no other thing has.
    pub(super) fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// The person of this name, known from here on.
    pub(super) fn user(&mut self, login: &str) -> User {
        if let Some(user) = self.users.get(login) {
            return user.clone();
        }
        let user = User { login: login.to_owned(), id: self.new_id(), is_bot: login.ends_with("[bot]") };
        self.users.insert(login.to_owned(), user.clone());
        user
    }

    /// The repository of this full name, in any case; panics when a test names one that was not added.
    pub(super) fn repository(&self, full_name: &str) -> &Repository {
        let found = self.repositories.iter().find(|it| it.is_called(full_name));
        found.unwrap_or_else(|| panic!("the fake GitHub has no repository {full_name}"))
    }

    pub(super) fn repository_mut(&mut self, full_name: &str) -> &mut Repository {
        let found = self.repositories.iter_mut().find(|it| it.is_called(full_name));
        found.unwrap_or_else(|| panic!("the fake GitHub has no repository {full_name}"))
    }

    pub(super) fn by_id(&self, id: u64) -> Option<&Repository> {
        self.repositories.iter().find(|it| it.id == id)
    }

    pub(super) fn new_folder(&self, id: u64) -> PathBuf {
        self.folder.path().join(format!("{id}.git"))
    }

    /// The repositories that were added.
    pub fn repository_ids(&self) -> BTreeSet<u64> {
        self.repositories.iter().map(|it| it.id).collect()
    }
}
