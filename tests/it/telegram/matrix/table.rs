//! The table itself: what a fault at an effect comes to.

use super::faults::FaultRow;

/// A call that pagerd makes, by what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    CreateTopic,
    SendQuestion,
    SendDocument,
    EditQuestion,
    MarkTopic,
    Thank,
    AnswerPress,
    DeleteTopic,
}

impl Effect {
    pub const ALL: [Self; 8] = [
        Self::CreateTopic,
        Self::SendQuestion,
        Self::SendDocument,
        Self::EditQuestion,
        Self::MarkTopic,
        Self::Thank,
        Self::AnswerPress,
        Self::DeleteTopic,
    ];

    /// The method of the Bot API.
    pub fn method(self) -> &'static str {
        match self {
            Self::CreateTopic => "createForumTopic",
            Self::SendQuestion => "sendMessage",
            Self::SendDocument => "sendDocument",
            Self::EditQuestion => "editMessageText",
            Self::MarkTopic => "editForumTopic",
            Self::Thank => "setMessageReaction",
            Self::AnswerPress => "answerCallbackQuery",
            Self::DeleteTopic => "deleteForumTopic",
        }
    }

    /// What the document calls it.
    pub fn words(self) -> &'static str {
        match self {
            Self::CreateTopic => "Making the question's topic",
            Self::SendQuestion => "Sending the question",
            Self::SendDocument => "Attaching the whole text",
            Self::EditQuestion => "Showing the end in the message",
            Self::MarkTopic => "Putting ✅ on the topic",
            Self::Thank => "Putting 👍 on the owner's text",
            Self::AnswerPress => "Acknowledging a press",
            Self::DeleteTopic => "Deleting the topic of an ended question, where the settings ask for it",
        }
    }
}

/// What comes of it in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Done all the same, or again, once.
    Done,
    /// Shown, after an uncertain while.
    DoneAfterDoubt,
    /// The topic was made and its news adopted it.
    Adopted,
    /// Done twice: a message or document stands there two times.
    Twice,
    /// Undeliverable at first, and the reason holds this; shown by itself once the chat is well.
    Mended(&'static str),
    /// Given up. For what shows a question: undeliverable, and the reason holds this.
    GivenUp(&'static str),
}

/// Every cell: fault, effect, what comes of it. Another thing that can happen is another row.
pub fn rows() -> Vec<(FaultRow, Effect, Expected)> {
    let mut rows = Vec::new();
    for fault in FaultRow::of_the_line().into_iter().chain(FaultRow::hangs()) {
        rows.extend(Effect::ALL.map(|effect| (fault, effect, of_the_line(fault, effect))));
    }
    rows.extend(REFUSALS);
    rows
}

fn of_the_line(fault: FaultRow, effect: Effect) -> Expected {
    let is_carried_out = matches!(fault, FaultRow::ResetAfter | FaultRow::GarbageAfter | FaultRow::HangsAfter);
    match (fault, effect) {
        (FaultRow::Slow, _) => Expected::Done,
        // By the time that pagerd gives up, Telegram takes no answer any more.
        (FaultRow::HangsBefore, Effect::AnswerPress) => Expected::GivenUp(""),
        (_, Effect::AnswerPress) => Expected::Done,
        (FaultRow::Flood, _) => Expected::Done,
        (_, Effect::CreateTopic) if is_carried_out => Expected::Adopted,
        (_, Effect::SendQuestion | Effect::SendDocument) if is_carried_out => Expected::Twice,
        (_, Effect::CreateTopic | Effect::SendQuestion) => Expected::DoneAfterDoubt,
        (_, Effect::SendDocument | Effect::EditQuestion | Effect::MarkTopic | Effect::Thank | Effect::DeleteTopic) => {
            Expected::Done
        }
    }
}

/// A topic that is really gone, and one that is really closed, have tests of their own (`weather`).
const REFUSALS: [(FaultRow, Effect, Expected); 20] = [
    (FaultRow::NoRights, Effect::CreateTopic, Expected::Mended("lacks the right")),
    (FaultRow::Kicked, Effect::CreateTopic, Expected::Mended("not in the chat")),
    (FaultRow::TopicClosed, Effect::SendQuestion, Expected::Done),
    (FaultRow::NoRights, Effect::SendQuestion, Expected::Mended("lacks the right")),
    (FaultRow::Kicked, Effect::SendQuestion, Expected::Mended("not in the chat")),
    (FaultRow::TopicClosed, Effect::SendDocument, Expected::Done),
    (FaultRow::NoRights, Effect::SendDocument, Expected::Done),
    (FaultRow::Kicked, Effect::SendDocument, Expected::Done),
    (FaultRow::NotModified, Effect::EditQuestion, Expected::Done),
    (FaultRow::MessageGone, Effect::EditQuestion, Expected::GivenUp("")),
    (FaultRow::Kicked, Effect::EditQuestion, Expected::Done),
    (FaultRow::NotModified, Effect::MarkTopic, Expected::Done),
    (FaultRow::ThreadNotFound, Effect::MarkTopic, Expected::GivenUp("")),
    (FaultRow::NoRights, Effect::MarkTopic, Expected::GivenUp("")),
    (FaultRow::Kicked, Effect::MarkTopic, Expected::GivenUp("")),
    (FaultRow::MessageGone, Effect::Thank, Expected::GivenUp("")),
    (FaultRow::ReactionInvalid, Effect::Thank, Expected::GivenUp("")),
    (FaultRow::QueryTooOld, Effect::AnswerPress, Expected::GivenUp("")),
    (FaultRow::NoRights, Effect::DeleteTopic, Expected::GivenUp("")),
    (FaultRow::Kicked, Effect::DeleteTopic, Expected::GivenUp("")),
];
