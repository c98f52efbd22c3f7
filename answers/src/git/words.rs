//! What git and servers said, made fit to be shown to people: short, on one line, without tokens and without what people answered.

use std::collections::BTreeSet;

use super::remote::GitRemote;
use crate::{AnswerFile, SaveOutcome};

/// The longest that is passed on, in characters.
const LONGEST: usize = 700;
/// In the place of what must not be seen.
const HIDDEN: &str = "[…]";
/// The shortest part of a text that is hidden, in characters. Shorter ones say nothing, and would hide half of each message.
const SHORTEST: usize = 4;

/// What a failed git said, without its advice.
pub(super) fn told(words: &str, remote: &GitRemote) -> String {
    let lines = words.lines().filter(|line| !line.starts_with("hint:") && !line.starts_with("remote: Resolving"));
    let text = joined(lines.map(|line| line.strip_prefix("remote:").unwrap_or(line)), remote);
    if text.is_empty() { "it failed without a word".to_owned() } else { text }
}

/// What the server's own programs said.
pub(super) fn remarks(words: &str, remote: &GitRemote) -> String {
    joined(words.lines().filter_map(|line| line.strip_prefix("remote:")), remote)
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>, remote: &GitRemote) -> String {
    let lines: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut text = lines.join("; ").replace(char::is_control, " ");
    for secret in remote.secrets() {
        text = text.replace(&secret, HIDDEN);
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What stands in files that are being written, so that no message passes it on: a server's rule may quote what it refused.
#[derive(Clone, Debug, Default)]
pub struct Unspeakable {
    parts: BTreeSet<String>,
}

impl Unspeakable {
    /// What stands in these answers, but for their ids.
    pub(crate) fn of<'a>(files: impl Iterator<Item = &'a AnswerFile> + Clone) -> Self {
        let mut unspeakable = Self::default();
        files.clone().for_each(|file| unspeakable.add(&file.bytes));
        files.for_each(|file| unspeakable.allow(file.path.id()));
        unspeakable
    }

    /// Hides it in the reasons of these outcomes.
    pub(crate) fn hide_in(&self, outcomes: &mut [SaveOutcome]) {
        for outcome in outcomes {
            if let SaveOutcome::Refused { reason } | SaveOutcome::Unknown { reason, .. } = outcome {
                *reason = self.hide(reason);
            }
        }
    }

    /// Everything that these bytes say. Of a JSON file that is what its texts say; the names of its fields may be told.
    pub fn add(&mut self, bytes: &[u8]) {
        match serde_json::from_slice::<serde_json::Value>(bytes) {
            Ok(value) => self.add_value(&value),
            Err(_) => self.add_text(&String::from_utf8_lossy(bytes)),
        }
    }

    /// Without what everybody may know, such as an id.
    pub fn allow(&mut self, text: &str) {
        self.parts.remove(text);
    }

    /// The message with all of it hidden.
    pub fn hide(&self, message: &str) -> String {
        // The longest first, so that no half of a text remains.
        let mut parts: Vec<&String> = self.parts.iter().collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        parts.into_iter().fold(message.to_owned(), |message, part| message.replace(part.as_str(), HIDDEN))
    }

    fn add_value(&mut self, value: &serde_json::Value) {
        match value {
            serde_json::Value::String(text) => self.add_text(text),
            serde_json::Value::Array(values) => values.iter().for_each(|value| self.add_value(value)),
            serde_json::Value::Object(fields) => fields.values().for_each(|value| self.add_value(value)),
            serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
        }
    }

    fn add_text(&mut self, text: &str) {
        let parts = std::iter::once(text).chain(text.split_whitespace());
        let parts = parts.flat_map(|part| [part, part.trim_matches(|letter: char| !letter.is_alphanumeric())]);
        self.parts.extend(parts.filter(|part| part.chars().count() >= SHORTEST).map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_an_answer_is_passed_on() {
        let mut unspeakable = Unspeakable::default();
        unspeakable.add(br#"{"id": "rel-42", "answer": {"text": "the key is hunter2, \"quoted\""}, "state": 3}"#);
        unspeakable.allow("rel-42");
        let hidden = unspeakable.hide("GH013: answers/rel-42.json: found 'hunter2' in answer, and quoted");
        assert_eq!(hidden, "GH013: answers/rel-42.json: found '[…]' in answer, and […]");
    }

    #[test]
    fn a_file_that_is_no_json_is_hidden_as_a_whole() {
        let mut unspeakable = Unspeakable::default();
        unspeakable.add(b"plain words");
        assert_eq!(unspeakable.hide("refused: plain words"), "refused: […]");
    }
}
