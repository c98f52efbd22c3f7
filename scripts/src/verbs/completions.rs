//! `ask completions`: what a shell completes.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// Flags of `ask completions`.
#[derive(Debug, clap::Args)]
pub struct Completions {
    /// The shell to write them for
    shell: Shell,
}

/// Runs it.
///
/// # Errors
/// When nothing reads the output.
pub fn run(completions: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut Cli::command(), "ask", &mut script);
    output::line(&String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Done)
}
