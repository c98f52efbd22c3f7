//! One round: looks for what there is, takes what limits have room for, runs the command once for all of it, and acknowledges
//! what was done. Marks come before the start, acknowledgements after the end; each step is in the journal before the next.

use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use pager_questions::Time;

use super::access::Access;
use super::claim::{Allowed, allowed};
use super::enforcement::Enforcement;
use super::heartbeat;
use super::journal::{End, Journal, Owed};
use super::process::{Process, Start};
use super::prompt::{Events, prompt};
use super::renewing::Renewing;
use super::settings::RunnerSettings;
use super::wakes::{Marked, Trouble, Wake, Wakes};
use crate::again;
use crate::client::{Reply, Unreachable};
use crate::failure::Failure;
use crate::interrupts::{Heard, Interrupts};
use crate::output;

/// The most wakes of one run: what is over waits for the next.
const MOST_WAKES: usize = 20;
/// A system that stops a service may end the command first and then, within this, its runner: then the run was cut short.
const SAME_MOMENT: Duration = Duration::from_millis(500);
/// How soon to look again while a limit holds something back: others may have room.
const LOOKS_AGAIN: Duration = Duration::from_secs(5);

/// What may be heard while the runner waits.
pub enum Work {
    /// A reply.
    Reply(Result<Reply, Unreachable>),
    /// The command has ended.
    Ended,
    /// What was done is acknowledged, or is not.
    Settled(Result<(), Trouble>),
}

/// How a round went.
#[derive(Debug)]
pub enum Round {
    /// The command ran.
    Ran,
    /// There was nothing to do.
    Nothing,
    /// Something has to wait: until then at least, or for a while.
    Waits(Option<Time>),
    /// It could not be done now; why, for people.
    Passing(String),
    /// The command could not be started; why, for people.
    NotStarted(String),
    /// A signal came.
    Signal(i32),
}

/// Everything that rounds need.
pub struct Runner {
    /// What was set.
    pub settings: RunnerSettings,
    /// What is added to the command.
    pub enforcement: Enforcement,
    /// Where it runs.
    pub folder: PathBuf,
    /// The service.
    pub wakes: Wakes,
    /// What was done.
    pub journal: Journal,
    /// Signals.
    pub interrupts: Interrupts<Work>,
    /// Until when something was said to wait.
    pub told_until: Option<Time>,
}

impl Runner {
    /// Does one round; the request is held for at most so long when there is nothing.
    ///
    /// # Errors
    /// What no waiting would mend.
    pub fn round(&mut self, hold: Option<Duration>) -> Result<Round, Failure> {
        match self.settle() {
            Ok(None) => {}
            Ok(Some(signal)) => return Ok(Round::Signal(signal)),
            Err(trouble) => return passing(trouble),
        }
        let now = again::now();
        let kept = self.journal.update(now, |kept| kept.clone())?;
        let due = self.settings.heartbeat.map(|period| heartbeat::due(period, kept.begun, kept.heartbeat));
        let is_due = due.is_some_and(|due| due <= now);
        let left = due.map(|due| Duration::from_millis(u64::try_from(due.as_millis() - now.as_millis()).unwrap_or(0)));
        let hold = hold.filter(|_| !is_due).map(|hold| left.map_or(hold, |left| hold.min(left)));
        let began = Instant::now();
        let items = match self.look(hold)? {
            Ok(items) => items,
            Err(round) => return Ok(round),
        };

        // Another runner may have begun something while the request was held.
        let now = again::now();
        let kept = self.journal.update(now, |kept| kept.clone())?;
        let authors: Vec<Option<&str>> = items.iter().map(|wake| wake.author.as_deref()).collect();
        let Allowed { wakes, heartbeat, until, limit } = allowed(&self.settings, &authors, &kept, now);
        self.tell_of_waiting(until, limit, items.len() - wakes.len());
        let wanted: Vec<Wake> = wakes.iter().take(MOST_WAKES).map(|place| items[*place].clone()).collect();
        if wanted.is_empty() && !heartbeat {
            let was_held = hold.is_some_and(|hold| began.elapsed() + Duration::from_millis(500) >= hold);
            return Ok(match until {
                Some(until) => Round::Waits(Some(until)),
                None if items.is_empty() && (was_held || hold.is_none()) => Round::Nothing,
                None => Round::Waits(None),
            });
        }
        let marked = match self.mark(wanted)? {
            Ok(marked) => marked,
            Err(trouble) => return passing(trouble),
        };
        if marked.is_empty() && !heartbeat {
            return Ok(Round::Waits(None));
        }
        self.run(marked)
    }

    fn look(&mut self, hold: Option<Duration>) -> Result<Result<Vec<Wake>, Round>, Failure> {
        let hold = hold.map(|hold| u64::try_from(hold.as_millis().div_ceil(1000)).unwrap_or(u64::MAX).max(1));
        let asked = SystemTime::now();
        let (client, call) = (Arc::clone(self.wakes.client()), self.wakes.call(hold));
        let heard = self.interrupts.run(move || Work::Reply(client.send(&call)), None, None);
        let reply = match heard {
            Ok(Heard::Reply(Work::Reply(reply))) => reply,
            Ok(Heard::Signal(signal)) => return Ok(Err(Round::Signal(signal))),
            Ok(Heard::Reply(Work::Ended | Work::Settled(_)) | Heard::TimeUp) => return Ok(Err(Round::Nothing)),
            Err(error) => Err(self.wakes.client().not_begun(&error)),
        };
        match self.wakes.read(reply, asked) {
            Ok(items) => Ok(Ok(items)),
            Err(trouble) => passing(trouble).map(Err),
        }
    }

    /// Says so once that something waits until then.
    pub fn tell_of_waiting(&mut self, until: Option<Time>, limit: Option<&str>, waiting: usize) {
        if until == self.told_until {
            return;
        }
        self.told_until = until;
        if let (Some(until), Some(limit)) = (until, limit) {
            let what = match waiting {
                0 => "the heartbeat is".to_owned(),
                1 => "1 wake is".to_owned(),
                more => format!("{more} wakes are"),
            };
            output::say(&format!("{limit} is reached: {what} postponed until {until}, and not lost"));
        }
    }

    /// Takes them one by one; what another runner has is passed over.
    fn mark(&self, wanted: Vec<Wake>) -> Result<Result<Vec<(Wake, Marked)>, Trouble>, Failure> {
        let mut taken: Vec<(Wake, Marked)> = Vec::new();
        for mut wake in wanted {
            match self.wakes.mark(&wake.id, self.settings.lease) {
                Ok(Some(marked)) => {
                    wake.repeated |= marked.repeated;
                    taken.push((wake, marked));
                }
                Ok(None) => {}
                Err(trouble) => {
                    self.release(&taken);
                    return Ok(Err(trouble));
                }
            }
        }
        Ok(Ok(taken))
    }

    /// Gives them back, as if they had never been marked.
    pub fn release(&self, marked: &[(Wake, Marked)]) {
        // What cannot be released comes back when its lease is over.
        let _ = marked.iter().try_for_each(|(wake, marked)| self.wakes.release(&wake.id, &marked.mark));
    }

    fn run(&mut self, marked: Vec<(Wake, Marked)>) -> Result<Round, Failure> {
        let claimed = match self.claim(marked)? {
            Ok(claimed) => claimed,
            Err(round) => return Ok(round),
        };
        // Without them a heartbeat is still one.
        let older = if claimed.heartbeat { self.wakes.older().unwrap_or_default() } else { Vec::new() };
        if let Some(signal) = self.interrupts.pause(Duration::ZERO) {
            self.withdraw(&claimed)?;
            return Ok(Round::Signal(signal));
        }
        let (id, marked) = (&claimed.run, &claimed.wakes);
        let owed: Vec<Owed> =
            marked.iter().map(|(wake, marked)| Owed { wake: wake.id.clone(), mark: Some(marked.mark.clone()) }).collect();
        let shown: Vec<Owed> = older.iter().map(|older| Owed { wake: older.wake.clone(), mark: None }).collect();
        let wakes = marked.iter().map(|(wake, _)| wake.clone()).collect();
        let events = Events { wakes, heartbeat: claimed.heartbeat, older };
        let process = match self.start(id, prompt(&self.settings, &events)) {
            Ok(process) => process,
            Err(error) => {
                self.withdraw(&claimed)?;
                let program = self.settings.command.first().map(String::as_str).unwrap_or_default();
                return Ok(Round::NotStarted(format!(
                    "{program} could not be started: {error}; check command and workdir in the settings; nothing was consumed"
                )));
            }
        };
        self.journal.note(again::now(), id, |run| {
            run.wakes.extend(shown.iter().map(|owed| owed.wake.clone()));
            run.owed = shown;
        })?;
        let renewing = Renewing::start(self.wakes.clone(), owed.clone(), self.settings.lease);
        let renewing = renewing.map_err(|error| Failure::failed(format!("no thread can be made: {error}")))?;
        // What was shown is acknowledged while the run goes on; what does not get through is owed.
        let heard = match self.settle() {
            Ok(Some(signal)) => Ok(Heard::Signal(signal)),
            Ok(None) | Err(_) => {
                let ending = process.ending();
                let wait = move || {
                    ending.wait(None);
                    Work::Ended
                };
                self.interrupts.run(wait, None, None)
            }
        };
        let signal = match heard {
            Ok(Heard::Signal(signal)) => {
                process.stop();
                Some(signal)
            }
            Ok(Heard::Reply(_) | Heard::TimeUp) | Err(_) if process.ending().is_success() => None,
            Ok(Heard::Reply(_) | Heard::TimeUp) | Err(_) => self.interrupts.pause(SAME_MOMENT),
        };
        drop(renewing);
        self.end(id, process, owed, signal.is_some())?;
        if let Some(signal) = signal {
            return Ok(Round::Signal(signal));
        }
        // Whatever cannot be acknowledged now stands in the journal.
        Ok(self.settle().ok().flatten().map_or(Round::Ran, Round::Signal))
    }

    fn start(&self, id: &str, prompt: String) -> std::io::Result<Process> {
        for (path, text) in &self.enforcement.files {
            std::fs::write(path, text)?;
        }
        let command = [self.settings.command.as_slice(), self.enforcement.arguments.as_slice()].concat();
        let connection = self.wakes.client().settings();
        Process::start(Start {
            command: &command,
            folder: &self.folder,
            run: id,
            url: &connection.url,
            token: &connection.token,
            inherits: self.settings.access == Access::Inherit,
            prompt,
        })
    }

    fn end(&self, id: &str, process: Process, owed: Vec<Owed>, interrupted: bool) -> Result<(), Failure> {
        let lasted = process.lasted();
        let (status, output) = process.finish(&self.wakes.client().settings().token);
        let (exit, signal) = status.as_ref().map_or((None, None), |status| (status.code(), signal_of(status)));
        let end = End { duration_ms: u64::try_from(lasted.as_millis()).unwrap_or(u64::MAX), exit, signal, interrupted, output };
        if !interrupted && exit != Some(0) {
            let how = exit.map_or_else(|| "by a signal".to_owned(), |code| format!("with exit code {code}"));
            output::say(&format!("{id} ended {how}; `ask run --log` shows the end of what it wrote"));
        }
        self.journal.note(again::now(), id, |run| {
            run.end = Some(end);
            if !interrupted {
                run.owed.extend(owed);
            }
        })
    }
}

/// How long to look away from what waits.
pub fn looks_away(until: Option<Time>) -> Duration {
    let left = until.map(|until| until.as_millis() - again::now().as_millis());
    left.map_or(LOOKS_AGAIN, |left| Duration::from_millis(u64::try_from(left).unwrap_or(0)).min(LOOKS_AGAIN))
}

fn passing(trouble: Trouble) -> Result<Round, Failure> {
    match trouble {
        Trouble::Passing(words) => Ok(Round::Passing(words)),
        Trouble::Lasting(failure) => Err(failure),
    }
}

fn signal_of(status: &ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(status)
}
