//! Takes settings one by one and collects what is wrong with them, so that one run shows every fault.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::{Span, SpanRelativeTo};
use secrecy::SecretString;

use super::sources::{Setting, Sources};

/// One fault: where, what, and the way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file, the variable or the flag.
    pub place: String,
    /// The setting's key.
    pub key: String,
    /// What is wrong and what to do.
    pub detail: String,
}

/// Every fault of a configuration.
#[derive(Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the configuration cannot be used:")?;
        for Problem { place, key, detail } in &self.0 {
            match key.as_str() {
                "" => writeln!(f, "  {place}: {detail}")?,
                _ => writeln!(f, "  {place}: {key} {detail}")?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// The settings that are left to be read, and the problems so far.
pub struct Reader {
    left: BTreeMap<String, Setting>,
    problems: Vec<Problem>,
    /// Where each setting stands, also once it was read.
    places: BTreeMap<String, String>,
    fallback: String,
    /// Every key that was asked for, so that a test can compare the documents with what is really read.
    #[cfg(test)]
    pub(super) asked: std::collections::BTreeSet<String>,
}

impl Reader {
    /// Begins with what the sources gave.
    pub(super) fn of(sources: Sources) -> Self {
        let fallback = sources.file.map_or_else(|| "pager.toml".to_owned(), |file| file.display().to_string());
        let places = sources.settings.iter().map(|(key, setting)| (key.clone(), setting.place.clone())).collect();
        Self {
            left: sources.settings,
            problems: Vec::new(),
            places,
            fallback,
            #[cfg(test)]
            asked: std::collections::BTreeSet::new(),
        }
    }

    /// Is this key set?
    pub fn has(&self, key: &str) -> bool {
        self.left.contains_key(key)
    }

    /// The names between this prefix and the last part of the keys that are set below it: `ci` of `wake.ci.kind`.
    pub fn names_below(&self, prefix: &str) -> Vec<String> {
        let between = |key: &String| Some(key.strip_prefix(prefix)?.strip_prefix('.')?.rsplit_once('.')?.0.to_owned());
        let names: std::collections::BTreeSet<String> = self.left.keys().filter_map(between).collect();
        names.into_iter().collect()
    }

    /// The whole keys that are set below this prefix.
    pub fn keys_below(&self, prefix: &str) -> Vec<String> {
        let is_below = |key: &&String| key.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'));
        self.left.keys().filter(is_below).cloned().collect()
    }

    /// Takes a key and never looks at it; was it set?
    pub fn discard(&mut self, key: &str) -> bool {
        self.left.remove(key).is_some()
    }

    /// A text; None when it is not set.
    pub fn text(&mut self, key: &str) -> Option<String> {
        let setting = self.take(key)?;
        match setting.value {
            toml::Value::String(text) => Some(text),
            toml::Value::Integer(number) => Some(number.to_string()),
            _ => {
                self.problem_at(setting.place, key, "must be a string");
                None
            }
        }
    }

    /// A value that is parsed from its text. `shape` tells what would be right.
    pub fn parsed<T: FromStr>(&mut self, key: &str, shape: &str) -> Option<T> {
        let place = self.place(key);
        let text = self.text(key)?;
        let parsed = text.trim().parse().ok();
        if parsed.is_none() {
            self.problem_at(place, key, &format!("is {text:?}, which is not {shape}"));
        }
        parsed
    }

    /// A time like `1d 12h`; a day has 24 hours. None when it is `never` or not set.
    pub fn duration(&mut self, key: &str, shape: &str) -> Option<Duration> {
        let place = self.place(key);
        let text = self.text(key).filter(|text| text != "never")?;
        self.read_span(place, key, &text, shape)
    }

    /// The same where `never` is no time.
    pub fn span(&mut self, key: &str, shape: &str) -> Option<Duration> {
        let place = self.place(key);
        let text = self.text(key)?;
        self.read_span(place, key, &text, shape)
    }

    fn read_span(&mut self, place: String, key: &str, text: &str, shape: &str) -> Option<Duration> {
        let read = |text: &str| -> Option<Duration> {
            let span: Span = if text.trim() == "0" { Span::new() } else { text.parse().ok()? };
            span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?.try_into().ok()
        };
        let duration = read(text);
        if duration.is_none() {
            self.problem_at(place, key, &format!("is {text:?}, which is not {shape}"));
        }
        duration
    }

    /// Yes or no; no when it is not set.
    pub fn flag(&mut self, key: &str) -> bool {
        let place = self.place(key);
        match self.take(key).map(|setting| plain(setting.value)).as_deref() {
            Some("true") => true,
            Some("false") | None => false,
            Some(other) => {
                self.problem_at(place, key, &format!("is {other:?}, which is neither true nor false"));
                false
            }
        }
    }

    /// A list: an array in the file, separated by commas in the environment.
    pub fn list<T: FromStr>(&mut self, key: &str, shape: &str) -> Option<Vec<T>> {
        let setting = self.take(key)?;
        let items: Vec<String> = match setting.value {
            toml::Value::Array(values) => values.into_iter().map(plain).collect(),
            toml::Value::String(text) => {
                text.split(',').map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
            }
            other => vec![plain(other)],
        };
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            match item.parse() {
                Ok(value) => list.push(value),
                Err(_) => self.problem_at(setting.place.clone(), key, &format!("holds {item:?}, which is not {shape}")),
            }
        }
        Some(list)
    }

    /// A secret: its own key, or `<key>_file` with the path of a file that holds it. Empty is a fault.
    pub fn secret(&mut self, key: &str) -> Option<SecretString> {
        let file_key = format!("{key}_file");
        let from_file = self.text(&file_key);
        let (secret, empty) = match (self.text(key), from_file) {
            (Some(_), Some(_)) => {
                self.problem(key, &format!("is set and {file_key} too; keep one of them"));
                return None;
            }
            (Some(text), None) => (text, (key, "is empty; set the secret, or take the key out".to_owned())),
            (None, Some(path)) => match std::fs::read_to_string(&path) {
                Ok(text) => (text, (file_key.as_str(), format!("names {path}, which is empty; write the secret into it"))),
                Err(error) => {
                    self.problem(&file_key, &format!("names {path}, which cannot be read: {error}"));
                    return None;
                }
            },
            (None, None) => return None,
        };
        if secret.trim().is_empty() {
            self.problem(empty.0, &empty.1);
            return None;
        }
        Some(SecretString::from(secret.trim().to_owned()))
    }

    /// Notes a fault of a key that was read or is missing.
    pub fn problem(&mut self, key: &str, detail: &str) {
        let place = self.place(key);
        self.problem_at(place, key, detail);
    }

    /// Notes that a key is needed and absent, unless what was set has a fault of its own.
    pub fn missing(&mut self, key: &str, detail: &str) {
        if self.problems.iter().all(|problem| problem.key != key) {
            self.problem(key, detail);
        }
    }

    fn take(&mut self, key: &str) -> Option<Setting> {
        #[cfg(test)]
        self.asked.insert(key.to_owned());
        self.left.remove(key)
    }

    fn problem_at(&mut self, place: String, key: &str, detail: &str) {
        self.problems.push(Problem { place, key: key.to_owned(), detail: detail.to_owned() });
    }

    fn place(&self, key: &str) -> String {
        self.places.get(key).unwrap_or(&self.fallback).clone()
    }

    /// Ends the reading: a key that nobody took is a fault in a file, and a warning in the environment.
    pub(super) fn finish(mut self) -> Result<Vec<String>, Problems> {
        let mut warnings = Vec::new();
        for (key, setting) in std::mem::take(&mut self.left) {
            if setting.from_environment {
                warnings.push(format!("{} is not a setting of this version and is ignored", setting.place));
            } else {
                self.problem_at(setting.place, &key, "is not a setting of this version; correct its name or take it out");
            }
        }
        if self.problems.is_empty() { Ok(warnings) } else { Err(Problems(self.problems)) }
    }
}

/// A value as somebody would write it in a list.
fn plain(value: toml::Value) -> String {
    match value {
        toml::Value::String(text) => text,
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Boolean(is_so) => is_so.to_string(),
        other => other.type_str().to_owned(),
    }
}
