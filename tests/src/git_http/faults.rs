//! Scripted faults: what happens to the next call of a kind instead of a clean reply.

use std::collections::VecDeque;

/// A kind of call that a git client makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// `info/refs` before a fetch; `ls-remote` makes it, too.
    FetchLook,
    /// The fetch itself, or the list of branches.
    Fetch,
    /// `info/refs` before a push; a dry run makes it alone.
    PushLook,
    /// The push itself.
    Push,
}

/// A fault of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// This status code; the call is not carried out.
    Status(u16),
    /// The call is carried out, and then this status code.
    StatusAfter(u16),
    /// The connection is cut and the call not carried out.
    ResetBefore,
    /// The call is carried out and the connection cut without a reply.
    ResetAfter,
    /// The connection stays open without a reply until released; the call is carried out then, and never when the client
    /// goes away before.
    Hang,
    /// The call is carried out at once, and the reply held back until released.
    HangAfter,
    /// Status 200 with a page that no git sent; the call is not carried out.
    Garbage,
}

/// Faults that wait for calls.
#[derive(Debug, Default)]
pub(super) struct Faults {
    waiting: VecDeque<(At, Fault)>,
}

impl Faults {
    pub(super) fn add(&mut self, at: At, fault: Fault, times: usize) {
        self.waiting.extend(std::iter::repeat_n((at, fault), times));
    }

    pub(super) fn take(&mut self, at: At) -> Option<Fault> {
        let place = self.waiting.iter().position(|(waiting, _)| *waiting == at)?;
        self.waiting.remove(place).map(|(_, fault)| fault)
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }
}
