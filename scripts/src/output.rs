//! Standard output is data, one compact JSON document a line; standard error is for people.

use std::io::{self, Write};

use pager_questions::text::reveal;

use crate::failure::Failure;
use crate::json::Json;

/// Prints one line of data.
///
/// # Errors
/// When nobody reads it: data that did not arrive is not a success.
pub fn line(data: &dyn std::fmt::Display) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    writeln!(output, "{data}")
        .and_then(|()| output.flush())
        .map_err(|error| Failure::failed(format!("the result could not be written to standard output: {error}")))
}

/// `{"id","state"}`.
pub fn state(id: &str, state: &str) -> Json {
    Json::object([("id", id.into()), ("state", state.into())])
}

/// Says the `warnings` that came with a reply.
pub fn warnings(document: &Json) {
    for warning in document.get("warnings").map(Json::items).unwrap_or_default() {
        let words = warning.as_text().map_or_else(|| warning.to_string(), str::to_owned);
        say(&format!("warning: {words}"));
    }
}

/// Says something to people, with nothing in it that could steer a terminal. Nobody listening is no reason to stop.
pub fn say(words: &dyn std::fmt::Display) {
    let _ = writeln!(io::stderr(), "ask: {}", reveal(&words.to_string()));
}
