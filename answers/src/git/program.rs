//! Runs the git program: nobody's hooks, prompts or system settings, a timeout, and an end of all its helpers with it.
//! It is told what may not be seen (tokens) through its environment, and nothing of that through its arguments.

use std::{ffi::OsString, path::Path, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, Command},
};

use super::{failure::GitFailure, remote::GitRemote};

/// The most that is read of what git prints, per stream; the rest is read and dropped.
const MOST_OUTPUT: usize = 4 << 20;

/// What holds for every call. Nobody's hooks or signatures, and no work in the background.
const SETTINGS: [(&str, &str); 9] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("gc.autoDetach", "false"),
    ("maintenance.autoDetach", "false"),
    ("push.gpgSign", "false"),
    ("push.followTags", "false"),
    ("push.recurseSubmodules", "no"),
    ("fetch.recurseSubmodules", "no"),
    ("advice.pushUpdateRejected", "false"),
];

/// What a git that ran to its end left behind.
#[derive(Debug)]
pub(super) struct Ended {
    /// The exit code was 0.
    pub(super) succeeded: bool,
    /// Standard output.
    pub(super) output: String,
    /// Standard error.
    pub(super) words: String,
}

/// One call of git.
pub(super) struct Call<'a> {
    remote: &'a GitRemote,
    arguments: Vec<OsString>,
    input: Vec<u8>,
}

impl<'a> Call<'a> {
    /// `git <arguments>`, with what the remote is asked with at hand.
    pub(super) fn new(remote: &'a GitRemote, arguments: &[&str]) -> Self {
        Self { remote, arguments: arguments.iter().map(OsString::from).collect(), input: Vec::new() }
    }

    /// With this on its standard input.
    #[cfg(test)]
    fn with_input(mut self, input: &[u8]) -> Self {
        self.input = input.to_vec();
        self
    }

    /// Runs it in a folder, at most this long. Dropped before its end, it ends git and what git started.
    ///
    /// # Errors
    /// [`GitFailure::Refused`] when there is no git program, [`GitFailure::Unknown`] when it did not end in time.
    pub(super) async fn run(self, folder: &Path, at_most: Duration) -> Result<Ended, GitFailure> {
        let verb = self.arguments.first().map(|verb| verb.to_string_lossy().into_owned()).unwrap_or_default();
        let mut command = self.command(folder);
        let child = command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound if folder.is_dir() => {
                GitFailure::Refused("the git program is not installed; install git, or put it into PATH".to_owned())
            }
            _ => GitFailure::Unknown(format!("git cannot be started: {error}")),
        })?;
        let running = Running { child };
        match tokio::time::timeout(at_most, running.to_its_end(self.input)).await {
            Ok(ended) => ended.map_err(|error| GitFailure::Unknown(format!("git {verb} cannot be watched: {error}"))),
            Err(_) => Err(GitFailure::Unknown(format!(
                "git {verb} of {} did not end within {} s",
                self.remote,
                at_most.as_secs_f32().ceil()
            ))),
        }
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new("git");
        // What is inherited of git's own variables would point it elsewhere, or let it ask somebody.
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_foreign(&name.to_string_lossy())) {
            command.env_remove(name);
        }
        command
            .args(&self.arguments)
            .current_dir(folder)
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GCM_INTERACTIVE", "never")
            .envs(ssh())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let settings = SETTINGS.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let settings: Vec<_> = settings.into_iter().chain(self.remote.settings()).collect();
        command.env("GIT_CONFIG_COUNT", settings.len().to_string());
        for (number, (name, value)) in settings.into_iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{number}"), name).env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        command
    }
}

/// A variable of git's that is not left to whoever started this process. How to reach and trust a server stays.
fn is_foreign(name: &str) -> bool {
    let stays = name.starts_with("GIT_SSH") || name.starts_with("GIT_SSL") || name.starts_with("GIT_PROXY");
    let is_global = matches!(name, "GIT_CONFIG_GLOBAL" | "GIT_EXEC_PATH");
    (name.starts_with("GIT_") && !stays && !is_global) || name == "SSH_ASKPASS"
}

/// Ssh, so that it fails instead of asking. A program that was chosen by `GIT_SSH` is left to its ways.
fn ssh() -> Option<(&'static str, String)> {
    if std::env::var_os("GIT_SSH").is_some() {
        return None;
    }
    let program = std::env::var("GIT_SSH_COMMAND").unwrap_or_else(|_| "ssh".to_owned());
    Some(("GIT_SSH_COMMAND", format!("{program} -o BatchMode=yes -o ConnectTimeout=15")))
}

/// Git with everything that it started.
struct Running {
    child: Child,
}

impl Running {
    async fn to_its_end(mut self, input: Vec<u8>) -> std::io::Result<Ended> {
        let stdin = self.child.stdin.take();
        let (stdout, stderr) = (self.child.stdout.take(), self.child.stderr.take());
        let writing = async move {
            if let Some(mut stdin) = stdin {
                // A git that does not want it all says so by its exit code.
                let _ = stdin.write_all(&input).await;
            }
        };
        let ((), output, words) = tokio::join!(writing, read(stdout), read(stderr));
        let status = self.child.wait().await?;
        Ok(Ended { succeeded: status.success(), output: output?, words: words? })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // None once its end was taken note of: from then on the number may be another's.
        let process = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(process) = process {
            let _ = kill_process_group(process, Signal::KILL);
        }
    }
}

async fn read(stream: Option<impl AsyncReadExt + Unpin>) -> std::io::Result<String> {
    let Some(mut stream) = stream else { return Ok(String::new()) };
    let mut kept = Vec::new();
    let mut part = vec![0; 8192];
    loop {
        let count = stream.read(&mut part).await?;
        if count == 0 {
            return Ok(String::from_utf8_lossy(&kept).into_owned());
        }
        let room = MOST_OUTPUT.saturating_sub(kept.len());
        kept.extend_from_slice(&part[..count.min(room)]);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use std::time::Instant;

    use super::*;
    use crate::Credentials;

    fn nowhere() -> GitRemote {
        GitRemote::new("git+file:/nowhere", &Credentials::default()).unwrap()
    }

    async fn run(arguments: &[&str], input: &[u8], at_most: Duration) -> Result<Ended, GitFailure> {
        let folder = tempfile::tempdir().unwrap();
        Call::new(&nowhere(), arguments).with_input(input).run(folder.path(), at_most).await
    }

    #[tokio::test]
    async fn git_is_given_input_and_gives_output() {
        let ended = run(&["hash-object", "--stdin"], b"1", Duration::from_secs(20)).await.unwrap();
        assert!(ended.succeeded, "{ended:?}");
        assert_eq!(ended.output, "56a6051ca2b02b04ef92d5150c9ef600403cb1de\n");
    }

    #[tokio::test]
    async fn a_git_that_does_not_end_is_ended_with_its_helpers() {
        let folder = tempfile::tempdir().unwrap();
        let pid_file = folder.path().join("helper");
        let alias = format!("alias.hang=!sleep 1000 & echo $! > '{}'; wait", pid_file.display());
        let began = Instant::now();
        let failure = run(&["-c", &alias, "hang"], b"", Duration::from_millis(1500)).await.unwrap_err();
        assert!(matches!(failure, GitFailure::Unknown(_)), "{failure:?}");
        assert!(began.elapsed() < Duration::from_secs(20));
        let helper = std::fs::read_to_string(&pid_file).unwrap();
        let stat = Path::new("/proc").join(helper.trim()).join("stat");
        // Gone, or dead and not yet collected by init.
        let is_gone = || std::fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
        while !is_gone() {
            assert!(began.elapsed() < Duration::from_secs(20), "the helper lives on");
            tokio::task::yield_now().await;
        }
    }

    #[test]
    fn what_git_inherits_is_how_to_reach_a_server() {
        for foreign in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_CONFIG_COUNT", "GIT_TRACE_CURL", "GIT_ASKPASS", "SSH_ASKPASS"] {
            assert!(is_foreign(foreign), "{foreign}");
        }
        for kept in ["PATH", "HOME", "GIT_SSL_CAINFO", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL", "https_proxy", "SSH_AUTH_SOCK"] {
            assert!(!is_foreign(kept), "{kept}");
        }
    }
}
