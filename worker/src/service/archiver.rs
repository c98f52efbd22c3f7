//! Moves settled answers to the archive, so that `answers/` stays small: at start and on a slow timer, never while an answer
//! waits to be saved. Which ones are due is a rule of its own below; moving is the keeper's.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use pager_answers::AnswerPath;
use pager_questions::{QuestionId, Time};
use serde::Deserialize;

use super::Service;
use super::keeping::within;
use crate::clock;

/// How often it looks.
const EVERY: Duration = Duration::from_secs(600);
/// So many of the newest answers stay, whatever their age, as long as they are younger than the setting.
const NEWEST: usize = 2000;
/// An answer beyond them stays for so long, in milliseconds: whoever waits for it finds it where it was.
const STAYS_FOR: i64 = 10 * 60 * 1000;
/// The most answers of one commit.
const MOST_TOGETHER: usize = 500;
/// The most commits of one round: a repository on another machine may count them.
const MOST_BATCHES: usize = 20;
/// The most files that are read in one round to find out their age.
const MOST_READS: usize = 100;

/// Its part in the health of pagerd.
const PART: &str = "archive";

/// Archives for as long as the service runs. `after`: how old an answer is when it moves; None for never by age alone.
pub(super) async fn run(service: Arc<Service>, after: Option<Duration>) {
    let mut archiver = Archiver { service, after, seen: None, read: HashMap::new(), unreadable: HashSet::new() };
    loop {
        match archiver.round().await {
            Ok(moved) => {
                archiver.service.health.well(PART);
                if moved > 0 {
                    tracing::info!(moved, "settled answers were moved to the archive");
                } else {
                    tracing::debug!("nothing is to be archived");
                }
            }
            Err(reason) => {
                tracing::warn!(reason, "settled answers could not be moved to the archive; it is tried again later");
                archiver.service.health.trouble(PART, reason);
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}

struct Archiver {
    service: Arc<Service>,
    after: Option<Duration>,
    /// What `answers/` had at the head that was looked at last.
    seen: Option<(String, Vec<String>)>,
    /// When answers were given that the store does not know, as their files say; None for a file that says nothing.
    read: HashMap<String, Option<Time>>,
    /// Files that could not be read at the head that was looked at last. They stay where they are.
    unreadable: HashSet<String>,
}

impl Archiver {
    /// Moves what is due, batch by batch. Gives back how many were asked to be moved.
    async fn round(&mut self) -> Result<usize, String> {
        // An answer that waits goes first; and while the repository does not answer, this would not get through either.
        if !self.until_nothing_waits().await {
            return Ok(0);
        }
        let live = self.live().await?;
        let ages = self.ages(&live).await?;
        let mut asked = 0;
        for batch in due(ages, clock::now(), self.after).chunks(MOST_TOGETHER).take(MOST_BATCHES) {
            if !self.until_nothing_waits().await {
                break;
            }
            let paths = batch.iter().filter_map(|id| AnswerPath::new(id).ok()).collect();
            within(self.service.keeper.archive(paths)).await?;
            self.service.saving.found_well();
            self.service.metrics.archived(batch.len());
            asked += batch.len();
        }
        Ok(asked)
    }

    /// True once no answer waits; false when those that wait do so for a repository that does not answer.
    async fn until_nothing_waits(&self) -> bool {
        let mut unsaved = self.service.saving.watch();
        let settled = unsaved.wait_for(|unsaved| unsaved.waiting == 0 || unsaved.trouble.is_some()).await;
        settled.is_ok_and(|unsaved| unsaved.waiting == 0)
    }

    /// What lies in `answers/`. It is listed anew only when the head is another one.
    async fn live(&mut self) -> Result<Vec<String>, String> {
        let head = within(self.service.keeper.head()).await?;
        match (&self.seen, head) {
            (_, None) => Ok(Vec::new()),
            (Some((seen, live)), Some(head)) if *seen == head => Ok(live.clone()),
            (_, Some(head)) => {
                let live = within(self.service.keeper.live()).await?;
                let there: HashSet<&String> = live.iter().collect();
                self.read.retain(|id, _| there.contains(id));
                self.unreadable.clear();
                self.seen = Some((head, live.clone()));
                Ok(live)
            }
        }
    }

    /// When each was given, where that is known: from the store, else from the file.
    async fn ages(&mut self, live: &[String]) -> Result<Vec<(String, Time)>, String> {
        let ids: Vec<QuestionId> = live.iter().filter_map(|id| QuestionId::parse(id).ok()).collect();
        let mut known: HashMap<String, Time> = HashMap::with_capacity(ids.len());
        for ids in ids.chunks(MOST_TOGETHER) {
            let ended = self.service.store.ended_at(ids).await.map_err(|error| error.to_string())?;
            known.extend(ended.into_iter().map(|(id, at)| (id.to_string(), at)));
        }
        let mut reads = 0;
        for id in live {
            let is_read = self.read.contains_key(id) || self.unreadable.contains(id);
            if known.contains_key(id) || is_read || reads == MOST_READS {
                continue;
            }
            reads += 1;
            let Ok(path) = AnswerPath::new(id) else { continue };
            match within(self.service.keeper.read(&path)).await {
                Ok(bytes) => {
                    self.read.insert(id.clone(), bytes.and_then(|bytes| given_at(&bytes)));
                }
                Err(reason) => {
                    // One bad file keeps nothing else from moving; a repository that is away keeps everything.
                    within(self.service.keeper.head()).await?;
                    tracing::warn!(id, reason, "a file cannot be read and stays in answers/; the others are archived");
                    self.unreadable.insert(id.clone());
                }
            }
        }
        known.extend(self.read.iter().filter_map(|(id, at)| Some((id.clone(), (*at)?))));
        Ok(live.iter().filter_map(|id| Some((id.clone(), *known.get(id)?))).collect())
    }
}

/// The ids that are due, oldest first: older than `after`, or beyond the newest [`NEWEST`] and old enough to be moved.
fn due(mut answers: Vec<(String, Time)>, now: Time, after: Option<Duration>) -> Vec<String> {
    answers.sort_by(|(id, at), (other, other_at)| other_at.cmp(at).then_with(|| id.cmp(other)));
    let after = after.map(|after| i64::try_from(after.as_millis()).unwrap_or(i64::MAX));
    let is_due = |place: usize, at: Time| {
        let age = now.as_millis().saturating_sub(at.as_millis());
        after.is_some_and(|after| age > after) || (place >= NEWEST && age >= STAYS_FOR)
    };
    let due = answers.into_iter().enumerate().filter(|(place, (_, at))| is_due(*place, *at));
    let mut due: Vec<String> = due.map(|(_, (id, _))| id).collect();
    due.reverse();
    due
}

/// When the answer in this file was given, when it is one.
fn given_at(bytes: &[u8]) -> Option<Time> {
    #[derive(Deserialize)]
    struct Given {
        at: Time,
    }
    serde_json::from_slice::<Given>(bytes).ok().map(|given| given.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60 * 1000;
    const DAY: i64 = 24 * 60 * MINUTE;
    const MONTH: Option<Duration> = Some(Duration::from_secs(30 * 24 * 3600));

    /// So many answers of this age, behind one that is `older` milliseconds old. How many of each are due.
    fn moved(count: usize, age: i64, older: i64, after: Option<Duration>) -> (usize, bool) {
        let now = clock::now();
        let mut answers: Vec<(String, Time)> = (0..count).map(|number| (format!("a-{number}"), now.plus_millis(-age))).collect();
        answers.push(("older".to_owned(), now.plus_millis(-older)));
        let due = due(answers, now, after);
        let is_older = due.iter().any(|id| id == "older");
        (due.len() - usize::from(is_older), is_older)
    }

    #[test]
    fn the_newest_two_thousand_stay() {
        assert_eq!(moved(1_999, MINUTE, 11 * MINUTE, MONTH), (0, false), "exactly 2,000");
        assert_eq!(moved(2_000, MINUTE, 11 * MINUTE, MONTH), (0, true), "2,001");
        assert_eq!(moved(2_600, 11 * MINUTE, 12 * MINUTE, MONTH), (600, true));
    }

    #[test]
    fn one_beyond_them_stays_until_it_is_ten_minutes_old() {
        assert_eq!(moved(2_000, MINUTE, 10 * MINUTE - 1, MONTH), (0, false));
        assert_eq!(moved(2_000, MINUTE, 10 * MINUTE, MONTH), (0, true));
        assert_eq!(moved(2_000, MINUTE, 10 * MINUTE + 1, MONTH), (0, true));
    }

    #[test]
    fn what_is_older_than_the_setting_moves_however_few_there_are() {
        assert_eq!(moved(1, MINUTE, 30 * DAY - 1, MONTH), (0, false));
        assert_eq!(moved(1, MINUTE, 30 * DAY, MONTH), (0, false));
        assert_eq!(moved(1, MINUTE, 30 * DAY + 1, MONTH), (0, true));
        assert_eq!(moved(1, MINUTE, 1, Some(Duration::ZERO)), (1, true));
    }

    #[test]
    fn never_means_never_by_age_alone() {
        assert_eq!(moved(1_999, 9000 * DAY, 9999 * DAY, None), (0, false));
        assert_eq!(moved(2_000, 9000 * DAY, 9999 * DAY, None), (0, true), "the newest 2,000 are the most in any case");
    }

    #[test]
    fn the_oldest_go_first_and_a_clock_that_was_set_back_moves_nothing() {
        let now = clock::now();
        let at = |days: i64| (format!("d{days}"), now.plus_millis(-days * DAY));
        assert_eq!(due(vec![at(40), at(90), at(31), at(5)], now, MONTH), ["d90", "d40", "d31"]);
        assert_eq!(due(vec![at(-40)], now, MONTH), [""; 0]);
    }

    #[test]
    fn the_age_of_a_file_is_what_it_says_and_other_files_have_none() {
        let at = given_at(br#"{"id": "a", "at": "2026-11-30T13:25:03.120Z", "more": {}}"#);
        assert_eq!(at, Time::parse("2026-11-30T13:25:03.120Z"));
        for other in [&b""[..], b"{}", b"[1]", b"{\"at\": \"yesterday\"}", b"\xff\xfe"] {
            assert_eq!(given_at(other), None);
        }
    }
}
