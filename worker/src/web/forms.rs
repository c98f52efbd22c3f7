//! What the page's forms send. Unknown fields are refused: a decline says nothing but itself.

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::http::StatusCode;
use serde::Deserialize;

use super::pages::Problem;

/// A pick or own words; never both.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerForm {
    /// The session's token.
    pub csrf: String,
    /// The pressed option's id.
    #[serde(default)]
    pub option: Option<String>,
    /// What stands in the field.
    #[serde(default)]
    pub answer: String,
    /// Of *Send anyway*: the words are meant, whatever they look like.
    #[serde(default)]
    pub confirm_secret: Option<String>,
}

/// A form that says nothing but what its address says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BareForm {
    /// The session's token.
    pub csrf: String,
}

/// A login with an owner token.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoginForm {
    /// The token.
    pub token: String,
}

/// The form as axum read it.
///
/// # Errors
/// A page that says what is wrong with it.
pub fn taken<T>(form: Result<Form<T>, FormRejection>) -> Result<T, Problem> {
    form.map(|Form(form)| form).map_err(|error| {
        let (status, detail) = match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                (StatusCode::PAYLOAD_TOO_LARGE, "It is far too long. Nothing was recorded; go back and shorten it.")
            }
            _ => (
                StatusCode::BAD_REQUEST,
                "It was not the form of this page. Nothing was recorded; open the inbox and press there.",
            ),
        };
        Problem { status, title: "This could not be read", detail: detail.to_owned() }
    })
}

/// Text as it was typed: forms send line ends as CR LF, whatever was typed.
pub fn as_typed(text: &str) -> String {
    text.replace("\r\n", "\n")
}
