//! Whole processes: `ask wait` from the answer to its end, and the commands of scripts from start to end.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use tokio::process::Command;

use super::arguments::Arguments;
use super::daemon::Daemon;
use super::figures::{Row, Times};
use super::floor::Floor;
use super::memory::resident;
use super::questions::{self, FIRST_OPTION, new_id};

/// Long enough for the process to start and its request to be held.
const HELD_AFTER: Duration = Duration::from_millis(30);

/// From the answer to the end of `ask wait`, and what it occupies meanwhile.
pub async fn waiting(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let daemon = Daemon::start(&arguments.folder, None).await?;
    let mut floor = Floor::new(&arguments.folder).await?;
    let (mut asking, mut owner) = (daemon.agent().await?, daemon.owner().await?);
    let (mut own, mut floors) = (Times::default(), Times::default());
    let mut largest = 0;
    for _ in 0..arguments.rounds / 2 {
        let id = questions::ask(&mut asking).await?;
        let mut ask = daemon.ask(&["wait", &id])?.spawn()?;
        tokio::time::sleep(HELD_AFTER).await;
        largest = largest.max(resident(ask.id().context("ask wait ended before there was an answer")?)?);
        let began = Instant::now();
        owner.send_post(&format!("/v1/questions/{id}/answer"), FIRST_OPTION).await?;
        let status = ask.wait().await?;
        own.push(began.elapsed());
        ensure!(status.success(), "ask wait ended with {status}");
        owner.receive().await?.with(200)?;
        floors.push(floor.once().await? + ended(&mut nothing()).await?);
    }
    let time = Row::of_times(
        "answer accepted → `ask wait` has ended",
        &own,
        "/bin/true, one row, one answer saved",
        &floors,
        "p50 ≤ 8 ms",
    );
    let size = Row::of_value("resident memory of one `ask wait`, largest", format!("{:.1} MB", megabytes(largest)), "≤ 6 MB");
    Ok(vec![time, size])
}

/// The commands of scripts.
pub async fn commands(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let daemon = Daemon::start(&arguments.folder, None).await?;
    let (mut help, mut new, mut floors) = (Times::default(), Times::default(), Times::default());
    for _ in 0..arguments.rounds {
        help.push(ended(&mut daemon.ask(&["--help"])?).await?);
        let id = new_id();
        new.push(ended(&mut daemon.ask(&["new", "Release?", "--id", &id, "-o", "Yes", "-o", "No"])?).await?);
        floors.push(ended(&mut nothing()).await?);
    }
    Ok(vec![
        Row::of_times("`ask --help`, whole process", &help, "/bin/true", &floors, "≤ 5 ms"),
        Row::of_times("`ask new`, whole process", &new, "/bin/true", &floors, "≤ 10 ms"),
    ])
}

fn nothing() -> Command {
    let mut command = Command::new("/bin/true");
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts a process and waits for its end.
async fn ended(command: &mut Command) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let status = command.spawn()?.wait().await?;
    let took = began.elapsed();
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(took)
}

#[expect(clippy::cast_precision_loss, reason = "memory has no more than 2^52 bytes")]
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}
