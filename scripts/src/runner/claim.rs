//! What a run may be begun for, and its entry in the journal. Limits and the heartbeat are looked at under the journal's
//! lock as well: a runner beside this one may have begun a run since the wakes were marked.

use pager_questions::Time;

use super::heartbeat;
use super::journal::{Kept, Run};
use super::round::{Round, Runner};
use super::settings::RunnerSettings;
use super::wakes::{Marked, Wake};
use crate::again;
use crate::failure::Failure;

/// What there is room for now.
pub struct Allowed {
    /// By their places: the wakes that may be run.
    pub wakes: Vec<usize>,
    /// Is a heartbeat due, and may it run?
    pub heartbeat: bool,
    /// When there is room for more, if something has to wait.
    pub until: Option<Time>,
    /// Which limit it waits for.
    pub limit: Option<&'static str>,
}

/// A run that stands in the journal and was not started yet.
pub struct Claimed {
    /// Its id.
    pub run: String,
    /// Its wakes.
    pub wakes: Vec<(Wake, Marked)>,
    /// Is it a heartbeat?
    pub heartbeat: bool,
    began: Time,
    last_heartbeat: Option<Time>,
}

/// What these settings have room for after what is kept, given the author of each wake.
pub fn allowed(settings: &RunnerSettings, authors: &[Option<&str>], kept: &Kept, now: Time) -> Allowed {
    let past = kept.started();
    let room = settings.limits.room(authors, &past, now);
    let next_run = settings.limits.next_run(&past, now);
    let is_due = settings.heartbeat.is_some_and(|period| heartbeat::due(period, kept.begun, kept.heartbeat) <= now);
    let postponed = next_run.filter(|_| is_due);
    Allowed {
        wakes: room.wakes,
        heartbeat: is_due && next_run.is_none(),
        until: room.until.or(postponed.map(|(until, _)| until)),
        limit: room.limit.or(postponed.map(|(_, limit)| limit)),
    }
}

impl Runner {
    /// Writes a run into the journal for what there is still room for, and releases the rest. When nothing is left, what to
    /// do instead.
    ///
    /// # Errors
    /// When the journal cannot be used; then nothing is marked any more.
    pub fn claim(&mut self, mut marked: Vec<(Wake, Marked)>) -> Result<Result<Claimed, Round>, Failure> {
        let run = run_id().inspect_err(|_| self.release(&marked))?;
        let now = again::now();
        let settings = &self.settings;
        let claimed = self.journal.update(now, |kept| {
            let authors: Vec<Option<&str>> = marked.iter().map(|(wake, _)| wake.author.as_deref()).collect();
            let allowed = allowed(settings, &authors, kept, now);
            let last_heartbeat = kept.heartbeat;
            if allowed.heartbeat {
                kept.heartbeat = Some(now);
            }
            if allowed.heartbeat || !allowed.wakes.is_empty() {
                let wakes: Vec<&Wake> = allowed.wakes.iter().map(|place| &marked[*place].0).collect();
                kept.runs.push(begun(&run, now, &wakes, allowed.heartbeat));
            }
            (allowed, last_heartbeat)
        });
        let (allowed, last_heartbeat) = claimed.inspect_err(|_| self.release(&marked))?;
        let mut places = 0..;
        let (wakes, over): (Vec<_>, Vec<_>) =
            marked.drain(..).partition(|_| places.next().is_some_and(|place| allowed.wakes.contains(&place)));
        self.release(&over);
        if allowed.until.is_some() {
            self.tell_of_waiting(allowed.until, allowed.limit, over.len());
        }
        if wakes.is_empty() && !allowed.heartbeat {
            return Ok(Err(Round::Waits(allowed.until)));
        }
        Ok(Ok(Claimed { run, wakes, heartbeat: allowed.heartbeat, began: now, last_heartbeat }))
    }

    /// Nothing was started: as if it had never been claimed.
    ///
    /// # Errors
    /// When the journal cannot be used.
    pub fn withdraw(&self, claimed: &Claimed) -> Result<(), Failure> {
        self.release(&claimed.wakes);
        self.journal.update(again::now(), |kept| {
            kept.runs.retain(|run| run.run != claimed.run);
            // A later one is another runner's.
            if claimed.heartbeat && kept.heartbeat.is_some_and(|at| at <= claimed.began) {
                kept.heartbeat = claimed.last_heartbeat;
            }
        })
    }
}

fn begun(run: &str, started: Time, wakes: &[&Wake], heartbeat: bool) -> Run {
    Run {
        run: run.to_owned(),
        started,
        reasons: reasons(wakes, heartbeat),
        wakes: wakes.iter().map(|wake| wake.id.clone()).collect(),
        authors: wakes.iter().filter_map(|wake| wake.author.clone()).collect(),
        end: None,
        owed: Vec::new(),
    }
}

fn reasons(wakes: &[&Wake], heartbeat: bool) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    for reason in wakes.iter().map(|wake| wake.reason.as_str()).chain(heartbeat.then_some("heartbeat")) {
        if !reasons.iter().any(|known| known == reason) {
            reasons.push(reason.to_owned());
        }
    }
    reasons
}

fn run_id() -> Result<String, Failure> {
    let random = again::random_hex::<8>();
    random
        .map(|random| format!("run-{random}"))
        .map_err(|error| Failure::failed(format!("the system gives no random bytes: {error}")))
}
