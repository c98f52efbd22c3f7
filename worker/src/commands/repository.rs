//! What `setup` and `doctor` find out about a repository on GitHub. Rights are tried, not read: what a repository says of a
//! token's rights is its owner's, and rules stand in places of their own.

use jiff::Timestamp;
use pager_answers::github::{Access, Call, Failure, GitHub, RepositoryName};
use serde_json::json;

/// A repository as GitHub shows it.
pub struct Repository {
    /// Its name as GitHub spells it, also after it was renamed.
    pub name: RepositoryName,
    /// Its number, which stays when its name changes.
    pub id: u64,
    /// Only those who were let in see it.
    pub is_private: bool,
    /// The branch whose workflows run.
    pub default_branch: String,
}

/// What came of trying a right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Right {
    /// The caller has it.
    Has,
    /// The caller does not; GitHub's words.
    Lacks(String),
    /// GitHub does not know the caller at all: a token that has expired, or is none; GitHub's words.
    NotTaken(String),
    /// It could not be found out; why.
    NotKnown(String),
}

/// Somebody's way to GitHub.
pub struct Caller {
    api: GitHub,
}

impl Caller {
    /// Connects to nothing.
    ///
    /// # Errors
    /// What is wrong with the address.
    pub fn new(access: &Access) -> Result<Self, String> {
        GitHub::new(access).map(|api| Self { api }).map_err(|error| error.to_string())
    }

    /// The repository, and what GitHub's clock said; None when there is no such one for this caller.
    ///
    /// # Errors
    /// Why GitHub did not say.
    pub async fn look(&self, name: &RepositoryName) -> Result<Option<(Repository, Option<Timestamp>)>, Failure> {
        let reply = self.api.call(name, Call::get(name.route())).await?;
        if reply.is_absent() {
            return Ok(None);
        }
        let body = reply.json();
        let (Some(id), true) = (body["id"].as_u64(), reply.is_success()) else { return Err(reply.failure()) };
        // Tokens of workflows spell the name as GitHub does.
        let name = body["full_name"].as_str().and_then(|full| full.parse().ok()).unwrap_or_else(|| name.clone());
        let is_private = body["private"].as_bool().unwrap_or(false);
        let default_branch = body["default_branch"].as_str().unwrap_or("main").to_owned();
        let time = reply.header("date").and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
        Ok(Some((Repository { name, id, is_private, default_branch }, time.map(|time| time.timestamp()))))
    }

    /// May the caller write into it? Tried with an object that no branch names, which GitHub throws away again.
    pub async fn may_write(&self, name: &RepositoryName) -> Right {
        let blob = json!({"content": "pager: may this token write?", "encoding": "utf-8"});
        let call = Call::new(http::Method::POST, format!("{}/git/blobs", name.route())).body(blob);
        match self.api.call(name, call).await {
            Ok(reply) if reply.is_success() => Right::Has,
            // An empty repository takes no objects yet, whoever brings them.
            Ok(reply) if reply.status == 409 => Right::NotKnown("it is empty".to_owned()),
            Ok(reply) => match reply.failure() {
                Failure::Refused { status: 401, reason } => Right::NotTaken(reason),
                Failure::Refused { reason, .. } => Right::Lacks(reason),
                Failure::Limited { reason, .. } | Failure::Unknown { reason } => Right::NotKnown(reason),
            },
            Err(failure) => Right::NotKnown(failure.reason().to_owned()),
        }
    }

    /// The text of a file on the default branch; None when there is none.
    ///
    /// # Errors
    /// Why GitHub did not say.
    pub async fn file(&self, name: &RepositoryName, path: &str) -> Result<Option<String>, Failure> {
        let call = Call::get(format!("{}/contents/{path}", name.route())).accept("application/vnd.github.raw+json");
        let reply = self.api.call(name, call).await?;
        match reply.is_absent() {
            true => Ok(None),
            false if reply.is_success() => Ok(Some(reply.body)),
            false => Err(reply.failure()),
        }
    }

    /// A variable of its workflows; None when it is not set.
    ///
    /// # Errors
    /// Why GitHub did not say: mostly that the caller may not read variables.
    pub async fn variable(&self, name: &RepositoryName, variable: &str) -> Result<Option<String>, Failure> {
        let call = Call::get(format!("{}/actions/variables/{variable}", name.route()));
        let reply = self.api.call(name, call).await?;
        match reply.is_absent() {
            true => Ok(None),
            false if reply.is_success() => Ok(reply.json()["value"].as_str().map(str::to_owned)),
            false => Err(reply.failure()),
        }
    }

    /// The account that the caller's token belongs to: login and numeric id. None for an App, or when GitHub did not say.
    pub async fn account(&self, name: &RepositoryName) -> Option<(String, u64)> {
        let reply = self.api.call(name, Call::get("/user")).await.ok().filter(|reply| reply.is_success())?;
        let user = reply.json();
        Some((user["login"].as_str()?.to_owned(), user["id"].as_u64()?))
    }

    /// The raw way, for what only one of the two does.
    pub fn api(&self) -> &GitHub {
        &self.api
    }
}
