//! What pagerd occupies, idle and for each agent that waits, how fast it starts, and how large the programs are.

use std::time::Duration;

use anyhow::Context;

use super::arguments::Arguments;
use super::daemon::{Daemon, program};
use super::figures::{Row, Times};
use super::processes::megabytes;
use super::questions;

/// Long enough for what a start or a burst leaves behind to settle.
const SETTLED_AFTER: Duration = Duration::from_secs(1);
/// Questions in the store that is started on.
const STORED: usize = 1_000;
const STARTS: usize = 20;
/// Agents that wait before it is counted.
const FIRST: usize = 200;

/// Memory: idle, and for each agent that waits.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let mut daemon = Daemon::start(&arguments.folder, None).await?;
    tokio::time::sleep(SETTLED_AFTER).await;
    let idle = resident(daemon.process()?)?;
    let mut rows = vec![Row::of_value("pagerd, idle, new store", format!("{:.1} MB", megabytes(idle)), "≤ 25 MB")];
    // Asking and the first ones that wait fill caches that are paid for once.
    let ids = questions::ask_many(&daemon, FIRST + arguments.waiters).await?;
    let first = questions::hold(&daemon, &ids[..FIRST]).await?;
    tokio::time::sleep(SETTLED_AFTER).await;
    let before = resident(daemon.process()?)?;
    let held = questions::hold(&daemon, &ids[FIRST..]).await?;
    tokio::time::sleep(SETTLED_AFTER).await;
    let after = resident(daemon.process()?)?;
    let each = kilobytes_each(after.saturating_sub(before), held.len());
    rows.push(Row::of_value(format!("pagerd, for each of {} agents that wait", held.len()), format!("{each:.1} kB"), "≤ 16 kB"));
    drop((first, held));
    daemon.restart().await?;
    tokio::time::sleep(SETTLED_AFTER).await;
    let again = resident(daemon.process()?)?;
    rows.push(Row::of_value("pagerd, idle, existing store", format!("{:.1} MB", megabytes(again)), "≤ 25 MB"));
    for (name, bar) in [("pagerd", "≤ 30 MB"), ("ask", "≤ 8 MB")] {
        let size = program(name)?.metadata()?.len();
        rows.push(Row::of_value(format!("`{name}`, release program"), format!("{:.1} MB", megabytes(size)), bar));
    }
    Ok(rows)
}

/// From starting the process to its first accepted connection, after a kill.
pub async fn starting(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let mut daemon = Daemon::start(&arguments.folder, None).await?;
    questions::ask_many(&daemon, STORED).await?;
    let mut starts = Times::default();
    for _ in 0..STARTS {
        starts.push(daemon.restart().await?);
    }
    let name = format!("pagerd, start to listening, {STORED} stored questions, after kill -9");
    let value = format!("{:.1} ms", starts.median().as_secs_f64() * 1000.0);
    Ok(vec![Row::of_value(name, value, "≤ 50 ms")])
}

/// The resident memory of a process, in bytes.
pub fn resident(process: u32) -> anyhow::Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("the process has no memory any more")?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kibibytes * 1024)
}

/// What each of so many takes of these bytes.
pub fn kilobytes_each(bytes: u64, count: usize) -> f64 {
    megabytes(bytes) * 1000.0 / u32::try_from(count.max(1)).map_or(f64::MAX, f64::from)
}
