//! What the service costs: the real release programs on a real disk, each figure beside its floor or a rival that is
//! measured in the same run, in turn with it. Prints a Markdown table; judges nothing.
//!
//! `cargo build --release -p pager-worker -p pager-scripts && cargo bench -p pager-tests --bench service [-- <rows> <flags>]`
#![expect(clippy::print_stdout, reason = "a table is what this is for")]

mod answers;
mod arguments;
mod connection;
mod creates;
mod daemon;
mod events;
mod figures;
mod floor;
mod large;
mod memory;
mod presses;
mod processes;
mod questions;
mod runners;
mod stored;
mod triggers;
mod wakes;

use arguments::Arguments;
use figures::{HEADER, Row};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    println!("{HEADER}");
    for name in arguments::ROWS {
        if arguments.wants(name) {
            eprintln!("measuring {name} …");
            for row in measured(name, &arguments).await? {
                println!("{row}");
            }
        }
    }
    Ok(())
}

async fn measured(name: &str, arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    match name {
        "answers" => answers::rows(arguments).await,
        "wait" => processes::waiting(arguments).await,
        "presses" => presses::rows(arguments).await,
        "creates" => creates::rows(arguments).await,
        "triggers" => triggers::rows(arguments).await,
        "wakes" => wakes::rows(arguments).await,
        "large" => large::rows(arguments).await,
        "events" => events::rows(arguments).await,
        "memory" => memory::rows(arguments).await,
        "start" => memory::starting(arguments).await,
        "commands" => processes::commands(arguments).await,
        other => anyhow::bail!("{other} is in the list of rows and nothing measures it"),
    }
}
