//! The command while it runs: its prompt goes to its standard input, what it writes is kept at its end, and it is ended with
//! all that it started when the runner is.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use secrecy::{ExposeSecret, SecretString};

use super::tail::Tail;
use crate::git::Group;

/// How long it has to end by itself once it was told to.
const ENDS_WITHIN: Duration = Duration::from_secs(10);
/// How long to read on after its end: something that it left behind may hold its output open.
const READS_ON: Duration = Duration::from_secs(2);
/// The runner's own secrets beside the one that it hands over.
const OWN_SECRETS: [&str; 6] =
    ["ASK_ANSWERS_TOKEN", "ASK_EVENTS_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];

/// What to start.
pub struct Start<'a> {
    /// The program with all its arguments.
    pub command: &'a [String],
    /// Where.
    pub folder: &'a Path,
    /// For `PAGER_RUN`.
    pub run: &'a str,
    /// For `ASK_URL`.
    pub url: &'a str,
    /// For `ASK_TOKEN`.
    pub token: &'a SecretString,
    /// Does it inherit everything, the runner's other secrets too?
    pub inherits: bool,
    /// For standard input.
    pub prompt: String,
}

/// A command that was started.
pub struct Process {
    pid: Pid,
    group: Option<Group>,
    end: Arc<Ending>,
    tail: Tail,
    readers: Receiver<()>,
    started: Instant,
}

/// Waits for the end, in any thread.
#[derive(Default)]
pub struct Ending {
    status: Mutex<Option<io::Result<ExitStatus>>>,
    changed: Condvar,
}

impl Process {
    /// Starts it.
    ///
    /// # Errors
    /// When it could not be started. Then nothing runs.
    pub fn start(start: Start<'_>) -> io::Result<Self> {
        let (program, arguments) = start.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(start.folder).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !start.inherits {
            for name in OWN_SECRETS {
                command.env_remove(name);
            }
        }
        command.env("ASK_URL", start.url).env("ASK_TOKEN", start.token.expose_secret()).env("PAGER_RUN", start.run);
        if let Some(path) = with_ask() {
            command.env("PATH", path);
        }
        let mut child = command.spawn()?;
        let (started, tail) = (Instant::now(), Tail::default());
        let group = Group::of(&child);
        let (done, readers) = channel();
        let pipes: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
            child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        ];
        for pipe in pipes.into_iter().flatten() {
            let (tail, done) = (tail.clone(), done.clone());
            thread::Builder::new().stack_size(64 * 1024).spawn(move || {
                tail.read(pipe);
                let _ = done.send(());
            })?;
        }
        if let Some(mut pipe) = child.stdin.take() {
            let prompt = start.prompt;
            // A command that reads no prompt has had its say in that.
            thread::Builder::new().stack_size(64 * 1024).spawn(move || drop(pipe.write_all(prompt.as_bytes())))?;
        }
        let (pid, end) = (Pid::from_child(&child), Arc::new(Ending::default()));
        let ending = Arc::clone(&end);
        thread::Builder::new().stack_size(64 * 1024).spawn(move || {
            let status = child.wait();
            *ending.lock() = Some(status);
            ending.changed.notify_all();
        })?;
        Ok(Self { pid, group: Some(group), end, tail, readers, started })
    }

    /// Where its end is to be waited for.
    pub fn ending(&self) -> Arc<Ending> {
        Arc::clone(&self.end)
    }

    /// How long it has run.
    pub fn lasted(&self) -> Duration {
        self.started.elapsed()
    }

    /// Tells it to end, and ends it when it does not.
    pub fn stop(&self) {
        // One that is gone already needs no telling.
        let _ = kill_process_group(self.pid, Signal::TERM);
        if !self.end.wait(Some(Instant::now() + ENDS_WITHIN)) {
            let _ = kill_process_group(self.pid, Signal::KILL);
            self.end.wait(None);
        }
    }

    /// How it ended, once it has, and the end of what it wrote without the token.
    pub fn finish(mut self, token: &SecretString) -> (io::Result<ExitStatus>, String) {
        self.end.wait(None);
        if let Some(group) = self.group.take() {
            group.release();
        }
        let end = Instant::now() + READS_ON;
        for _ in 0..2 {
            let _ = self.readers.recv_timeout(end.saturating_duration_since(Instant::now()));
        }
        let status = self.end.lock().take().unwrap_or_else(|| Err(io::ErrorKind::Other.into()));
        (status, self.tail.text(token.expose_secret()))
    }
}

impl Ending {
    /// Waits until it has ended, or until this moment. Has it?
    pub fn wait(&self, until: Option<Instant>) -> bool {
        let mut status = self.lock();
        while status.is_none() {
            status = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => self.changed.wait(status).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return false,
                Some(left) => self.changed.wait_timeout(status, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
        true
    }

    /// Has it ended, and by itself with code 0?
    pub fn is_success(&self) -> bool {
        matches!(&*self.lock(), Some(Ok(status)) if status.success())
    }

    fn lock(&self) -> MutexGuard<'_, Option<io::Result<ExitStatus>>> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The path with this very `ask` at its end, so that a command finds one.
fn with_ask() -> Option<std::ffi::OsString> {
    let program = std::env::current_exe().ok()?;
    let path = std::env::var_os("PATH")?;
    let folders = std::env::split_paths(&path).chain(program.parent().map(Path::to_owned));
    std::env::join_paths(folders).ok()
}
