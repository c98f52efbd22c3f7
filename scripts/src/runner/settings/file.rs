//! The keys of a file, read one by one; what is wrong with each is kept until all were read, and a key that nobody asked for
//! is a problem, too.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pager_questions::fields::check_text;
use pager_questions::request::is_tag;
use toml::{Table, Value};

use crate::duration::{for_people, parse};

/// The most tags that the service takes.
const MOST_TAGS: usize = 64;
const KNOWN: [&str; 18] = [
    "command",
    "runtime",
    "access",
    "autonomy",
    "tier",
    "role",
    "department",
    "workdir",
    "tools",
    "tags",
    "heartbeat",
    "catchup",
    "lease",
    "runs_per_hour",
    "runs_per_day",
    "wakes_per_author_per_day",
    "template",
    "enforced_by",
];

/// A file that is being read.
pub struct Keys<'a> {
    folder: &'a Path,
    table: Table,
    problems: Vec<(String, String)>,
}

impl<'a> Keys<'a> {
    /// Of this text; paths in it are below the folder.
    ///
    /// # Errors
    /// When it is no TOML, naming the line.
    pub fn of(text: &str, folder: &'a Path) -> Result<Self, String> {
        let table: Table = toml::from_str(text).map_err(|error: toml::de::Error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            format!("line {line}: {}; write each setting as key = value", error.message())
        })?;
        let mut keys = Self { folder, table, problems: Vec::new() };
        let unknown: Vec<String> = keys.table.keys().filter(|key| !KNOWN.contains(&key.as_str())).cloned().collect();
        for key in unknown {
            keys.problem(&key, &format!("is no setting of the runner; remove it: the settings are {}", KNOWN.join(", ")));
        }
        Ok(keys)
    }

    /// Notes that something is wrong with a key.
    pub fn problem(&mut self, key: &str, words: &str) {
        self.problems.push((key.to_owned(), words.to_owned()));
    }

    /// Is something wrong with it already?
    pub fn is_faulty(&self, key: &str) -> bool {
        self.problems.iter().any(|(faulty, _)| faulty == key)
    }

    /// All problems, or none.
    ///
    /// # Errors
    /// The problems, each `key: words`.
    pub fn finish(self) -> Result<(), Vec<String>> {
        let told: Vec<String> = self.problems.into_iter().map(|(key, words)| format!("{key}: {words}")).collect();
        if told.is_empty() { Ok(()) } else { Err(told) }
    }

    /// A text that is not blank.
    pub fn text(&mut self, key: &str) -> Option<String> {
        match self.table.remove(key)? {
            Value::String(text) if !text.trim().is_empty() => Some(text),
            _ => {
                self.problem(key, &format!("must be a text, like {key} = \"…\""));
                None
            }
        }
    }

    /// A text of at most so many characters, on one line. Is there one?
    pub fn short_text(&mut self, key: &str, most: usize) -> bool {
        let Some(text) = self.text(key) else { return false };
        if let Err(words) = check_text(&text, most) {
            self.problem(key, &format!("{words}; shorten it"));
        }
        true
    }

    /// A name out of a few.
    pub fn one_of<T>(&mut self, key: &str, names: &[&str], parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let name = self.table.remove(key)?;
        let found = name.as_str().and_then(parse);
        if found.is_none() {
            self.problem(key, &format!("must be one of {}", names.join(", ")));
        }
        found
    }

    /// A list of words.
    pub fn words(&mut self, key: &str) -> Option<Vec<String>> {
        let value = self.table.remove(key)?;
        let words: Option<Vec<String>> = value
            .as_array()
            .and_then(|items| items.iter().map(|item| item.as_str().map(str::to_owned)).collect())
            .filter(|words: &Vec<String>| {
                words.first().is_none_or(|first| !first.is_empty()) && words.iter().all(|word| !word.contains('\0'))
            });
        if words.is_none() {
            self.problem(key, &format!("must be a list of texts, like {key} = [\"…\", \"…\"]"));
        }
        words
    }

    /// A list of tags.
    pub fn tags(&mut self, key: &str) -> Vec<String> {
        let tags = self.words(key).unwrap_or_default();
        if tags.len() > MOST_TAGS {
            self.problem(key, &format!("has {}; name at most {MOST_TAGS}", tags.len()));
        }
        for tag in tags.iter().filter(|tag| !is_tag(tag)) {
            self.problem(
                key,
                &format!("has {tag:?}, which has a space, a comma or something that cannot be seen; write it like cap:rust"),
            );
        }
        tags
    }

    /// A number from 1.
    pub fn number(&mut self, key: &str, most: u32, standard: u32) -> u32 {
        let Some(value) = self.table.remove(key) else { return standard };
        let number =
            value.as_integer().and_then(|number| u32::try_from(number).ok()).filter(|number| (1..=most).contains(number));
        number.unwrap_or_else(|| {
            self.problem(key, &format!("must be a whole number from 1 to {most}"));
            standard
        })
    }

    /// A duration within bounds.
    pub fn duration(&mut self, key: &str, bounds: RangeInclusive<Duration>, standard: Duration) -> Duration {
        let Some(value) = self.table.remove(key) else { return standard };
        let parsed = match value.as_str() {
            Some(text) => parse(text),
            None => Err(format!("must be a duration, like {key} = \"{}\"", for_people(standard))),
        };
        let (least, most) = (for_people(*bounds.start()), for_people(*bounds.end()));
        let held = parsed.and_then(|duration| {
            if bounds.contains(&duration) { Ok(duration) } else { Err(format!("must be from {least} to {most}")) }
        });
        held.unwrap_or_else(|words| {
            self.problem(key, &words);
            standard
        })
    }

    /// The same, or none for `off`.
    pub fn duration_or_off(&mut self, key: &str, bounds: RangeInclusive<Duration>, standard: Duration) -> Option<Duration> {
        if self.table.get(key).and_then(Value::as_str) == Some("off") {
            self.table.remove(key);
            return None;
        }
        let before = self.problems.len();
        let duration = self.duration(key, bounds, standard);
        if let Some((_, words)) = self.problems.get_mut(before) {
            words.push_str("; or write \"off\"");
        }
        Some(duration)
    }

    /// A folder that is there.
    pub fn folder(&mut self, key: &str) -> Option<PathBuf> {
        let path = self.path(key)?;
        match path.canonicalize() {
            Ok(path) if path.is_dir() => Some(path),
            _ => {
                self.problem(key, &format!("names {}, which is no folder; make it, or name another", path.display()));
                None
            }
        }
    }

    /// What is written in a file.
    pub fn contents(&mut self, key: &str) -> Option<String> {
        let path = self.path(key)?;
        std::fs::read_to_string(&path)
            .map_err(|error| {
                self.problem(
                    key,
                    &format!(
                        "{} cannot be read: {error}; write it, or leave this out for the one that comes with ask",
                        path.display()
                    ),
                )
            })
            .ok()
    }

    /// A path as it is meant: below the file's folder, or below the home folder.
    pub fn place(&self, text: &str) -> PathBuf {
        let home = || std::env::var_os("HOME").map(PathBuf::from);
        let below_home = text.strip_prefix("~/").and_then(|below| Some(home()?.join(below)));
        below_home.unwrap_or_else(|| self.folder.join(text))
    }

    fn path(&mut self, key: &str) -> Option<PathBuf> {
        self.text(key).map(|text| self.place(&text))
    }
}
