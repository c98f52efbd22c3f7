//! Which rows are wanted, and with how many of what.

use std::path::PathBuf;

use anyhow::{Context, bail};

/// The rows, in the order of the table.
pub const ROWS: [&str; 6] = ["local", "remote", "github", "growth", "requests", "idle"];

/// What was asked for.
#[derive(Debug)]
pub struct Arguments {
    rows: Vec<String>,
    /// How often a save is timed.
    pub rounds: usize,
    /// How many answers were ever saved where there are many.
    pub many: usize,
    /// On the disk that is of interest. The servers of the remote and of GitHub lie in the system's temporary folder.
    pub folder: PathBuf,
    /// Where a long history is made before it is copied to that disk: in memory, unless there is no such place.
    pub quick: PathBuf,
}

impl Arguments {
    /// Reads the command line.
    ///
    /// # Errors
    /// What is not understood, with what is.
    pub fn read(mut words: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let quick = Some(PathBuf::from("/dev/shm")).filter(|memory| memory.is_dir()).unwrap_or_else(|| folder.clone());
        let mut read = Self { rows: Vec::new(), rounds: 300, many: 100_000, folder, quick };
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} takes a value"));
            match word.as_str() {
                // Cargo adds it.
                "--bench" => {}
                "--rounds" => read.rounds = value()?.parse().context("--rounds is a number")?,
                "--many" => read.many = value()?.parse().context("--many is a number")?,
                "--folder" => read.folder = PathBuf::from(value()?),
                row if ROWS.contains(&row) => read.rows.push(word),
                _ => bail!("{word} is not known; rows: {}; flags: --rounds N, --many N, --folder PATH", ROWS.join(", ")),
            }
        }
        Ok(read)
    }

    /// All rows, unless some were named.
    pub fn wants(&self, row: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|wanted| wanted == row)
    }
}
