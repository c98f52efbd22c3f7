//! What a message holds besides words, by Telegram's field names.

use serde_json::Value;

/// What people send that has no words of its own. Pictures and the like may have a caption.
const SENT: [&str; 22] = [
    "animation",
    "audio",
    "document",
    "live_photo",
    "paid_media",
    "photo",
    "sticker",
    "story",
    "video",
    "video_note",
    "voice",
    "checklist",
    "contact",
    "dice",
    "game",
    "poll",
    "venue",
    "location",
    "invoice",
    "giveaway",
    "rich_message",
    "gift",
];

/// The kind of thing that was sent; None when there is none, or none that is known.
///
/// An animation also comes as a document and a venue also as a location: the first in the list is meant.
pub(super) fn kind(message: &Value) -> Option<&'static str> {
    let has = |name: &str| message.get(name).is_some_and(|value| !value.is_null());
    SENT.into_iter().find(|name| has(name))
}
