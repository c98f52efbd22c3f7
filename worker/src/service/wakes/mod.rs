//! What an agent's runner is woken for: found by what happened, kept once it was listed, given to one runner at a time, until it is
//! acknowledged.

mod finding;
mod listing;
mod marking;
mod older;
mod ring;

use pager_questions::{Author, Party, Record, RecordView, Reply, Request, Time, WakeId};
use serde::Serialize;
use utoipa::ToSchema;

pub use marking::{Caller, MarkError, Marked};
pub use older::Older;
pub use ring::Runners;
pub(super) use ring::run;

/// The longest that a runner catches up, in milliseconds.
pub const LONGEST_CATCHUP: i64 = 30 * 24 * 3600 * 1000;
/// So long wakes that are over are kept beyond that, so that none of them is found anew.
const KEPT_BEYOND: i64 = 30 * 24 * 3600 * 1000;
/// A record that an agent is still to be woken for outlasts what is kept of the history, but not for longer than this after its end.
const RECORDS_WAIT: i64 = 90 * 24 * 3600 * 1000;
/// The most that is listed at once, and found at once.
const MOST: u32 = 500;
/// How often one is given before it is given up.
const MOST_TIMES: u32 = 2;

/// Who asks for wakes, and for which.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The agent.
    pub agent: Author,
    /// The tags of requests that are of interest; empty for all.
    pub skills: Vec<String>,
    /// How old something may be, in milliseconds.
    pub catchup: i64,
}

/// One wake, as a runner gets it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Wake {
    /// What it is about, a dot, and the reason.
    #[schema(value_type = String)]
    pub id: WakeId,
    /// Why.
    pub reason: pager_questions::wake::Reason,
    /// That in one sentence, for a prompt.
    pub text: String,
    /// Whoever asked: the name of an agent, or `owner`; null when that is this agent itself.
    pub author: Option<String>,
    /// When it happened.
    pub at: Time,
    /// What a model is given; whatever anybody wrote stands in fences.
    pub message: String,
    /// It was marked before and never acknowledged.
    pub repeated: bool,
    /// The question that it is about.
    pub record: Option<RecordView>,
    /// The request that it is about.
    pub request: Option<Request>,
    /// The reply that it is about.
    pub reply: Option<Reply>,
}

/// What there is for a runner.
#[derive(Debug, Default)]
pub struct Wakes {
    /// Those that can be marked, oldest first.
    pub items: Vec<Wake>,
    /// When the next lease of another one runs out.
    pub next_lease: Option<Time>,
}

/// Whoever asked for what this record is about: the author of the request; None for the agent's own questions to the owner.
fn asker(record: &Record) -> Option<String> {
    record.question.put_to.as_ref().map(ToString::to_string)
}

/// The name of one side.
fn name_of(party: Option<&Party>) -> Option<String> {
    party.map(|party| party.name().to_owned())
}

/// What `forgetting` forgets, as moments: wakes that are over, and causes.
pub(super) fn forgotten_before(now: Time) -> (Time, Time) {
    (now.plus_millis(-LONGEST_CATCHUP - KEPT_BEYOND), now.plus_millis(-LONGEST_CATCHUP))
}

/// Records that ended before this moment are woken for no more, once the history is not kept any longer.
pub(super) fn woken_since(now: Time) -> Time {
    now.plus_millis(-RECORDS_WAIT)
}
