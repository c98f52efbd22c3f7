//! Reactions of bots: one of 73 emoji, or fewer where the chat says so.

use serde_json::{Value, json};

use super::errors::{Answer, Refusal, bad};
use super::parameters::Parameters;
use super::state::State;

const EMOJI: [&str; 73] = [
    "❤",
    "👍",
    "👎",
    "🔥",
    "🥰",
    "👏",
    "😁",
    "🤔",
    "🤯",
    "😱",
    "🤬",
    "😢",
    "🎉",
    "🤩",
    "🤮",
    "💩",
    "🙏",
    "👌",
    "🕊",
    "🤡",
    "🥱",
    "🥴",
    "😍",
    "🐳",
    "❤‍🔥",
    "🌚",
    "🌭",
    "💯",
    "🤣",
    "⚡",
    "🍌",
    "🏆",
    "💔",
    "🤨",
    "😐",
    "🍓",
    "🍾",
    "💋",
    "🖕",
    "😈",
    "😴",
    "😭",
    "🤓",
    "👻",
    "👨‍💻",
    "👀",
    "🎃",
    "🙈",
    "😇",
    "😨",
    "🤝",
    "✍",
    "🤗",
    "🫡",
    "🎅",
    "🎄",
    "☃",
    "💅",
    "🤪",
    "🗿",
    "🆒",
    "💘",
    "🙉",
    "🦄",
    "😘",
    "💊",
    "🙊",
    "😎",
    "👾",
    "🤷‍♂",
    "🤷",
    "🤷‍♀",
    "😡",
];

pub(super) fn set(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let chat = state.chat_for_bot(bot, call.text("chat_id"))?;
    let id = call.integer("message_id").unwrap_or_default();
    let reactions = read(call)?;
    let message = chat.messages.get(&id).ok_or_else(|| bad("message to react not found"))?;
    let is_allowed =
        |emoji: &String| EMOJI.contains(&emoji.as_str()) && chat.reactions.as_ref().is_none_or(|allowed| allowed.contains(emoji));
    if message.is_service() || !reactions.iter().all(is_allowed) {
        return Err(bad("REACTION_INVALID"));
    }
    let chat = chat.id;
    if let Some(message) = state.chats.get_mut(&chat).and_then(|it| it.messages.get_mut(&id)) {
        message.reactions = reactions;
    }
    Ok(json!(true))
}

fn read(call: &Parameters) -> Result<Vec<String>, Refusal> {
    let wrong = |why: &str| bad(format!("can't parse ReactionType: {why}"));
    let list = match call.json("reaction").map_err(|_| wrong("expected an Array"))? {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(wrong("expected an Array")),
    };
    let mut reactions = Vec::new();
    for reaction in list {
        match reaction["type"].as_str() {
            Some("emoji") => {
                let emoji = reaction["emoji"].as_str().ok_or_else(|| wrong("emoji expected"))?;
                reactions.push(emoji.replace('\u{fe0f}', ""));
            }
            // A bot may only join in a custom emoji that is there already; none ever is.
            Some("custom_emoji" | "paid") => return Err(bad("REACTION_INVALID")),
            _ => return Err(wrong("invalid reaction type specified")),
        }
    }
    if reactions.len() > 1 {
        return Err(bad("REACTIONS_TOO_MANY"));
    }
    Ok(reactions)
}
