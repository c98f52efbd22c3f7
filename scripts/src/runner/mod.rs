//! `ask run`: keeps an agent reachable on a machine. It holds one request to pagerd, and starts the configured command for
//! what concerns the agent. It reads nothing into what the command writes: that says what it has to say with `ask`.

mod access;
mod claim;
mod enforcement;
mod heartbeat;
mod journal;
mod limits;
mod log;
mod place;
mod process;
mod prompt;
mod reach;
mod renewing;
mod round;
mod runtime;
pub mod seen;
mod settings;
mod settling;
mod tail;
mod template;
mod wakes;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::CommandFactory;

use self::access::Access;
use self::journal::Journal;
use self::place::Place;
use self::round::{Round, Runner, looks_away};
use self::runtime::Runtime;
use self::settings::RunnerSettings;
use self::wakes::Wakes;
use crate::again::{self, Backoff};
use crate::door::{Connection, Door};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupts::Interrupts;
use crate::output;
use crate::verbs::directive::PICKS_NOTHING;

/// Longest time that one request is held: short enough for the proxies that cut a silent connection after a minute.
const HOLD: Duration = Duration::from_secs(55);
/// How long to leave a command alone that cannot be started, at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// Prints what was run, without a service.
///
/// # Errors
/// When the journal is damaged, or the settings' place is not known.
pub fn print_log(config: Option<&Path>) -> Result<Exit, Failure> {
    log::print(&Journal::at(&Place::of(config)?.state))
}

/// Runs: one round with `once`, else until a signal comes.
///
/// # Errors
/// Wrong settings, or what no waiting would mend.
pub fn run(config: Option<&Path>, once: bool, connection: &Connection) -> Result<Exit, Failure> {
    let needs_direct = "run needs direct mode, since it holds a request to pagerd and an event tells nothing back: set ASK_URL";
    let Door::Direct(client) = Door::open(connection)? else { return Err(Failure::failed(needs_direct)) };
    let place = Place::of(config)?;
    let settings = RunnerSettings::read(&place.config)?;
    let journal = Journal::open(&place.state)?;
    journal.update(again::now(), |_| ())?;
    let _here = place.claim()?;
    let folder = place.folder(&settings)?;
    let ask = std::env::current_exe().map_err(|error| Failure::failed(format!("this program cannot be found: {error}")))?;
    let ask = ask.to_string_lossy();
    let enforcement = enforcement::of(settings.held(), enforcement::Place { ask: &ask, state: &place.state });
    warn_of_missing_tools(&settings);
    for words in &settings.unused {
        output::say(&format!("{}: {words}", place.config.display()));
    }
    if settings.picks_directives {
        output::say(&PICKS_NOTHING);
    }
    let wakes = Wakes::new(Arc::new(client), &settings.tags, settings.catchup);
    let interrupts = Interrupts::listen()?;
    let mut runner = Runner { settings, enforcement, folder, wakes, journal, interrupts, told_until: None };
    if once { single(&mut runner) } else { for_ever(&mut runner) }
}

fn single(runner: &mut Runner) -> Result<Exit, Failure> {
    match runner.round(None)? {
        Round::Ran | Round::Nothing | Round::Waits(_) => Ok(Exit::Done),
        Round::Passing(words) | Round::NotStarted(words) => Err(Failure::failed(words)),
        Round::Signal(signal) => Ok(Exit::Interrupted(signal)),
    }
}

fn for_ever(runner: &mut Runner) -> Result<Exit, Failure> {
    let (mut backoff, mut is_lost) = (Backoff::new(), false);
    let mut cannot_start = Duration::from_secs(1);
    // What is held back is there at once: then nothing is gained by a request that is held.
    let mut hold = Some(HOLD);
    loop {
        let round = runner.round(hold)?;
        if !matches!(round, Round::Passing(_)) && is_lost {
            is_lost = false;
            output::say(&"the service can be reached again");
        }
        hold = Some(HOLD);
        let pause = match round {
            Round::Signal(signal) => return Ok(Exit::Interrupted(signal)),
            Round::Ran | Round::Nothing => {
                (backoff, cannot_start) = (Backoff::new(), Duration::from_secs(1));
                continue;
            }
            Round::Waits(Some(until)) => {
                hold = None;
                looks_away(Some(until))
            }
            Round::Waits(None) => backoff.pause(),
            Round::Passing(words) => {
                if !is_lost {
                    output::say(&format!("{words}; trying again"));
                }
                is_lost = true;
                backoff.pause()
            }
            Round::NotStarted(words) => {
                output::say(&words);
                cannot_start = (cannot_start * 2).min(LONGEST_PAUSE);
                cannot_start
            }
        };
        if let Some(signal) = runner.interrupts.pause(pause) {
            return Ok(Exit::Interrupted(signal));
        }
    }
}

/// The runtimes that are known get the pager's tools from `ask mcp`, since they get no shell to run `ask` in.
fn warn_of_missing_tools(settings: &RunnerSettings) {
    let needs_them = settings.access != Access::Inherit && settings.runtime != Runtime::Other;
    if needs_them && crate::cli::Cli::command().find_subcommand("mcp").is_none() {
        output::say(&format!(
            "{} with access = \"{}\" gets the pager's tools from `ask mcp`, which this `ask` does not have: its runs can read their \
             prompt and say nothing",
            settings.runtime.as_str(),
            settings.access.as_str()
        ));
    }
}
