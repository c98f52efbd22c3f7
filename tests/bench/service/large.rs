//! Lists and timers on a store of a million questions and a hundred thousand requests, beside a store that has only what is open in
//! it: what is over should cost nothing.

use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::Value;

use super::arguments::Arguments;
use super::connection::Connection;
use super::daemon::Daemon;
use super::figures::{Row, Times};
use super::runners;
use super::stored::{self, Amount};

const OPEN: Amount = Amount { questions: 1_000, ended: 0, requests: 1_000, answered: 100 };
/// How often a deadline is waited for: each takes its second.
const DEADLINES: usize = 10;
/// The answer to a question of this run comes soon after its deadline.
const DEADLINE_AFTER: i64 = 2;

/// The paths that are asked for, and by whom.
const CALLS: [(&str, Side); 9] = [
    ("/v1/status", Side::Owner),
    ("/v1/status", Side::Agent),
    ("/v1/requests", Side::Owner),
    ("/v1/requests?state=open", Side::Owner),
    ("/v1/requests?state=answered", Side::Owner),
    ("/v1/requests?tag=cap:own", Side::Owner),
    ("/v1/requests?tag=cap:unheard-of", Side::Owner),
    ("/v1/wakes?tags=cap:other", Side::Agent),
    ("/v1/wakes/older?tags=cap:other", Side::Agent),
];

#[derive(Clone, Copy, Debug)]
enum Side {
    Owner,
    Agent,
}

/// Each call, and how late a deadline acts.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let mut small = Daemon::start(&arguments.folder, None).await?;
    let mut large = Daemon::start(&arguments.folder, None).await?;
    stored::fill(&mut small, &OPEN).await?;
    let many = Amount { ended: arguments.questions, answered: arguments.questions / 10, ..OPEN };
    stored::fill(&mut large, &many).await?;
    let mut rows = Vec::new();
    for (path, side) in CALLS {
        let mut callers = [connected(&small, side).await?, connected(&large, side).await?];
        let mut times = [Times::default(), Times::default()];
        for round in 0..arguments.rounds.min(100) + 5 {
            for (caller, times) in callers.iter_mut().zip(&mut times) {
                let began = Instant::now();
                caller.get(path).await?.with(200)?;
                // The first ones fill caches.
                if round >= 5 {
                    times.push(began.elapsed());
                }
            }
        }
        let name = format!("GET {path}, {side:?}, {} questions", arguments.questions);
        rows.push(Row::of_times(name, &times[1], "only what is open", &times[0], ""));
    }
    let mut asked = [Times::default(), Times::default()];
    for _ in 0..arguments.rounds.min(100) {
        for (daemon, asked) in [&small, &large].into_iter().zip(&mut asked) {
            let mut owner = daemon.owner().await?;
            let began = Instant::now();
            owner.post("/v1/requests", &runners::request(Some(runners::OWN))).await?.with(201)?;
            asked.push(began.elapsed());
        }
    }
    rows.push(Row::of_times("POST /v1/requests, Owner", &asked[1], "only what is open", &asked[0], ""));
    let mut late = [Times::default(), Times::default()];
    for _ in 0..DEADLINES {
        for (daemon, late) in [&small, &large].into_iter().zip(&mut late) {
            late.push(deadline(daemon).await?);
        }
    }
    rows.push(Row::of_times("deadline → agent has the default", &late[1], "only what is open", &late[0], ""));
    Ok(rows)
}

async fn connected(daemon: &Daemon, side: Side) -> anyhow::Result<Connection> {
    match side {
        Side::Owner => daemon.owner().await,
        Side::Agent => daemon.agent().await,
    }
}

/// How long after the deadline of a question its agent has the default.
async fn deadline(daemon: &Daemon) -> anyhow::Result<Duration> {
    let mut agent = daemon.agent().await?;
    let id = super::questions::new_id();
    let mut question: Value = serde_json::from_str(&super::questions::question(&id))?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    question["deadline"] = (i64::try_from(now.as_secs())? + DEADLINE_AFTER).into();
    question["default"] = "1".into();
    let asked: Value = serde_json::from_slice(&agent.post("/v1/questions", &question.to_string()).await?.with(201)?.body)?;
    let deadline = asked["deadline"].as_str().unwrap_or_default().to_owned();
    ensure!(!deadline.is_empty(), "the question has no deadline: {asked}");
    agent.send_held(&id).await?;
    agent.receive().await?.with(200)?;
    let deadline: jiff::Timestamp = deadline.parse()?;
    Ok(Duration::try_from(jiff::Timestamp::now().duration_since(deadline)).unwrap_or_default())
}
