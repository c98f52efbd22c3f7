//! The settings of GitHub mode and of git mode.

use std::path::PathBuf;

use pager_questions::{AgentName, VerifyingKey};
use secrecy::SecretString;

use super::{Sources, address};
use crate::failure::Failure;
use crate::git::Address;
use crate::github::Repository;

/// GitHub's own API.
const USUAL_API: &str = "https://api.github.com";
/// The branch that answers are on unless the setting names another.
const USUAL_BRANCH: &str = "main";

/// Everything that GitHub mode needs.
#[derive(Debug)]
pub struct GitHubSettings {
    /// The API's address, without a slash at the end.
    pub api: String,
    /// Where events go.
    pub control: Repository,
    /// Where answers are.
    pub answers: Repository,
    /// The branch that they are on.
    pub branch: String,
    /// Sends events: GH_TOKEN or GITHUB_TOKEN.
    pub token: Option<SecretString>,
    /// Reads answers, where it is another one.
    pub answers_token: Option<SecretString>,
    /// See [`super::Settings::keys`].
    pub keys: Vec<VerifyingKey>,
    /// The name that the agent gives itself.
    pub agent: Option<AgentName>,
}

/// Everything that git mode needs.
#[derive(Debug)]
pub struct GitSettings {
    /// Where answers are.
    pub answers: Address,
    /// The branch that they are on.
    pub branch: String,
    /// Reads them, over HTTP.
    pub answers_token: Option<SecretString>,
    /// Where events go.
    pub events: Option<Address>,
    /// Pushes them, over HTTP.
    pub events_token: Option<SecretString>,
    /// A folder for what was fetched.
    pub cache: PathBuf,
    /// See [`super::Settings::keys`].
    pub keys: Vec<VerifyingKey>,
    /// The name that the agent gives itself.
    pub agent: Option<AgentName>,
}

impl GitHubSettings {
    /// Collects them.
    ///
    /// # Errors
    /// Code 1, naming what is missing or wrong.
    pub fn of(sources: &Sources<'_>) -> Result<Self, Failure> {
        let api = match sources.setting("ASK_GITHUB_API", "github_api", &sources.file.github_api) {
            Some((name, url)) => address(&name, &url)?,
            None => USUAL_API.to_owned(),
        };
        let control = sources.setting("ASK_CONTROL", "control", &sources.file.control);
        let (name, text) = control.ok_or_else(|| Failure::failed("ASK_CONTROL is not set; set it to owner/repo"))?;
        let control = Repository::parse(&name, &text)?;
        let answers = sources.setting("ASK_ANSWERS", "answers", &sources.file.answers).ok_or_else(|| {
            Failure::failed(
                "ASK_ANSWERS is not set: GitHub mode needs the repository of answers as owner/repo or owner/repo@branch",
            )
        })?;
        let (name, text) = &answers;
        let (repository, branch) = match text.split_once('@') {
            Some((repository, branch)) => (repository, checked_branch(name, branch)?),
            None => (text.as_str(), USUAL_BRANCH.to_owned()),
        };
        let token = match sources.token("GH_TOKEN")? {
            Some(token) => Some(token),
            None => sources.token("GITHUB_TOKEN")?,
        };
        let is_files_own = sources.variable("ASK_ANSWERS").is_none() && sources.variable("ASK_GITHUB_API").is_none();
        Ok(Self {
            api,
            control,
            answers: Repository::parse(name, repository)?,
            branch,
            token,
            answers_token: answers_token(sources, is_files_own)?,
            keys: sources.keys()?,
            agent: sources.agent()?,
        })
    }
}

impl GitSettings {
    /// Collects them.
    ///
    /// # Errors
    /// Code 1, naming what is missing or wrong.
    pub fn of(sources: &Sources<'_>) -> Result<Self, Failure> {
        let answers = sources.setting("ASK_ANSWERS", "answers", &sources.file.answers);
        let (name, text) =
            answers.ok_or_else(|| Failure::failed("ASK_ANSWERS is not set; set it to the repository of answers"))?;
        let (url, branch) = Address::split_branch(&text);
        let events = sources.setting("ASK_EVENTS", "events", &sources.file.events);
        let cache = sources.folder("XDG_CACHE_HOME", ".cache").map(|folder| folder.join("pager/ask"));
        Ok(Self {
            answers: Address::parse(&name, url)?,
            branch: branch.map_or(Ok(USUAL_BRANCH.to_owned()), |branch| checked_branch(&name, branch))?,
            answers_token: answers_token(sources, sources.variable("ASK_ANSWERS").is_none())?,
            events: events.map(|(name, text)| Address::parse(&name, &text)).transpose()?,
            events_token: sources.token("ASK_EVENTS_TOKEN")?,
            cache: cache.ok_or_else(|| {
                Failure::failed(
                    "there is no folder for what git fetches: set XDG_CACHE_HOME or HOME to a folder that can be written",
                )
            })?,
            keys: sources.keys()?,
            agent: sources.agent()?,
        })
    }
}

/// The file's token goes to the file's own repository only.
fn answers_token(sources: &Sources<'_>, is_files_own: bool) -> Result<Option<SecretString>, Failure> {
    match sources.token("ASK_ANSWERS_TOKEN")? {
        Some(token) => Ok(Some(token)),
        None if is_files_own => {
            sources.token_of_file("answers_token", &sources.file.answers_token, &sources.file.answers_token_file)
        }
        None => Ok(None),
    }
}

/// A branch as git takes one, as far as it could be mistaken for something else.
fn checked_branch(name: &str, branch: &str) -> Result<String, Failure> {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-' | '/' | '+' | '#');
    let wrong = branch.is_empty()
        || branch.starts_with(['-', '/', '.'])
        || branch.ends_with(['/', '.'])
        || branch.contains("..")
        || branch.contains("//")
        || !branch.chars().all(is_plain);
    if wrong {
        return Err(Failure::failed(format!("{name}: {branch:?} after the @ is not the name of a branch, such as main")));
    }
    Ok(branch.to_owned())
}
