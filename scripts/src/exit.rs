//! The exit codes of `ask`, all of them, and what each end of a question becomes. A script branches on these.

/// How a run of `ask` ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done; an answer was printed.
    Done,
    /// 1: it did not work; the message says what to do.
    Failed,
    /// 2: wrong usage, or refused as malformed or invalid.
    Usage,
    /// 3: no answer yet.
    NoAnswer,
    /// 4: declined, cancelled or expired; not approved, not done, not verified.
    Declined,
    /// 5: withdrawn.
    Withdrawn,
    /// 6: nobody answered by the deadline; the default stands in the output.
    Defaulted,
    /// 7: refused, also an approval that was spent before; for the owner's verbs: it has ended already.
    Refused,
    /// 8: unknown id.
    UnknownId,
    /// 9: `withdraw` came too late; the answer stands in the output.
    AnsweredAfterAll,
    /// 128 and the number of the signal.
    Interrupted(i32),
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NoAnswer => 3,
            Self::Declined => 4,
            Self::Withdrawn => 5,
            Self::Defaulted => 6,
            Self::Refused => 7,
            Self::UnknownId => 8,
            Self::AnsweredAfterAll => 9,
            Self::Interrupted(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        }
    }

    /// What a record's `state` means to somebody who reads it and got no answer.
    pub fn of_state(state: &str) -> Self {
        match state {
            "withdrawn" => Self::Withdrawn,
            "declined" | "cancelled" | "expired" => Self::Declined,
            _ => Self::NoAnswer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_has_its_own_code() {
        let ends = [
            Exit::Done,
            Exit::Failed,
            Exit::Usage,
            Exit::NoAnswer,
            Exit::Declined,
            Exit::Withdrawn,
            Exit::Defaulted,
            Exit::Refused,
            Exit::UnknownId,
            Exit::AnsweredAfterAll,
        ];
        assert!(ends.iter().map(|end| usize::from(end.code())).eq(0..10));
        assert_eq!(Exit::Interrupted(2).code(), 130);
        assert_eq!(Exit::Interrupted(15).code(), 143);
    }
}
