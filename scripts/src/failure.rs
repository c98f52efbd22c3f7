//! What ends a verb before its time: an exit code, words for people, and sometimes data that is printed all the same.

use crate::exit::Exit;
use crate::json::Json;

/// Why a verb could not do what it was told.
#[derive(Debug, thiserror::Error)]
#[error("{words}")]
pub struct Failure {
    /// The code to end with.
    pub exit: Exit,
    /// What is wrong and the way out, for standard error.
    pub words: String,
    /// What standard output gets all the same.
    pub output: Option<Json>,
}

impl Failure {
    /// With any code.
    pub fn new(exit: Exit, words: impl Into<String>) -> Self {
        Self { exit, words: words.into(), output: None }
    }

    /// Code 1.
    pub fn failed(words: impl Into<String>) -> Self {
        Self::new(Exit::Failed, words)
    }

    /// Code 2.
    pub fn usage(words: impl Into<String>) -> Self {
        Self::new(Exit::Usage, words)
    }

    /// The same, with something to print.
    pub fn with_output(self, output: Json) -> Self {
        Self { output: Some(output), ..self }
    }
}
