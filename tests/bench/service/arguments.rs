//! Which rows are wanted, and with how many of what.

use std::path::PathBuf;

use anyhow::{Context, bail};

/// The rows, in the order of the table.
pub const ROWS: [&str; 11] =
    ["answers", "wait", "presses", "creates", "triggers", "wakes", "events", "memory", "start", "commands", "large"];

/// What was asked for.
#[derive(Debug)]
pub struct Arguments {
    rows: Vec<String>,
    /// How often a latency is taken.
    pub rounds: usize,
    /// How many other agents wait meanwhile.
    pub waiters: usize,
    /// How many questions that are over the large store has, and ten times as many as requests.
    pub questions: usize,
    /// On the disk that is of interest.
    pub folder: PathBuf,
}

impl Arguments {
    /// Reads the command line.
    ///
    /// # Errors
    /// What is not understood, with what is.
    pub fn read(words: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let mut read = Self { rows: Vec::new(), rounds: 300, waiters: 2_000, questions: 1_000_000, folder };
        let mut words = words;
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} takes a value"));
            match word.as_str() {
                // Cargo adds it.
                "--bench" => {}
                "--rounds" => read.rounds = value()?.parse().context("--rounds is a number")?,
                "--waiters" => read.waiters = value()?.parse().context("--waiters is a number")?,
                "--questions" => read.questions = value()?.parse().context("--questions is a number")?,
                "--folder" => read.folder = PathBuf::from(value()?),
                row if ROWS.contains(&row) => read.rows.push(word),
                _ => bail!(
                    "{word} is not known; rows: {}; flags: --rounds N, --waiters N, --questions N, --folder PATH",
                    ROWS.join(", ")
                ),
            }
        }
        Ok(read)
    }

    /// All rows, unless some were named; a large store takes minutes to fill, so it has to be named.
    pub fn wants(&self, row: &str) -> bool {
        (self.rows.is_empty() && row != "large") || self.rows.iter().any(|wanted| wanted == row)
    }
}
