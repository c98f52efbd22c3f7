//! The faults of the matrix: how the fake is told to make them, and how the document names them.

use pager_tests::fake_telegram::Fault;

/// One row of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultRow {
    Flood,
    ServerError,
    BadGateway,
    Slow,
    ResetBefore,
    ResetAfter,
    GarbageBefore,
    GarbageAfter,
    HangsBefore,
    HangsAfter,
    ThreadNotFound,
    TopicClosed,
    NoRights,
    Kicked,
    MessageGone,
    NotModified,
    ReactionInvalid,
    QueryTooOld,
}

impl FaultRow {
    /// What a server or a line on a bad day does. None takes long.
    pub fn of_the_line() -> [Self; 8] {
        [
            Self::Flood,
            Self::ServerError,
            Self::BadGateway,
            Self::Slow,
            Self::ResetBefore,
            Self::ResetAfter,
            Self::GarbageBefore,
            Self::GarbageAfter,
        ]
    }

    /// Longer than pagerd waits for a reply.
    pub fn hangs() -> [Self; 2] {
        [Self::HangsBefore, Self::HangsAfter]
    }

    /// What Telegram refuses for good.
    pub fn refusals() -> [Self; 8] {
        [
            Self::ThreadNotFound,
            Self::TopicClosed,
            Self::NoRights,
            Self::Kicked,
            Self::MessageGone,
            Self::NotModified,
            Self::ReactionInvalid,
            Self::QueryTooOld,
        ]
    }

    /// What the document calls it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Flood => "429, wait 1 s",
            Self::ServerError => "500",
            Self::BadGateway => "502, a proxy's page",
            Self::Slow => "the reply takes half a second",
            Self::ResetBefore => "reset, not carried out",
            Self::ResetAfter => "reset, carried out",
            Self::GarbageBefore => "200 with garbage, not carried out",
            Self::GarbageAfter => "200 with garbage, carried out",
            Self::HangsBefore => "no reply until pagerd gives up, not carried out",
            Self::HangsAfter => "no reply until pagerd gives up, carried out",
            Self::ThreadNotFound => "`message thread not found`",
            Self::TopicClosed => "`TOPIC_CLOSED`",
            Self::NoRights => "`not enough rights`",
            Self::Kicked => "`bot was kicked`",
            Self::MessageGone => "the message is gone (`message to … not found`)",
            Self::NotModified => "carried out, the reply lost; then `… not modified`",
            Self::ReactionInvalid => "`REACTION_INVALID`",
            Self::QueryTooOld => "`query is too old`",
        }
    }

    /// What the fake does at the next call.
    pub fn fault(self) -> Fault {
        let refusal = |code, description: &str| Fault::Status { code, description: description.to_owned(), retry_after: None };
        match self {
            Self::Flood => Fault::flood(1),
            Self::ServerError => refusal(500, "Internal Server Error"),
            Self::BadGateway => Fault::Http502,
            Self::Slow => Fault::Hang { applied: true, milliseconds: Some(500) },
            Self::ResetBefore => Fault::ResetBefore,
            Self::ResetAfter | Self::NotModified => Fault::ResetAfter,
            Self::GarbageBefore => Fault::Garbage200 { applied: false },
            Self::GarbageAfter => Fault::Garbage200 { applied: true },
            Self::HangsBefore => Fault::hang(),
            Self::HangsAfter => Fault::hang_after(),
            Self::ThreadNotFound => refusal(400, "Bad Request: message thread not found"),
            Self::TopicClosed => refusal(400, "Bad Request: TOPIC_CLOSED"),
            Self::NoRights => refusal(400, "Bad Request: not enough rights to do that"),
            Self::Kicked => refusal(403, "Forbidden: bot was kicked from the supergroup chat"),
            Self::MessageGone => refusal(400, "Bad Request: message to edit not found"),
            Self::ReactionInvalid => refusal(400, "Bad Request: REACTION_INVALID"),
            Self::QueryTooOld => {
                refusal(400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
            }
        }
    }
}
