//! From an owner's answer over HTTP to the agent that waits for it, with everything flushed.

use std::time::{Duration, Instant};

use super::arguments::Arguments;
use super::daemon::Daemon;
use super::figures::{Row, Times};
use super::floor::Floor;
use super::questions::{self, FIRST_OPTION};

/// Long enough for a request to be held.
const HELD_AFTER: Duration = Duration::from_millis(3);
const FLOOR: &str = "one row, one answer saved";

/// Alone, and with others who wait.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let daemon = Daemon::start(&arguments.folder, None).await?;
    let alone = row(arguments, &daemon, "answer accepted → waiting agent has it").await?;
    let ids = questions::ask_many(&daemon, arguments.waiters).await?;
    let others = questions::hold(&daemon, &ids).await?;
    let name = format!("the same with {} others waiting", others.len());
    let among_others = row(arguments, &daemon, &name).await?;
    Ok(vec![alone, among_others])
}

async fn row(arguments: &Arguments, daemon: &Daemon, name: &str) -> anyhow::Result<Row> {
    let mut floor = Floor::new(&arguments.folder).await?;
    let (mut asking, mut waiting, mut owner) = (daemon.agent().await?, daemon.agent().await?, daemon.owner().await?);
    let (mut own, mut floors) = (Times::default(), Times::default());
    for _ in 0..arguments.rounds {
        let id = questions::ask(&mut asking).await?;
        waiting.send_held(&id).await?;
        tokio::time::sleep(HELD_AFTER).await;
        let began = Instant::now();
        owner.send_post(&format!("/v1/questions/{id}/answer"), FIRST_OPTION).await?;
        waiting.receive().await?.with(200)?;
        own.push(began.elapsed());
        owner.receive().await?.with(200)?;
        floors.push(floor.once().await?);
    }
    Ok(Row::of_times(name, &own, FLOOR, &floors, "p50 ≤ 5 ms, p99 ≤ 20 ms, ≤ 1.5 ×"))
}
