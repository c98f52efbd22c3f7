//! What the runner has started, kept across restarts: the limits count it, `ask run --log` shows it, and what is still to be
//! acknowledged stands in it. One file, replaced as a whole; a runner beside this one reads and writes it, too.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use pager_questions::Time;
use serde::{Deserialize, Serialize};

use super::limits::Started;
use crate::failure::Failure;

/// How many runs are kept for the log, and for how long those that limits count.
const KEPT: usize = 100;
const COUNTED: i64 = 25 * 3_600_000;
/// After this long the service offers an older request to nobody any more, and no wake within the longest `catchup`: nothing
/// is left that could still be acknowledged.
const OWED_OLDER: i64 = 4 * 24 * 3_600_000;
const OWED_WAKE: i64 = 31 * 24 * 3_600_000;

/// One run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// Its id, `PAGER_RUN` to the command.
    pub run: String,
    /// When it was begun.
    pub started: Time,
    /// Why: reasons of wakes, and `heartbeat`.
    pub reasons: Vec<String>,
    /// The wakes, and the older requests that it was shown.
    pub wakes: Vec<String>,
    /// Who asked for the wakes; what is the agent's own is nobody's.
    pub authors: Vec<String>,
    /// How it ended; None while it runs, and when the runner died before it.
    pub end: Option<End>,
    /// What is still to be acknowledged.
    pub owed: Vec<Owed>,
}

/// How a run ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct End {
    /// How long it took.
    pub duration_ms: u64,
    /// Its exit code; None when a signal ended it.
    pub exit: Option<i32>,
    /// That signal.
    pub signal: Option<i32>,
    /// Was it ended because the runner was?
    pub interrupted: bool,
    /// The end of what it wrote.
    pub output: String,
}

/// A wake that was done, and not yet acknowledged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owed {
    /// The wake.
    pub wake: String,
    /// The mark, where there is one. Never shown.
    pub mark: Option<String>,
}

impl Owed {
    /// Is it an older request, which is shown without a mark?
    fn is_older(&self) -> bool {
        self.mark.is_none()
    }
}

/// Everything that is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// When the runner was first started here.
    pub begun: Time,
    /// The runs, the newest last.
    pub runs: Vec<Run>,
    /// When the last heartbeat ran.
    pub heartbeat: Option<Time>,
}

impl Kept {
    /// What limits count.
    pub fn started(&self) -> Vec<Started> {
        self.runs.iter().map(|run| Started { at: run.started, authors: run.authors.clone() }).collect()
    }

    /// A clock that was ahead leaves times that are still to come, which would block for as long: they become now.
    fn settle(&mut self, now: Time) {
        self.begun = self.begun.min(now);
        self.heartbeat = self.heartbeat.map(|at| at.min(now));
        self.runs.iter_mut().for_each(|run| run.started = run.started.min(now));
    }

    fn prune(&mut self, now: Time) {
        let older = self.runs.len().saturating_sub(KEPT);
        let mut place = 0;
        self.runs.retain_mut(|run| {
            let age = now.as_millis() - run.started.as_millis();
            run.owed.retain(|owed| age <= if owed.is_older() { OWED_OLDER } else { OWED_WAKE });
            place += 1;
            place > older || age < COUNTED || !run.owed.is_empty()
        });
    }
}

/// The file.
#[derive(Debug, Clone)]
pub struct Journal {
    folder: PathBuf,
}

impl Journal {
    /// In this folder, which is made.
    ///
    /// # Errors
    /// Code 1 when it cannot be.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| unusable(folder, &error))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The one in this folder, if there is any, to be read alone.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Reads it; None when there is none.
    ///
    /// # Errors
    /// Code 1 when it is damaged: it is never taken for empty.
    pub fn read(&self) -> Result<Option<Kept>, Failure> {
        let path = self.path();
        match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| {
                Failure::failed(format!(
                    "{} is damaged (line {}): it holds the runs that the limits count; mend it, or move it away to begin anew with \
                     nothing counted",
                    path.display(),
                    error.line()
                ))
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unusable(&path, &error)),
        }
    }

    /// Reads it, changes it, and puts the new one in its place, while nobody else does.
    ///
    /// # Errors
    /// Those of [`Self::read`], and when it cannot be written; then it is as it was.
    pub fn update<T>(&self, now: Time, change: impl FnOnce(&mut Kept) -> T) -> Result<T, Failure> {
        let wrong = |error: std::io::Error| unusable(&self.folder, &error);
        let lock = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(self.folder.join("lock"));
        let lock = lock.map_err(wrong)?;
        lock.lock().map_err(wrong)?;
        let mut kept = self.read()?.unwrap_or(Kept { begun: now, runs: Vec::new(), heartbeat: None });
        kept.settle(now);
        let changed = change(&mut kept);
        kept.prune(now);
        let bytes = serde_json::to_vec_pretty(&kept).map_err(|error| wrong(error.into()))?;
        let fresh = self.folder.join("journal.json.new");
        let mut file = OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&fresh).map_err(wrong)?;
        file.write_all(&bytes).and_then(|()| file.sync_all()).map_err(wrong)?;
        std::fs::rename(&fresh, self.path()).map_err(wrong)?;
        File::open(&self.folder).and_then(|folder| folder.sync_all()).map_err(wrong)?;
        Ok(changed)
    }

    /// Notes something about one run.
    ///
    /// # Errors
    /// Those of [`Self::update`].
    pub fn note(&self, now: Time, run: &str, change: impl FnOnce(&mut Run)) -> Result<(), Failure> {
        self.update(now, |kept| {
            if let Some(run) = kept.runs.iter_mut().find(|kept| kept.run == run) {
                change(run);
            }
        })
    }

    fn path(&self) -> PathBuf {
        self.folder.join("journal.json")
    }
}

fn unusable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!(
        "{} cannot be used for what the runner keeps: {error}; set XDG_STATE_HOME to a folder that can be written",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn run(started: i64) -> Run {
        let started = Time::from_millis(started);
        let (reasons, wakes, authors, owed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Run { run: format!("run-{started}"), started, reasons, wakes, authors, end: None, owed }
    }

    #[test]
    fn what_is_kept_survives_and_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("a/b")).unwrap();
        assert!(journal.read().unwrap().is_none());
        let now = Time::from_millis(1_000);
        journal.update(now, |kept| kept.runs.push(run(900))).unwrap();
        journal.note(now, &run(900).run, |run| run.reasons.push("heartbeat".to_owned())).unwrap();
        let kept = Journal::at(&folder.path().join("a/b")).read().unwrap().unwrap();
        assert_eq!((kept.begun, kept.runs[0].reasons.as_slice()), (now, ["heartbeat".to_owned()].as_slice()));
        assert!(!folder.path().join("a/b/journal.json.new").exists());
    }

    #[test]
    fn a_damaged_file_is_an_error_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        for damaged in ["", "{", "[]", "{\"runs\":[]}"] {
            std::fs::write(folder.path().join("journal.json"), damaged).unwrap();
            let failure = journal.update(Time::from_millis(5), |_| ()).unwrap_err();
            assert!(failure.words.contains("move it away"), "{failure}");
            assert_eq!(std::fs::read_to_string(folder.path().join("journal.json")).unwrap(), damaged);
        }
    }

    #[test]
    fn what_limits_count_and_what_is_owed_outlasts_the_hundred_that_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        let now = Time::from_millis(40 * COUNTED);
        let count = |runs: Vec<Run>| {
            journal.update(now, |kept| kept.runs = runs).unwrap();
            journal.read().unwrap().unwrap().runs.len()
        };
        assert_eq!(count((0..150).map(|_| run(39 * COUNTED + 1)).collect()), 150);
        assert_eq!(count((0..150).map(|_| run(38 * COUNTED)).collect()), KEPT);
        let owing = |started: i64, mark: Option<&str>| {
            let owed = Owed { wake: "r-1.older".to_owned(), mark: mark.map(str::to_owned) };
            let owing = Run { owed: vec![owed], ..run(started) };
            count((0..150).map(|_| owing.clone()).collect())
        };
        let day = 24 * 3_600_000;
        assert_eq!(owing(now.as_millis() - 4 * day, None), 150);
        assert_eq!(owing(now.as_millis() - 5 * day, None), KEPT);
        assert_eq!(owing(now.as_millis() - 31 * day, Some("m-1")), 150, "a wake is offered for as long as is caught up with");
        assert_eq!(owing(now.as_millis() - 32 * day, Some("m-1")), KEPT);
    }

    #[test]
    fn times_that_are_still_to_come_become_now() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        journal.update(Time::from_millis(9_000), |kept| kept.runs.push(run(9_000))).unwrap();
        journal.update(Time::from_millis(50), |_| ()).unwrap();
        let kept = journal.read().unwrap().unwrap();
        assert_eq!((kept.begun, kept.runs[0].started), (Time::from_millis(50), Time::from_millis(50)));
    }
}
