//! GitHub mode: events are dispatched to the control repository, answers read from the repository of answers, by the REST
//! API alone. While nothing changes, looking costs no quota.

mod client;
mod dispatch;
mod failure;
mod repository;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pager_questions::{AgentName, QuestionId, Time, VerifyingKey};
use secrecy::SecretString;

use self::client::{Call, Client, Reply};
pub use self::repository::Repository;
use crate::distant::{Distant, Event, File, Look, Trouble, places};
use crate::settings::GitHubSettings;

/// The longest pause between looks while more than half of the quota is left, and otherwise.
const WITH_PLENTY: u32 = 2;
const USUALLY: u32 = 12;

/// A way to pagerd through GitHub.
pub struct GitHub {
    settings: GitHubSettings,
    client: Client,
    last: Mutex<Last>,
}

/// What the last replies told beside what was asked.
#[derive(Default)]
struct Last {
    /// GitHub's clock, and when it was read.
    date: Option<(Time, Instant)>,
    /// What is left of the quota, and all of it.
    quota: Option<(u64, u64)>,
}

impl GitHub {
    /// Prepares one; connects to nothing.
    pub fn new(settings: GitHubSettings) -> Self {
        Self { client: Client::new(&settings.api), settings, last: Mutex::default() }
    }

    fn call(&self, token: &SecretString, call: &Call<'_>) -> Result<Reply, Trouble> {
        let reply = self.client.send(token, call)?;
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        last.date = reply.date().map(|date| (date, Instant::now())).or(last.date);
        last.quota = reply.quota().or(last.quota);
        Ok(reply)
    }

    fn reading_token(&self) -> Result<(&SecretString, &'static str), Trouble> {
        let (own, shared) = (&self.settings.answers_token, &self.settings.token);
        match (own, shared) {
            (Some(token), _) => Ok((token, "ASK_ANSWERS_TOKEN")),
            (None, Some(token)) => Ok((token, "GH_TOKEN")),
            (None, None) => Err(Trouble::Refused(
                "there is no token to read the answers with: set ASK_ANSWERS_TOKEN (or GH_TOKEN) to one that may read their repository"
                    .to_owned(),
            )),
        }
    }

    /// Proves that the token reaches the repository: a file that was not seen before is then one that is not there.
    fn prove(&self) -> Result<(), Trouble> {
        let (token, name) = self.reading_token()?;
        let reply = self.call(token, &Call::get(self.settings.answers.route()))?;
        match reply.status {
            200 => Ok(()),
            404 => Err(self.settings.answers.out_of_reach("Contents (read)", name)),
            _ => Err(failure::trouble(&reply, name)),
        }
    }

    /// The commit that the branch is at; None when it is still at `known`.
    fn head(&self, known: Option<&str>) -> Result<Option<String>, Trouble> {
        let (token, name) = self.reading_token()?;
        let GitHubSettings { answers, branch, .. } = &self.settings;
        let mut call = Call::get(format!("{}/commits/{}", answers.route(), branch.replace('/', "%2F")));
        call.accept = "application/vnd.github.sha";
        call.unless = known;
        let reply = self.call(token, &call)?;
        match reply.status {
            304 => Ok(None),
            200 => {
                let head = String::from_utf8_lossy(&reply.body).trim().to_owned();
                if !is_commit(&head) {
                    return Err(Trouble::Passing(format!("{} gave no commit as the head of {branch}", answers.shown())));
                }
                Ok(Some(head).filter(|head| Some(head.as_str()) != known))
            }
            404 => Err(answers.out_of_reach("Contents (read)", name)),
            409 | 422 => Err(Trouble::Refused(format!(
                "{} has no branch {branch}: pagerd makes it at its start; check ASK_ANSWERS, which may name another as owner/repo@branch",
                answers.shown()
            ))),
            _ => Err(failure::trouble(&reply, name)),
        }
    }

    /// The file as of a commit: what was read by the branch's name could be older than its head. A copy that lags behind may
    /// not have the commit yet, which says nothing about the file.
    fn file(&self, path: &str, commit: &str) -> Result<Option<File>, Trouble> {
        let (token, name) = self.reading_token()?;
        let mut call = Call::get(format!("{}/contents/{path}?ref={commit}", self.settings.answers.route()));
        call.accept = "application/vnd.github.raw+json";
        let reply = self.call(token, &call)?;
        match reply.status {
            200 if reply.is_cut => Ok(Some(File::TooLarge)),
            200 => Ok(Some(File::of(reply.body))),
            404 if failure::message(&reply).contains("No commit found") => Err(Trouble::Passing(format!(
                "GitHub does not show commit {commit} of {} everywhere yet",
                self.settings.answers.shown()
            ))),
            404 => Ok(None),
            _ => Err(failure::trouble(&reply, name)),
        }
    }
}

impl Distant for GitHub {
    fn look(&self, id: &QuestionId, known: Option<&str>) -> Result<Option<Look>, Trouble> {
        let Some(head) = self.head(known)? else { return Ok(None) };
        let [current, archived] = places(id);
        let file = match self.file(&current, &head)? {
            Some(file) => Some(file),
            None => self.file(&archived, &head)?,
        };
        if file.is_none() {
            self.prove()?;
        }
        Ok(Some(Look { head, file }))
    }

    fn send(&self, event: &Event, sent_at: Time) -> Result<(), Trouble> {
        dispatch::send(self, event, sent_at)
    }

    fn now(&self) -> Time {
        let last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        last.date.map_or_else(crate::again::now, |(date, read_at)| later(date, read_at.elapsed()))
    }

    fn longest_pause(&self) -> u32 {
        let last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.quota.is_some_and(|(left, all)| left * 2 > all) { WITH_PLENTY } else { USUALLY }
    }

    fn destination(&self) -> String {
        self.settings.control.shown()
    }

    fn keys(&self) -> &[VerifyingKey] {
        &self.settings.keys
    }

    fn agent(&self) -> Option<&AgentName> {
        self.settings.agent.as_ref()
    }
}

/// What GitHub's clock shows when so much has passed since it showed this. It shows whole seconds.
fn later(date: Time, passed: Duration) -> Time {
    Time::from_millis(date.as_millis().saturating_add(i64::try_from(passed.as_secs() * 1000).unwrap_or(i64::MAX)))
}

fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_github_goes_on_while_it_is_out_of_reach() {
        let date = Time::from_millis(1_796_045_103_000);
        assert_eq!(later(date, Duration::from_millis(999)), date);
        assert_eq!(later(date, Duration::from_secs(3 * 3600)).as_millis(), 1_796_055_903_000);
    }
}
