//! What the page's forms send. Unknown fields are refused: a decline says nothing but itself.

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::http::StatusCode;
use serde::Deserialize;

use super::pages::Problem;

/// A pick, several picks where there are boxes, or own words.
#[derive(Default)]
pub struct AnswerForm {
    /// The session's token.
    pub csrf: String,
    /// The ids of the pressed or ticked options.
    pub picked: Vec<String>,
    /// What stands in the field.
    pub answer: String,
    /// Of *Send anyway*: the words are meant, whatever they look like.
    pub confirm_secret: Option<String>,
}

impl AnswerForm {
    /// From what was sent: boxes come under one name each.
    ///
    /// # Errors
    /// A page that says that it was not this form.
    pub fn taken(form: Result<Form<Vec<(String, String)>>, FormRejection>) -> Result<Self, Problem> {
        let mut read = Self::default();
        for (name, value) in taken(form)? {
            match name.as_str() {
                "csrf" if read.csrf.is_empty() => read.csrf = value,
                "answer" if read.answer.is_empty() => read.answer = value,
                "option" => read.picked.push(value),
                "confirm_secret" if read.confirm_secret.is_none() => read.confirm_secret = Some(value),
                _ => return Err(Problem::unreadable()),
            }
        }
        Ok(read)
    }
}

/// A form that says nothing but what its address says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BareForm {
    /// The session's token.
    pub csrf: String,
}

/// A request to agents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestForm {
    /// The session's token.
    pub csrf: String,
    /// Made with the form.
    pub once: String,
    /// What is asked.
    pub text: String,
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
    form.map(|Form(form)| form).map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem {
            status: StatusCode::PAYLOAD_TOO_LARGE,
            detail: "It is far too long. Nothing was recorded; go back and shorten it.".to_owned(),
            ..Problem::unreadable()
        },
        _ => Problem::unreadable(),
    })
}

/// Text as it was typed: forms send line ends as CR LF, whatever was typed.
pub fn as_typed(text: &str) -> String {
    text.replace("\r\n", "\n")
}
