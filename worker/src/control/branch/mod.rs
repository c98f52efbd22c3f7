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
use crate::clock;
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
/// So many pushes in between are met at once; then others come first for a while.
const MOST_RACES: u32 = 3;
/// How often what was dealt with is taken away.
const TIDIES_EVERY: Duration = Duration::from_secs(60 * 60);

/// What is known of the branch.
struct Watch {
    control: Arc<Control>,
    source: Box<dyn Source>,
    /// The commit whose files were all dealt with, but for those that wait.
    known: Option<String>,
    /// Files that were dealt with, by name.
    done: BTreeMap<String, EventFile>,
    waiting: Waiting,
    tidy_at: Instant,
    /// How often somebody pushed just when what was dealt with was to be taken away, and the commit of the last time.
    races: (u32, Option<String>),
    /// Why what was dealt with could not be taken away the last time.
    untidy: Option<String>,
    failures: u32,
}

/// Events that could not be handled yet and are tried again.
#[derive(Debug, Default)]
struct Waiting {
    /// Why, when there are any.
    reason: Option<String>,
    /// When they are tried next, and how often they were.
    again_at: Option<Instant>,
    tries: u32,
}

impl Waiting {
    /// After a try that left this reason, or none.
    fn tried(&mut self, reason: Option<String>) {
        self.tries = if reason.is_some() { self.tries.saturating_add(1) } else { 0 };
        self.again_at = reason.is_some().then(|| Instant::now() + pause_after(self.tries));
        self.reason = reason;
    }

    fn are_due(&self) -> bool {
        self.again_at.is_some_and(|at| at <= Instant::now())
    }
}

/// Doubling from one try to the next, up to the last.
fn pause_after(tries: u32) -> Duration {
    LOOKS_EVERY.saturating_mul(1 << tries.saturating_sub(1).min(10)).min(LAST_PAUSE)
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
    let (done, waiting) = (BTreeMap::new(), Waiting::default());
    let watch = Watch { control, source, known: None, done, waiting, tidy_at, races: (0, None), untidy: None, failures: 0 };
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
                match self.waiting.reason.as_ref().or(self.untidy.as_ref()) {
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
                pause_after(self.failures)
            }
        }
    }

    async fn look(&mut self) -> Result<Duration, Trouble> {
        match self.source.look(self.known.as_deref()).await? {
            Look::Unchanged => {
                if self.waiting.are_due()
                    && let Some(at) = self.known.clone()
                {
                    self.take(&at).await?;
                }
            }
            Look::Missing => {
                self.known = None;
                self.waiting.tried(None);
                return Ok(self.source.pause_while_missing());
            }
            Look::At(commit) => {
                self.take(&commit).await?;
                self.known = Some(commit);
            }
        }
        if Instant::now() >= self.tidy_at
            && let Some(at) = self.known.clone()
        {
            self.tidy(&at).await?;
        }
        Ok(LOOKS_EVERY)
    }

    async fn take(&mut self, at: &str) -> Result<(), Trouble> {
        let reason = taking::take(self, at).await?;
        self.waiting.tried(reason);
        Ok(())
    }

    /// Takes away what was dealt with. Events are taken all the same when that fails.
    async fn tidy(&mut self, at: &str) -> Result<(), Trouble> {
        let tidied = if self.done.is_empty() { Ok((at.to_owned(), true)) } else { tidying::tidy(self, at).await };
        let (raced, raced_at) = std::mem::take(&mut self.races);
        match tidied {
            Ok((commit, is_all)) => {
                self.known = Some(commit);
                self.untidy = None;
                if !is_all {
                    // Beyond the most of one commit.
                    self.tidy_at = Instant::now();
                    return Ok(());
                }
            }
            // Others push all the time, or it is no race at all: nobody moved the branch since the last one.
            Err(Trouble::Raced) if raced + 1 >= MOST_RACES || raced_at.as_deref() == Some(at) => {
                let jitter = Duration::from_millis(clock::now().as_millis().unsigned_abs() % 15_000);
                self.tidy_at = Instant::now() + LAST_PAUSE + jitter;
                return Ok(());
            }
            // The push in between is taken first, and then it is tried again at once.
            Err(Trouble::Raced) => {
                self.races = (raced + 1, Some(at.to_owned()));
                return Err(Trouble::Raced);
            }
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
