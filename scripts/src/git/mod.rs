//! Git mode: events are pushed as files, answers read from a branch that is fetched when it moved. With the git program, any
//! host and any way to reach it.

mod address;
mod answers;
mod cache;
mod events;
mod group;
mod program;
mod push;
mod ssh;

use pager_questions::{AgentName, QuestionId, Time, VerifyingKey};

pub use self::address::Address;
use self::answers::Answers;
use self::cache::Cache;
pub use self::group::{Group, end_all};
use self::program::Program;
use crate::distant::{Distant, Event, Look, Trouble};
use crate::settings::GitSettings;

/// An idle look costs one `ls-remote`, which no quota counts: pauses stay at 10 s.
const LONGEST_PAUSE: u32 = 2;

/// A way to pagerd through git alone.
pub struct Git {
    settings: GitSettings,
    answers: Answers,
}

impl Git {
    /// Prepares one; runs nothing.
    pub fn new(settings: GitSettings) -> Self {
        let program = Program::new(&settings.answers, settings.answers_token.as_ref());
        let cache = Cache::of(&settings.cache, "answers", &settings.answers);
        let answers = Answers::new(program, cache, settings.answers.clone(), settings.branch.clone());
        Self { settings, answers }
    }
}

impl Distant for Git {
    fn look(&self, id: &QuestionId, known: Option<&str>) -> Result<Option<Look>, Trouble> {
        self.answers.look(id, known)
    }

    fn send(&self, event: &Event, sent_at: Time) -> Result<(), Trouble> {
        let Some(address) = &self.settings.events else {
            return Err(Trouble::Refused(
                "ASK_EVENTS is not set: git mode needs the repository that events are pushed to, on its branch pager-events"
                    .to_owned(),
            ));
        };
        let program = Program::new(address, self.settings.events_token.as_ref());
        let cache = Cache::of(&self.settings.cache, "events", address);
        events::send(&program, address, &cache, event, sent_at)
    }

    fn now(&self) -> Time {
        crate::again::now()
    }

    fn longest_pause(&self) -> u32 {
        LONGEST_PAUSE
    }

    fn destination(&self) -> String {
        self.settings.events.as_ref().map_or_else(String::new, |address| address.shown().to_owned())
    }

    fn keys(&self) -> &[VerifyingKey] {
        &self.settings.keys
    }

    fn agent(&self) -> Option<&AgentName> {
        self.settings.agent.as_ref()
    }
}
