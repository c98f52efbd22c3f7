//! What keeping answers costs: a save in each kind of repository beside its floor, a local save after many, and the requests
//! that a repository on GitHub takes, at work and while nothing happens. Prints a Markdown table; judges nothing.
//!
//! `cargo build --release -p pager-worker -p pager-scripts && cargo bench -p pager-tests --bench keepers [-- <rows> <flags>]`
#![expect(clippy::print_stdout, reason = "a table is what this is for")]

mod answer;
mod arguments;
#[expect(dead_code, reason = "the other benchmark has rates, too")]
#[path = "../service/figures.rs"]
mod figures;
mod github;
mod growth;
mod idle;
mod local;
mod remote;
mod requests;
mod watchers;

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
        "local" => local::rows(arguments).await,
        "remote" => remote::rows(arguments).await,
        "github" => github::rows(arguments).await,
        "growth" => growth::rows(arguments).await,
        "requests" => requests::rows().await,
        "idle" => idle::rows(arguments).await,
        other => anyhow::bail!("{other} is in the list of rows and nothing measures it"),
    }
}
