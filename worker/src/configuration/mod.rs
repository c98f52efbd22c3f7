//! What the operator sets: flags, then `PAGER_…`, then `pager.toml`. Everything wrong is told at once, with its fix.

mod answers;
pub mod control;
mod deadline;
mod gates;
mod general;
mod github;
mod limits;
mod private;
mod reader;
#[cfg(test)]
mod reference;
mod server;
mod sources;
mod store;
mod telegram;
#[cfg(test)]
mod tests;
mod unanswered;
mod wake;
mod webhook;

use std::ffi::OsString;
use std::path::Path;

pub use answers::Answers;
pub use control::{Control, Inbox};
pub use deadline::Deadline;
pub use gates::Gates;
pub use general::General;
pub use github::GitHub;
pub use limits::Limits;
pub use private::is_private_enough;
pub use reader::Problems;
pub use server::Server;
pub use sources::Flags;
pub use store::Store;
pub use telegram::{Telegram, Tidying};
pub use wake::Wakes;
pub use webhook::Receiving;

use reader::Reader;

/// Everything that is set, checked.
#[derive(Debug)]
pub struct Configuration {
    /// Folders, key and time zone.
    pub general: General,
    /// Where it listens and how it is reached.
    pub server: Server,
    /// The store.
    pub store: Store,
    /// The bot; None without a token.
    pub telegram: Option<Telegram>,
    /// GitHub.
    pub github: GitHub,
    /// The answers repository.
    pub answers: Answers,
    /// The control repository.
    pub control: Control,
    /// What may be woken.
    pub wakes: Wakes,
    /// What deadlines agents may set.
    pub deadline: Deadline,
    /// From what age on something is unanswered, in milliseconds; 0 for never without a deadline of its own.
    pub unanswered_after: i64,
    /// How much of one source is live, and for how long its past is kept.
    pub limits: Limits,
    /// What agents may do without asking.
    pub gates: Gates,
}

impl Configuration {
    /// Reads and checks it. Warnings (an unknown `PAGER_…`) come beside it.
    ///
    /// # Errors
    /// [`Problems`] with every fault of every source.
    pub fn load(flags: &Flags) -> Result<(Self, Vec<String>), Problems> {
        Self::load_with(flags, std::env::vars_os())
    }

    /// The same in the given environment.
    fn load_with(
        flags: &Flags,
        environment: impl Iterator<Item = (OsString, OsString)>,
    ) -> Result<(Self, Vec<String>), Problems> {
        Self::of_sources(sources::Sources::gather(flags, environment)?)
    }

    /// The same with this text in the place of the file at `path`, which need not be there.
    ///
    /// # Errors
    /// [`Problems`] with every fault of every source.
    pub fn of_text(flags: &Flags, path: &Path, text: &str) -> Result<(Self, Vec<String>), Problems> {
        Self::of_sources(sources::Sources::gather_text(flags, path, text, std::env::vars_os())?)
    }

    fn of_sources(sources: sources::Sources) -> Result<(Self, Vec<String>), Problems> {
        let mut reader = Reader::of(sources);
        let general = General::read(&mut reader);
        let server = Server::read(&mut reader);
        let store = Store::read(&mut reader, &general);
        let telegram = Telegram::read(&mut reader, &server);
        let github = GitHub::read(&mut reader);
        let answers = Answers::read(&mut reader, &general, &github);
        let control = Control::read(&mut reader);
        let wakes = Wakes::read(&mut reader, control.repo.is_some() && github.access.is_some());
        let deadline = Deadline::read(&mut reader);
        let unanswered_after = unanswered::read(&mut reader);
        let limits = Limits::read(&mut reader);
        let gates = Gates::read(&mut reader);
        let warnings = reader.finish()?;
        Ok((
            Self { general, server, store, telegram, github, answers, control, wakes, deadline, unanswered_after, limits, gates },
            warnings,
        ))
    }
}
