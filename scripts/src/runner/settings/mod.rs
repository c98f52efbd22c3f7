//! `runner.toml`: which command is started for what, with what access, and how often at most. All that is wrong with it is
//! said at once, each with the key and the way out.

mod file;

use std::path::{Path, PathBuf};
use std::time::Duration;

use pager_questions::{Autonomy, Tier};

use self::file::Keys;
use super::access::Access;
use super::enforcement::{self, Held};
use super::limits::Limits;
use super::runtime::Runtime;
use super::template;
use crate::failure::Failure;

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
/// Longest lease that the service gives.
const LONGEST_LEASE: Duration = Duration::from_secs(600);
const MOST_IN_NAME: usize = 64;

/// What the runner was told.
#[derive(Debug)]
pub struct RunnerSettings {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it is.
    pub runtime: Runtime,
    /// What a run may use.
    pub access: Access,
    /// Which directive its prompt holds.
    pub autonomy: Autonomy,
    /// How long that is.
    pub tier: Tier,
    /// Where the command runs, when it was said.
    pub workdir: Option<PathBuf>,
    /// The tools of a workspace.
    pub tools: Vec<String>,
    /// Which requests are of interest.
    pub tags: Vec<String>,
    /// How often, when at all.
    pub heartbeat: Option<Duration>,
    /// How old an event may be that wakes.
    pub catchup: Duration,
    /// How long a started run may fall silent before it counts as dead.
    pub lease: Duration,
    /// How often it may run.
    pub limits: Limits,
    /// The prompt's template, read.
    pub template: String,
    /// Was something set that picks directives, which no service has?
    pub picks_directives: bool,
    /// What was set and changes nothing beside the rest, in words for people.
    pub unused: Vec<String>,
}

impl RunnerSettings {
    /// Reads the file.
    ///
    /// # Errors
    /// Code 1 with every problem, a line each.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::failed(format!(
                "{shown} cannot be read: {error}; write it with at least command = [\"claude\", \"-p\"], or name another with --config"
            ))
        })?;
        Self::of(&text, path.parent().unwrap_or(Path::new("."))).map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(|problem| format!("{shown}: {problem}")).collect();
            Failure::failed(lines.join("\n"))
        })
    }

    /// From the text of a file in this folder.
    fn of(text: &str, folder: &Path) -> Result<Self, Vec<String>> {
        let mut keys = Keys::of(text, folder).map_err(|problem| vec![problem])?;
        let mut command = keys.words("command").unwrap_or_default();
        if let Some(program) = command.first_mut().filter(|program| program.contains('/')) {
            *program = keys.place(program).to_string_lossy().into_owned();
        }
        let runtime = keys.one_of("runtime", &Runtime::ALL.map(Runtime::as_str), Runtime::parse);
        let runtime = runtime.unwrap_or_else(|| command.first().map_or(Runtime::Other, |program| Runtime::of(program)));
        let access = keys.one_of("access", &Access::ALL.map(Access::as_str), Access::parse).unwrap_or(Access::Locked);
        enforcement::complete(&mut command, runtime, access);
        let enforced_by = keys.text("enforced_by");
        let workdir = keys.folder("workdir");
        let tools = keys.words("tools");
        let settings = Self {
            runtime,
            access,
            autonomy: keys.one_of("autonomy", &Autonomy::ALL.map(Autonomy::as_str), Autonomy::parse).unwrap_or_default(),
            tier: keys.one_of("tier", &Tier::ALL.map(Tier::as_str), Tier::parse).unwrap_or_default(),
            tags: keys.tags("tags"),
            heartbeat: keys.duration_or_off("heartbeat", SECOND..=30 * DAY, HOUR),
            catchup: keys.duration("catchup", SECOND..=30 * DAY, DAY),
            lease: keys.duration("lease", SECOND..=LONGEST_LEASE, Duration::from_secs(60)),
            limits: Limits {
                runs_per_hour: keys.number("runs_per_hour", 1_000, 6),
                runs_per_day: keys.number("runs_per_day", 10_000, 40),
                wakes_per_author_per_day: keys.number("wakes_per_author_per_day", 10_000, 10),
            },
            template: keys.contents("template").unwrap_or_else(|| template::STANDARD.to_owned()),
            picks_directives: {
                let given = ["role", "department"].map(|name| keys.short_text(name, MOST_IN_NAME));
                given.contains(&true)
            },
            unused: unused(access, runtime, tools.is_some(), enforced_by.is_some()),
            tools: tools.unwrap_or_default(),
            workdir,
            command,
        };
        settings.check(&mut keys, enforced_by.as_deref());
        keys.finish().map(|()| settings)
    }

    fn check(&self, keys: &mut Keys<'_>, enforced_by: Option<&str>) {
        if self.command.is_empty() {
            if !keys.is_faulty("command") {
                keys.problem("command", "is missing or empty; write the program and its arguments, like [\"claude\", \"-p\"]");
            }
            return;
        }
        if self.access == Access::Workspace {
            if self.workdir.is_none() && !keys.is_faulty("workdir") {
                keys.problem("workdir", "is missing, and a workspace is a folder; write workdir = \"/path/to/it\"");
            }
            if self.tools.is_empty() && !keys.is_faulty("tools") {
                keys.problem("tools", "is missing, and a workspace has tools; write them, like tools = [\"read\", \"edit\"]");
            }
        }
        for (key, words) in enforcement::faults(self.held(), enforced_by) {
            keys.problem(key, &words);
        }
    }

    /// What its access holds its command to.
    pub fn held(&self) -> Held<'_> {
        Held {
            command: &self.command,
            runtime: self.runtime,
            access: self.access,
            tools: &self.tools,
            folder: self.workdir.as_deref().filter(|_| self.access == Access::Workspace),
        }
    }
}

/// One file serves every access: what is meant for another one is told, and stands in nobody's way.
fn unused(access: Access, runtime: Runtime, has_tools: bool, has_word: bool) -> Vec<String> {
    let mut unused = Vec::new();
    if has_tools && access != Access::Workspace {
        let given = if access == Access::Locked { "the pager's tools alone" } else { "whatever its own configuration gives" };
        unused.push(format!("tools is for access = \"workspace\" and not used: with \"{}\" a run has {given}", access.as_str()));
    }
    if let Some(why) = enforcement::needs_no_word(access, runtime).filter(|_| has_word) {
        unused.push(format!("enforced_by is not used: {why}"));
    }
    unused
}

#[cfg(test)]
mod tests;
