//! From asking a question until a client of the stream has its event, beside the reply to asking; alone, then with many
//! others who hear it too. And what those cost while nothing happens.

use std::time::{Duration, Instant};

use anyhow::Context;

use super::arguments::Arguments;
use super::connection::Connection;
use super::daemon::Daemon;
use super::figures::{Row, Times};
use super::memory::{kilobytes_each, resident};
use super::questions;

/// Others who listen.
const OTHERS: usize = 1_000;
const IDLE_FOR: Duration = Duration::from_secs(5);

/// Alone, with others, and the others idle.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let daemon = Daemon::start(&arguments.folder, None).await?;
    let (mut agent, mut stream) = (daemon.agent().await?, listening(&daemon).await?);
    told(&mut agent, &mut stream, 20).await?;
    let mut rows = vec![row("asked → a stream has it".to_owned(), &told(&mut agent, &mut stream, arguments.rounds).await?)];
    let before = resident(daemon.process()?)?;
    let mut others = Vec::with_capacity(OTHERS);
    for _ in 0..OTHERS {
        others.push(listening(&daemon).await?);
    }
    let each = kilobytes_each(resident(daemon.process()?)?.saturating_sub(before), OTHERS);
    let worked = processor(daemon.process()?)?;
    tokio::time::sleep(IDLE_FOR).await;
    let idle = processor(daemon.process()?)?.saturating_sub(worked);
    let name = format!("the same with {OTHERS} others who hear it too");
    rows.push(row(name, &told(&mut agent, &mut stream, arguments.rounds.min(50)).await?));
    rows.push(Row::of_value(format!("pagerd, for each of {OTHERS} who listen"), format!("{each:.1} kB"), "≤ 16 kB"));
    let name = format!("processor time of pagerd in {} s while they hear nothing", IDLE_FOR.as_secs());
    rows.push(Row::of_value(name, format!("{} ms", idle.as_millis()), ""));
    Ok(rows)
}

fn row(name: String, [heard, replied]: &[Times; 2]) -> Row {
    Row::of_times(name, heard, "the reply to asking", replied, "about 1 ms more")
}

async fn listening(daemon: &Daemon) -> anyhow::Result<Connection> {
    let mut stream = daemon.owner().await?;
    stream.send_listen().await?;
    stream.heard("retry: ").await?;
    Ok(stream)
}

/// How long until the event came, and until the reply did.
async fn told(agent: &mut Connection, stream: &mut Connection, rounds: usize) -> anyhow::Result<[Times; 2]> {
    let (mut heard, mut replied) = (Times::default(), Times::default());
    for _ in 0..rounds {
        let id = questions::new_id();
        let sent = Instant::now();
        agent.send_post("/v1/questions", &questions::question(&id)).await?;
        let words = format!("\"id\":\"{id}\"");
        let event = async { stream.heard(&words).await.map(|()| sent.elapsed()) };
        let reply = async { agent.receive().await.map(|reply| (reply, sent.elapsed())) };
        let (event, (reply, after)) = tokio::try_join!(event, reply)?;
        reply.with(201)?;
        heard.push(event);
        replied.push(after);
    }
    Ok([heard, replied])
}

/// The processor time that a process has used.
fn processor(process: u32) -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, fields) = stat.rsplit_once(") ").context("no such process")?;
    let ticks: u64 = fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap_or(0)).sum();
    Ok(Duration::from_millis(ticks * 10))
}
