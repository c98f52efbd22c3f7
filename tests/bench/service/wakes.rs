//! From sending `POST /v1/requests` until the held runner has its wake, alone and with runners of other agents held for other tags;
//! what a held runner takes; and a request without tags, which wakes all of them.

use std::time::{Duration, Instant};

use anyhow::ensure;

use super::arguments::Arguments;
use super::connection::Connection;
use super::daemon::Daemon;
use super::figures::{Row, Times};
use super::floor::Database;
use super::memory::{kilobytes_each, resident};
use super::runners::{self, OWN};

/// Long enough for a runner to be held.
const HELD_AFTER: Duration = Duration::from_millis(5);
/// Long enough for a burst to settle.
const SETTLED_AFTER: Duration = Duration::from_secs(1);
/// Runners that are held before it is counted.
const FIRST: usize = 200;
/// The bytes of a request as it is stored.
const USUAL: usize = 300;
/// How often all of them are woken.
const BURSTS: usize = 3;

/// Alone, among others, their memory, and all at once.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let daemon = Daemon::start(&arguments.folder, None).await?;
    let folder = tempfile::tempdir_in(&arguments.folder)?;
    let mut bare = Database::new(folder.path()).await?;
    let mut runner = runners::agents(&daemon, 1).await?.remove(0);
    let mut rows = vec![row(arguments, &daemon, &mut bare, &mut runner, "request → its held runner has the wake").await?];
    let mut others = runners::agents(&daemon, FIRST + arguments.waiters).await?;
    runners::hold(&mut others[..FIRST], "cap:other").await?;
    tokio::time::sleep(SETTLED_AFTER).await;
    let before = resident(daemon.process()?)?;
    runners::hold(&mut others[FIRST..], "cap:other").await?;
    tokio::time::sleep(SETTLED_AFTER).await;
    let each = kilobytes_each(resident(daemon.process()?)?.saturating_sub(before), arguments.waiters);
    rows.push(Row::of_value(
        format!("pagerd, for each of {} runners that are held", arguments.waiters),
        format!("{each:.1} kB"),
        "≤ 16 kB",
    ));
    let name = format!("the same with {} runners held for other tags", others.len());
    rows.push(row(arguments, &daemon, &mut bare, &mut runner, &name).await?);
    rows.push(bursts(&daemon, others).await?);
    Ok(rows)
}

/// One wake needs two commits, of the request and of the wake.
async fn row(
    arguments: &Arguments,
    daemon: &Daemon,
    bare: &mut Database,
    runner: &mut Connection,
    name: &str,
) -> anyhow::Result<Row> {
    let mut owner = daemon.owner().await?;
    let (mut own, mut floors) = (Times::default(), Times::default());
    for _ in 0..arguments.rounds {
        runner.send_wakes(OWN).await?;
        tokio::time::sleep(HELD_AFTER).await;
        let began = Instant::now();
        owner.send_post("/v1/requests", &runners::request(Some(OWN))).await?;
        let reply = runner.receive().await?.with(200)?;
        own.push(began.elapsed());
        owner.receive().await?.with(201)?;
        let ids = runners::ids(&reply)?;
        ensure!(ids.len() == 1, "{} wakes instead of one", ids.len());
        runners::acknowledge(runner, &ids[0]).await?;
        let began = Instant::now();
        bare.insert(1, USUAL).await?;
        bare.insert(1, USUAL).await?;
        floors.push(began.elapsed());
    }
    Ok(Row::of_times(name, &own, "two bare inserts, each its own commit", &floors, ""))
}

/// Until the last of all has the wake of a request without tags; beside it as many calls of runners that find nothing.
async fn bursts(daemon: &Daemon, mut held: Vec<Connection>) -> anyhow::Result<Row> {
    let count = held.len();
    let mut owner = daemon.owner().await?;
    let (mut own, mut polls) = (Times::default(), Times::default());
    for burst in 0..BURSTS {
        if burst > 0 {
            runners::hold(&mut held, "cap:other").await?;
            tokio::time::sleep(SETTLED_AFTER).await;
        }
        let began = Instant::now();
        owner.send_post("/v1/requests", &runners::request(None)).await?;
        let mut woken = Vec::with_capacity(count);
        for runner in &mut held {
            woken.push(runners::ids(&runner.receive().await?.with(200)?)?);
        }
        own.push(began.elapsed());
        owner.receive().await?.with(201)?;
        for (runner, ids) in held.iter_mut().zip(woken) {
            for id in ids {
                runners::acknowledge(runner, &id).await?;
            }
        }
        let began = Instant::now();
        for runner in &mut held {
            runner.send_get("/v1/wakes?tags=cap:other").await?;
        }
        for runner in &mut held {
            runner.receive().await?.with(200)?;
        }
        polls.push(began.elapsed());
    }
    let name = format!("request without tags → all of {count} held runners have it");
    Ok(Row::of_times(name, &own, "as many calls that find nothing", &polls, ""))
}
