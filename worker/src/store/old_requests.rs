//! Which requests are old enough to be forgotten with their threads.

use pager_questions::Time;

/// All of it must hold, and nothing be open about the request or still to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OldRequests {
    /// Everything in its thread is from before this moment: the request, its replies, the ends of what was asked about it.
    pub quiet_since: Time,
    /// One that nobody answered was made before this moment.
    pub made_before: Time,
    /// What an agent is still to be woken for in its thread is from before this moment.
    pub woken_since: Time,
}
