//! What a permanent refusal means for whoever called.

/// What has to follow a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The topic is gone: make a new one, once.
    ThreadNotFound,
    /// The topic is closed: reopen it.
    TopicClosed,
    /// The chat has no topics: switch them on in the group's settings.
    NotAForum,
    /// The bot lacks a right: make it an administrator that may manage topics.
    NoRights,
    /// The chat is gone or the bot is not in it.
    ChatGone,
    /// The group became a supergroup: use and store this id.
    Migrated {
        /// The new chat id.
        to: i64,
    },
    /// The token is wrong or was revoked.
    BadToken,
    /// It is so already. The methods of [`Telegram`](crate::Telegram) turn this into success.
    NotModified,
    /// The message to edit, delete, react or reply to is gone, or cannot be edited.
    MessageGone,
    /// The message is there, and the bot may not delete it: it lacks the right, or the message is too old.
    NotDeletable,
    /// This chat does not take the reaction. Cosmetic.
    ReactionRefused,
    /// The press was answered too late. Harmless: the press itself counts.
    QueryTooOld,
    /// Anything else; the reason is all there is.
    Other,
}
