//! Stands in for a runner: a folder, the environment that GitHub gives, and bash called as GitHub calls it.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

use super::steps::{Context, Step};
use crate::world::Running;

/// The token of the job.
pub const JOB_TOKEN: &str = "ghs_theTokenOfThisJob";
/// What a job with `id-token: write` may ask its issuer with.
pub const REQUEST_TOKEN: &str = "theTokenThatAsksForTokens";

/// See above. One for each run of a step.
pub struct Runner {
    folder: TempDir,
    /// What expressions stand for.
    pub context: Context,
    /// What a test sets over the environment of the step.
    pub overrides: BTreeMap<String, String>,
}

/// How a step ended.
#[derive(Debug)]
pub struct Outcome {
    /// Whether the job is green.
    pub succeeded: bool,
    /// What the log shows: both outputs, without the commands that hide values.
    pub log: String,
    /// What the log hides from here on.
    pub masked: Vec<String>,
    /// What went into `$GITHUB_OUTPUT`.
    pub outputs: String,
    /// What went into `$GITHUB_PATH`.
    pub paths: String,
    /// The arguments of every program that was called, one program a line.
    pub arguments: String,
}

impl Runner {
    /// A runner that has this event.
    pub fn new(event: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["temp", "work", "scratch"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("event.json"), serde_json::to_vec_pretty(event).unwrap()).unwrap();
        let mut context = Context::default();
        context.set("github.token", JOB_TOKEN);
        let mut runner = Self { folder, context, overrides: BTreeMap::new() };
        runner.watch_arguments();
        runner
    }

    /// What everything lies in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The working folder of the step.
    pub fn work(&self) -> std::path::PathBuf {
        self.folder().join("work")
    }

    /// Sets a variable of the step, whatever its file says.
    pub fn set(&mut self, name: &str, value: &str) {
        self.overrides.insert(name.to_owned(), value.to_owned());
    }

    /// Puts a program of this name on the runner; `script` is for bash.
    pub fn install(&self, name: &str, script: &str) {
        let path = self.folder().join("bin").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/bash\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// Programs that are called write down their arguments, which every process of a machine can read.
    fn watch_arguments(&mut self) {
        let listing = self.folder().join("arguments");
        for name in ["curl", "jq", "openssl", "sha256sum", "sed", "base64", "env"] {
            let path = std::env::var_os("PATH").unwrap();
            let mut real = std::env::split_paths(&path).map(|folder| folder.join(name));
            let real = real.find(|path| path.exists()).unwrap_or_else(|| panic!("{name} is not installed"));
            let note = format!("printf '%q ' {name} \"$@\" >>{0}; echo >>{0}", listing.display());
            self.install(name, &format!("{note}\nexec {} \"$@\"", real.display()));
        }
    }

    /// Runs it as `shell: bash` does.
    pub async fn run(&self, step: &Step) -> Outcome {
        let script = self.folder().join("script.sh");
        std::fs::write(&script, &step.script).unwrap();
        for name in ["output", "path"] {
            std::fs::write(self.folder().join(name), "").unwrap();
        }
        let path = format!("{}:{}", self.folder().join("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&script).current_dir(self.work());
        command.env_clear().env("PATH", path).env("HOME", self.folder()).env("LANG", "C.UTF-8");
        command.env("TMPDIR", self.folder().join("scratch"));
        command.env("RUNNER_TEMP", self.folder().join("temp"));
        command.env("GITHUB_EVENT_PATH", self.folder().join("event.json"));
        command.env("GITHUB_OUTPUT", self.folder().join("output")).env("GITHUB_PATH", self.folder().join("path"));
        command.env("GITHUB_REPOSITORY", "acme/control");
        command.envs(step.environment.iter().map(|(name, value)| (name, self.context.evaluate(value))));
        let may_have_tokens = step.permissions["id-token"] == "write";
        command.envs(self.overrides.iter().filter(|(name, _)| may_have_tokens || !name.starts_with("ACTIONS_ID_TOKEN")));
        let ended = Running::start(&mut command).end().await;
        let (hiding, shown): (Vec<&str>, Vec<&str>) = ended.output.lines().partition(|line| line.starts_with("::add-mask::"));
        let left = std::fs::read_dir(self.folder().join("scratch")).unwrap().count();
        assert_eq!(left, 0, "the step left files with its secrets behind");
        Outcome {
            succeeded: ended.code == Some(0),
            log: [shown.join("\n"), ended.words].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n"),
            masked: hiding.into_iter().map(|line| line.trim_start_matches("::add-mask::").to_owned()).collect(),
            outputs: self.read("output"),
            paths: self.read("path"),
            arguments: self.read("arguments"),
        }
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder().join(name)).unwrap_or_default()
    }
}
