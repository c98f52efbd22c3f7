//! Presses of buttons and their answers.

use serde_json::json;

use super::errors::{Answer, QUERY_TOO_OLD, bad};
use super::parameters::Parameters;
use super::state::State;

/// How long a press can be answered. Not published; people report ten to twenty seconds.
const ANSWERABLE_MS: i64 = 15_000;

/// One press of a button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackQuery {
    /// Its id, no number of a message.
    pub id: String,
    /// Who pressed.
    pub from: i64,
    /// Where.
    pub chat: i64,
    /// Under which message.
    pub message: i64,
    /// What the press sent.
    pub data: String,
    /// The bot it was for.
    pub bot: i64,
    /// When it was answered first, and with what.
    pub answer: Option<CallbackAnswer>,
    pub(super) at_ms: i64,
}

/// What a bot answered to a press.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackAnswer {
    /// The toast; empty for none.
    pub text: String,
    /// Whether it is a window to close rather than a toast.
    pub show_alert: bool,
}

pub(super) fn answer(state: &mut State, bot: i64, call: &Parameters) -> Answer {
    let text = call.text("text").to_owned();
    if text.chars().count() > 200 {
        return Err(bad("MESSAGE_TOO_LONG"));
    }
    let now = state.now_ms();
    let show_alert = call.flag("show_alert");
    let id = call.text("callback_query_id");
    let query = state
        .callbacks
        .iter_mut()
        .find(|query| query.id == id && query.bot == bot && query.answer.is_none())
        .filter(|query| now - query.at_ms < ANSWERABLE_MS)
        .ok_or_else(|| bad(QUERY_TOO_OLD))?;
    query.answer = Some(CallbackAnswer { text, show_alert });
    Ok(json!(true))
}
