//! Runs the git program: bounded in time, never asking anybody, ended with all its helpers, with a token in its environment
//! alone.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use secrecy::{ExposeSecret, SecretString};

use super::group::Group;
use super::{Address, ssh};
use crate::distant::Trouble;

/// What could lead git elsewhere, let it ask somebody, or write down what it sends.
const NOT_INHERITED: [&str; 15] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CURL_VERBOSE",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_QUARANTINE_PATH",
    "GIT_TRACE",
    "GIT_TRACE_CURL",
    "GIT_TRACE_PACKET",
    "GIT_WORK_TREE",
    "LANGUAGE",
    "SSH_ASKPASS",
];
/// The user of a token whose address names none. Hosts look at the token alone.
const USUAL_USER: &str = "x-access-token";
/// What is kept of what git writes to standard error.
const MOST_WORDS: usize = 400;

/// The git program, told how to reach one repository, which it knows as `origin`.
pub struct Program {
    settings: Vec<(String, String)>,
    is_ssh: bool,
    ssh: OnceLock<Option<String>>,
}

/// How it ended.
pub struct Ended {
    /// Did it do what it was told?
    pub is_success: bool,
    /// Standard output.
    pub output: Vec<u8>,
    /// Standard error.
    pub words: String,
}

impl Program {
    /// For one repository, with a token where it is reached by HTTP.
    pub fn new(address: &Address, token: Option<&SecretString>) -> Self {
        let mut settings = vec![
            // Housekeeping ends before git does: nothing works in the cache behind its lock.
            ("gc.autoDetach".to_owned(), "false".to_owned()),
            ("maintenance.autoDetach".to_owned(), "false".to_owned()),
            ("gc.pruneExpire".to_owned(), "now".to_owned()),
            ("http.lowSpeedLimit".to_owned(), "1".to_owned()),
            ("http.lowSpeedTime".to_owned(), "30".to_owned()),
        ];
        let mut url = address.shown().to_owned();
        if let (Some(token), Some((origin, user))) = (token.or(address.password()), address.http_origin()) {
            let pair = format!("{}:{}", user.unwrap_or(USUAL_USER), token.expose_secret());
            settings.push((format!("http.{origin}.extraHeader"), format!("Authorization: Basic {}", BASE64.encode(pair))));
            // The header would go along to wherever a redirect leads.
            settings.push(("http.followRedirects".to_owned(), "false".to_owned()));
            url = address.without_user();
        }
        settings.push(("remote.origin.url".to_owned(), url));
        Self { settings, is_ssh: address.is_ssh(), ssh: OnceLock::new() }
    }

    /// Runs it in a folder, with this on standard input, for at most `within`.
    ///
    /// # Errors
    /// [`Trouble::Refused`] when there is no git; [`Trouble::Passing`] when the time is up.
    pub fn run(&self, folder: &Path, arguments: &[&str], input: &[u8], within: Duration) -> Result<Ended, Trouble> {
        let verb = arguments.first().copied().unwrap_or_default();
        let wrong = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound if folder.exists() => {
                Trouble::Refused("the program git is not installed, and git mode needs it: install git".to_owned())
            }
            _ => Trouble::Passing(format!("git {verb} cannot be run: {error}")),
        };
        let end = Instant::now() + within;
        let mut child = self.command(folder, arguments).spawn().map_err(wrong)?;
        let group = Group::of(&child);
        let (sender, finished) = channel();
        let mut readers = Vec::new();
        let pipes: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
            child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        ];
        for pipe in pipes.into_iter().flatten() {
            let sender = sender.clone();
            let read = move || {
                let (mut pipe, mut bytes) = (pipe, Vec::new());
                // What was read before a pipe broke is still what git said.
                let _ = pipe.read_to_end(&mut bytes);
                let _ = sender.send(());
                bytes
            };
            readers.push(thread::Builder::new().stack_size(64 * 1024).spawn(read).map_err(wrong)?);
        }
        if let Some(mut pipe) = child.stdin.take() {
            // A git that wants no more of it tells why by how it ends.
            let _ = pipe.write_all(input);
        }
        let is_in_time = (0..readers.len()).all(|_| finished.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok());
        if !is_in_time {
            drop(group);
            let _ = child.wait();
            return Err(Trouble::Passing(format!("git {verb} took longer than {} s", within.as_secs())));
        }
        group.release();
        let status = child.wait().map_err(wrong)?;
        let mut read = readers.into_iter().map(|reader| reader.join().unwrap_or_default());
        let output = read.next().unwrap_or_default();
        let words = String::from_utf8_lossy(&read.next().unwrap_or_default()).into_owned();
        Ok(Ended { is_success: status.success(), output, words })
    }

    fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.current_dir(folder).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for name in NOT_INHERITED {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_TRACE_REDACT", "1");
        // Empty, it also takes the place of core.askPass.
        command.env("GIT_ASKPASS", "").env("GCM_INTERACTIVE", "never").process_group(0);
        if self.is_ssh {
            command.envs(self.ssh.get_or_init(ssh::command).iter().map(|ssh| ("GIT_SSH_COMMAND", ssh)));
        }
        // What somebody set by the same variables stays.
        let first: usize = std::env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
        for (number, (key, value)) in (first..).zip(&self.settings) {
            command.env(format!("GIT_CONFIG_KEY_{number}"), key).env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        command.env("GIT_CONFIG_COUNT", (first + self.settings.len()).to_string());
        command
    }
}

impl Ended {
    /// Why it failed, for people: what git said, shortened.
    pub fn why(&self) -> String {
        let lines = self.words.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("hint:"));
        let words = lines.collect::<Vec<_>>().join("; ");
        match words.char_indices().nth(MOST_WORDS) {
            Some((cut, _)) => format!("{}…", &words[..cut]),
            None if words.is_empty() => "git says nothing".to_owned(),
            None => words,
        }
    }

    /// Its class, where it was to reach a repository.
    pub fn trouble(&self, setting: &str, address: &Address) -> Trouble {
        const DEFINITE: [&str; 13] = [
            "access denied",
            "authentication failed",
            "could not read password",
            "could not read username",
            "does not appear to be a git repository",
            "dubious ownership",
            "host key verification failed",
            "invalid credentials",
            "not found",
            "permission denied",
            "requested url returned error: 401",
            "requested url returned error: 403",
            "terminal prompts disabled",
        ];
        let said = self.words.to_lowercase();
        let (shown, why) = (address.shown(), self.why());
        if DEFINITE.iter().any(|known| said.contains(known)) {
            let way_out = "check the address, and that git reaches it from here: by a token, its credential helper, or a key";
            Trouble::Refused(format!("{shown} is out of reach: {why}; check {setting}: {way_out}"))
        } else {
            Trouble::Passing(format!("{shown} cannot be reached: {why}"))
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn a_git_that_does_not_end_is_ended_with_its_helpers() {
        let folder = tempfile::tempdir().unwrap();
        let noted = folder.path().join("helper");
        let alias = format!("alias.hang=!sleep 1000 & echo $! > '{}'; wait", noted.display());
        let program = Program::new(&Address::parse("ASK_ANSWERS", "/nowhere").unwrap(), None);
        let began = Instant::now();
        let ended = program.run(folder.path(), &["-c", &alias, "hang"], &[], Duration::from_secs(5));
        assert!(matches!(ended, Err(Trouble::Passing(_))));
        let helper = std::fs::read_to_string(&noted).unwrap();
        let state = Path::new("/proc").join(helper.trim()).join("stat");
        // Gone, or dead and not yet collected by init.
        while std::fs::read_to_string(&state).is_ok_and(|state| !state.contains(") Z ")) {
            assert!(began.elapsed() < Duration::from_secs(20), "the helper lives on");
            thread::yield_now();
        }
    }
}
