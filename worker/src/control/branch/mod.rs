//! Events that lie as files `events/<event id>.json` on a branch, for a pagerd that nobody can reach from outside. Whoever may
//! push there has proved them. What they mean is decided where every other event's is.

mod git;
mod github;
mod source;
mod taking;
mod tidying;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use pager_answers::github::GitHub;
use pager_answers::{Credentials, KeeperSettings};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::Control;
use crate::configuration::{self, control::Inbox};
use crate::store::EventFile;

use git::GitBranch;
use github::GitHubBranch;
pub use source::Source;
use source::{Look, Trouble};

/// The branch.
pub const BRANCH: &str = "pager-events";
/// Its folder of events that wait.
const EVENTS: &str = "events";
/// Its folder of files that were no event that could be taken.
const REFUSED: &str = "refused";
/// Its part in the health of pagerd.
const PART: &str = "inbox";
/// How often it looks for something new.
const LOOKS_EVERY: Duration = Duration::from_secs(5);
/// The longest pause while the branch cannot be looked at.
const LAST_PAUSE: Duration = Duration::from_secs(60);
/// How often what was dealt with is taken away.
const TIDIES_EVERY: Duration = Duration::from_secs(60 * 60);

/// What is known of the branch.
struct Watch {
    control: Arc<Control>,
    source: Box<dyn Source>,
    /// The commit whose files were all dealt with.
    known: Option<String>,
    /// Files that were dealt with, by name.
    done: BTreeMap<String, EventFile>,
    tidy_at: Instant,
    /// Why what was dealt with could not be taken away the last time.
    untidy: Option<String>,
    failures: u32,
}

/// The branch that the settings name; None when none is to be watched.
///
/// # Errors
/// What is wrong with the settings.
pub fn open(
    settings: &configuration::Control,
    github: Option<&Arc<GitHub>>,
    keeper: &KeeperSettings,
) -> anyhow::Result<Option<Box<dyn Source>>> {
    match (&settings.inbox, &settings.repo, github) {
        (None, ..) => Ok(None),
        (Some(Inbox::Url(url)), ..) => Ok(Some(Box::new(GitBranch::open(url, &credentials(url, keeper), &keeper.clones)?))),
        (Some(Inbox::Repository), Some(repository), Some(github)) => {
            Ok(Some(Box::new(GitHubBranch::new(github.clone(), repository.clone()))))
        }
        (Some(Inbox::Repository), ..) => {
            anyhow::bail!(
                "control.inbox: a branch of control.repo needs github.token or a GitHub App; set it, or control.inbox_url"
            )
        }
    }
}

/// What `control.inbox_url` is asked with. A token is shown to no other host than the one that it was set for.
pub fn credentials(url: &str, keeper: &KeeperSettings) -> Credentials {
    if host(url) == host(&keeper.url) { keeper.credentials.clone() } else { Credentials::default() }
}

/// The scheme, host and port of an address over HTTP; None for any other, where no token is used.
fn host(url: &str) -> Option<url::Origin> {
    let url = url::Url::parse(url.strip_prefix("git+").unwrap_or(url)).ok()?;
    url.scheme().starts_with("http").then(|| url.origin())
}

/// Watches the branch until the service ends.
pub fn start(control: Arc<Control>, source: Box<dyn Source>) -> JoinHandle<()> {
    let tidy_at = Instant::now() + tidies_every();
    let watch = Watch { control, source, known: None, done: BTreeMap::new(), tidy_at, untidy: None, failures: 0 };
    tokio::spawn(run(watch))
}

async fn run(mut watch: Watch) {
    let ending = watch.control.service.ending.clone();
    let mut is_begun = false;
    while !ending.is_cancelled() {
        if !is_begun {
            is_begun = watch.recall().await;
        }
        let pause = if is_begun { watch.step().await } else { LOOKS_EVERY };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = ending.cancelled() => {}
        }
    }
}

impl Watch {
    /// Reads what was dealt with in an earlier life.
    async fn recall(&mut self) -> bool {
        match self.control.service.store.event_files().await {
            Ok(files) => {
                self.done = files.into_iter().map(|file| (file.name.clone(), file)).collect();
                true
            }
            Err(error) => {
                tracing::error!(%error, "it could not be read which events were taken from the branch");
                false
            }
        }
    }

    /// Looks once and deals with what is new; how long until the next look.
    async fn step(&mut self) -> Duration {
        let health = self.control.service.health.clone();
        match self.look().await {
            Ok(pause) => {
                self.failures = 0;
                match &self.untidy {
                    Some(reason) => health.trouble(PART, reason.clone()),
                    None => health.well(PART),
                }
                pause
            }
            // Another push came first: what was to be done is done upon that one.
            Err(Trouble::Raced) => Duration::from_millis(200),
            Err(Trouble::Limited { pause, reason }) => {
                tracing::warn!(reason, "the branch of events may not be looked at for a while");
                health.trouble(PART, reason);
                pause.max(LOOKS_EVERY)
            }
            Err(Trouble::Failed { reason }) => {
                tracing::warn!(reason, "the branch of events could not be looked at; it is tried again");
                health.trouble(PART, reason);
                self.failures = self.failures.saturating_add(1);
                LOOKS_EVERY.saturating_mul(1 << (self.failures - 1).min(10)).min(LAST_PAUSE)
            }
        }
    }

    async fn look(&mut self) -> Result<Duration, Trouble> {
        match self.source.look(self.known.as_deref()).await? {
            Look::Unchanged => {}
            Look::Missing => {
                self.known = None;
                return Ok(self.source.pause_while_missing());
            }
            Look::At(commit) => {
                let is_all = taking::take(self, &commit).await?;
                // What is to be tried again lies there all the same: the next look has to see it.
                self.known = is_all.then_some(commit);
            }
        }
        if Instant::now() >= self.tidy_at
            && let Some(at) = self.known.clone()
        {
            self.tidy(&at).await?;
        }
        Ok(LOOKS_EVERY)
    }

    /// Takes away what was dealt with. Events are taken all the same when that fails.
    async fn tidy(&mut self, at: &str) -> Result<(), Trouble> {
        let tidied = if self.done.is_empty() { Ok(at.to_owned()) } else { tidying::tidy(self, at).await };
        match tidied {
            Ok(commit) => {
                self.known = Some(commit);
                self.untidy = None;
            }
            // The push in between is taken first, and then it is tried again at once.
            Err(Trouble::Raced) => return Err(Trouble::Raced),
            Err(Trouble::Limited { reason, .. } | Trouble::Failed { reason }) => {
                tracing::warn!(reason, "events that were dealt with could not be taken from the branch");
                self.untidy = Some(format!("what was dealt with cannot be removed: {reason}"));
            }
        }
        self.tidy_at = Instant::now() + tidies_every();
        Ok(())
    }
}

/// A test does not wait for an hour.
#[cfg(debug_assertions)]
fn tidies_every() -> Duration {
    let millis = std::env::var("PAGER_INBOX_TIDY_MILLIS").ok().and_then(|millis| millis.parse().ok());
    millis.map_or(TIDIES_EVERY, Duration::from_millis)
}

#[cfg(not(debug_assertions))]
fn tidies_every() -> Duration {
    TIDIES_EVERY
}
