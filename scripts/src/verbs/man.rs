//! `ask man`: the manual page, of `ask` or of one verb.

use clap::CommandFactory;
use clap_mangen::Man as Page;

use crate::cli::Cli;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// Flags of `ask man`.
#[derive(Debug, clap::Args)]
pub struct Man {
    /// The verb; left out, the page of ask itself
    verb: Option<String>,
}

/// Runs it: prints roff.
///
/// # Errors
/// Code 2 for a verb that there is not.
pub fn run(man: &Man) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    command.build();
    let command = match &man.verb {
        None => command,
        Some(verb) => command
            .find_subcommand(verb)
            .cloned()
            .ok_or_else(|| Failure::usage(format!("there is no verb {verb}; `ask --help` lists them")))?,
    };
    let mut page = Vec::new();
    Page::new(command).render(&mut page).map_err(|error| Failure::failed(format!("the page cannot be made: {error}")))?;
    output::line(&String::from_utf8_lossy(&page).trim_end())?;
    Ok(Exit::Done)
}
