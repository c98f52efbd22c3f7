//! Reply markups: inline keyboards with the server's limits, and the kinds that are not inline.

use serde_json::Value;

use super::errors::{Refusal, bad};
use super::parameters::Parameters;

const TYPE_FIELDS: [&str; 11] = [
    "url",
    "callback_data",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
    "disabled",
];
const MOST_IN_A_ROW: usize = 12;
const MOST_BUTTONS: usize = 300;
/// The real bound is not published; this one is what people have run into.
const MOST_BYTES: usize = 10_000;

/// One button under a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Button {
    /// Its label.
    pub text: String,
    /// What a press sends, when it is a button of that kind.
    pub callback_data: Option<String>,
    pub(super) value: Value,
}

/// Rows of buttons.
pub type Keyboard = Vec<Vec<Button>>;

/// What `reply_markup` held.
pub(super) enum Markup {
    None,
    Inline {
        rows: Keyboard,
        force_reply: bool,
    },
    /// A keyboard of replies or a forced reply: the message can never be edited.
    Other,
}

/// Reads `reply_markup` of a call in a chat.
pub(super) fn read(call: &Parameters, in_group: bool) -> Result<Markup, Refusal> {
    let value = call.json("reply_markup").map_err(|_| bad("can't parse reply keyboard markup JSON object"))?;
    let Some(value) = value else { return Ok(Markup::None) };
    let Value::Object(fields) = value else {
        return Err(bad("object expected as reply markup"));
    };
    let Some(rows) = fields.get("inline_keyboard") else {
        return Ok(if fields.is_empty() { Markup::None } else { Markup::Other });
    };
    let wrong = || bad("can't parse inline keyboard: expected an Array of Array of buttons");
    let mut keyboard = Keyboard::new();
    let mut left = MOST_BUTTONS;
    for row in rows.as_array().ok_or_else(wrong)? {
        let mut buttons = Vec::new();
        for button in row.as_array().ok_or_else(wrong)? {
            if let Some(button) = read_button(button, in_group)?
                && buttons.len() < MOST_IN_A_ROW
                && left > 0
            {
                left -= 1;
                buttons.push(button);
            }
        }
        if !buttons.is_empty() {
            keyboard.push(buttons);
        }
    }
    if value_of(&keyboard, false).to_string().len() > MOST_BYTES {
        return Err(bad("reply markup is too long"));
    }
    if keyboard.is_empty() {
        return Ok(Markup::None);
    }
    let force_reply = fields.get("force_reply").and_then(Value::as_bool).unwrap_or_default();
    Ok(Markup::Inline { rows: keyboard, force_reply })
}

fn read_button(value: &Value, in_group: bool) -> Result<Option<Button>, Refusal> {
    let wrong = |why: &str| bad(format!("can't parse inline keyboard button: {why}"));
    let fields = value.as_object().ok_or_else(|| wrong("InlineKeyboardButton must be an Object"))?;
    let text = value["text"].as_str().ok_or_else(|| wrong("field \"text\" must be of type String"))?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let types: Vec<_> = TYPE_FIELDS.iter().filter(|name| fields.contains_key(**name)).collect();
    match types.len() {
        0 => return Err(bad("text buttons are unallowed in the inline keyboard")),
        1 => {}
        _ => return Err(wrong("exactly one of the type fields must be used")),
    }
    let callback_data = match &value["callback_data"] {
        Value::Null => None,
        Value::String(data) if (1..=64).contains(&data.len()) => Some(data.clone()),
        _ => return Err(bad("BUTTON_DATA_INVALID")),
    };
    if let Some(style) = fields.get("style")
        && !["danger", "success", "primary"].iter().any(|known| style == known)
    {
        return Err(wrong("invalid button style specified"));
    }
    if let Some(copied) = fields.get("copy_text") {
        let length = copied["text"].as_str().unwrap_or_default().chars().count();
        if !(1..=256).contains(&length) {
            return Err(bad("BUTTON_COPY_TEXT_INVALID"));
        }
    }
    if let Some(url) = fields.get("url") {
        check_url(url.as_str().unwrap_or_default())?;
    }
    if in_group && fields.contains_key("web_app") {
        return Err(bad("BUTTON_TYPE_INVALID"));
    }
    Ok(Some(Button { text: text.to_owned(), callback_data, value: value.clone() }))
}

/// A host without a dot, such as `localhost`, is no address for a button.
fn check_url(url: &str) -> Result<(), Refusal> {
    let rest = ["http://", "https://", "tg://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    let host = rest.unwrap_or(url).split(['/', '?', '#', ':']).next().unwrap_or_default();
    let is_valid = url.starts_with("tg://") || (host.contains('.') && !url.contains(' '));
    if is_valid {
        return Ok(());
    }
    Err(bad(format!("inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")))
}

/// The `reply_markup` of a message.
pub(super) fn value_of(rows: &Keyboard, force_reply: bool) -> Value {
    let rows: Vec<Vec<&Value>> = rows.iter().map(|row| row.iter().map(|button| &button.value).collect()).collect();
    let mut markup = serde_json::json!({ "inline_keyboard": rows });
    if force_reply {
        markup["force_reply"] = true.into();
    }
    markup
}
