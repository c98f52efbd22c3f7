//! The outbox: what has to be done in Telegram, one row a call that may be repeated only with care.

use pager_questions::{Author, Incarnation, ReplyId, RequestId, Time};
use serde::{Deserialize, Serialize};

/// One thing to do. Stored together with the change that asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Made of the record, its revision and the effect: a replay makes the same one.
    pub id: String,
    /// The question it is about, or the update or the source of updates by its key; None for what is said to an owner about
    /// none.
    pub incarnation: Option<Incarnation>,
    /// What to do.
    pub kind: JobKind,
    /// Its rank in the queue: less is more urgent.
    pub class: i64,
    /// How far it is.
    pub state: JobState,
    /// Not before this moment.
    pub due_at: Time,
    /// How many of its tries had an unknown outcome, the one under way included.
    pub attempts: u32,
}

impl JobKind {
    /// For the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::CreateTopic => "create topic",
            Self::SendQuestion { .. } => "send question",
            Self::SendDocument { .. } => "send document",
            Self::EditQuestion => "edit question",
            Self::EditMarks => "edit marks",
            Self::MarkTopic => "mark topic",
            Self::CloseTopic => "close topic",
            Self::DeleteTopic => "delete topic",
            Self::Thank { .. } => "thank",
            Self::See { .. } => "see",
            Self::DeleteMessage { .. } => "delete message",
            Self::Reply { .. } => "reply",
            Self::Remind => "remind",
            Self::HoldBack { .. } => "hold back",
            Self::TakeButton { .. } => "take button",
            Self::Say { .. } => "say",
            Self::SendLogin { .. } => "send login",
            Self::MakeUpdatesTopic { .. } => "make topic of updates",
            Self::SendUpdate => "send update",
            Self::EditUpdate => "edit update",
            Self::ShowReply { .. } => "show reply",
            Self::ShowOffer { .. } => "show offer",
            Self::AttachToThread { .. } => "attach to thread",
        }
    }
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JobKind {
    /// Make the question's topic.
    CreateTopic,
    /// Send the question into its topic.
    SendQuestion {
        /// The topic; 0 in a chat without topics.
        thread: i64,
    },
    /// Attach what did not fit the message, as a document.
    SendDocument {
        /// The topic; 0 in a chat without topics.
        thread: i64,
        /// Which of its documents, from 0: the next one follows.
        #[serde(default)]
        number: usize,
    },
    /// Show the end in every message of the question.
    EditQuestion,
    /// Show which options are marked, where several may be picked.
    EditMarks,
    /// Put the mark of an ended question on its topic.
    MarkTopic,
    /// Close the topic of an ended question, when the owner wants that.
    CloseTopic,
    /// Delete the topic of an ended question, when the owner wants that.
    DeleteTopic,
    /// 👍 on the owner's text.
    Thank {
        /// The chat.
        chat: i64,
        /// The text's message id.
        message: i64,
    },
    /// 👀 on an owner's text that was stored as a request.
    See {
        /// The chat.
        chat: i64,
        /// The text's message id.
        message: i64,
    },
    /// Delete an owner's message: it carried private words.
    DeleteMessage {
        /// The chat.
        chat: i64,
        /// The topic.
        thread: Option<i64>,
        /// The message.
        message: i64,
    },
    /// A line in the topic, as a reply to a message when there is one.
    Reply {
        /// The topic.
        thread: Option<i64>,
        /// The message to reply to.
        to: Option<i64>,
        /// The line.
        text: String,
    },
    /// Remind of an open question in its topic. What it says is made when it is sent.
    Remind,
    /// In reply to words that look like a secret: they are held back, and a button sends them all the same.
    HoldBack {
        /// The topic.
        thread: Option<i64>,
        /// The message with the words.
        to: Option<i64>,
        /// The update that brought them.
        update: i64,
        /// What they look like.
        looks: String,
    },
    /// Take the button of such a reply away: it is of no use any more.
    TakeButton {
        /// The chat.
        chat: i64,
        /// The reply's message id.
        message: i64,
    },
    /// A line to an owner, about no question.
    Say {
        /// The chat.
        chat: i64,
        /// The topic.
        thread: Option<i64>,
        /// The message to reply to.
        to: Option<i64>,
        /// The line.
        text: String,
    },
    /// A link that logs in to the page. It is made when it is sent: its secret is stored nowhere.
    SendLogin {
        /// The owner's private chat.
        chat: i64,
        /// The topic.
        thread: Option<i64>,
        /// The message to reply to.
        to: Option<i64>,
        /// The owner's user id.
        user: i64,
    },
    /// Make the topic in which the updates of a source stand. The job is about that source, by its key.
    MakeUpdatesTopic {
        /// The source.
        source: Author,
    },
    /// Send an update into the topic of its source. The job is about the update, by its key, as is the next.
    SendUpdate,
    /// Show in the update's message what the owner did with it.
    EditUpdate,
    /// Show a reply in the topic of its request, which is made for the first one. The job is about that request, by its key, as are
    /// the next two.
    ShowReply {
        /// The request.
        request: RequestId,
        /// The reply.
        reply: ReplyId,
    },
    /// Say in the topic of a request that a partial offer stands in a topic of its own.
    ShowOffer {
        /// The request.
        request: RequestId,
        /// The offer.
        offer: Incarnation,
    },
    /// Attach what did not fit a message of a thread, as a document.
    AttachToThread {
        /// The request.
        request: RequestId,
        /// The reply whose text it is; None for the request's own.
        reply: Option<ReplyId>,
        /// The message that it belongs to.
        to: i64,
    },
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// To be done.
    Waiting,
    /// Being tried: found after a crash, its outcome is unknown.
    Attempting,
    /// Set aside until the chat is well again.
    Parked,
    /// Given up; kept for whoever looks after the service.
    Failed,
}

impl JobState {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Attempting => "attempting",
            Self::Parked => "parked",
            Self::Failed => "failed",
        }
    }

    /// From what was stored.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Waiting, Self::Attempting, Self::Parked, Self::Failed].into_iter().find(|state| state.as_str() == text)
    }
}
