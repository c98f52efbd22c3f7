//! Durable creates of questions a second, beside bare inserts of rows of the same size with the same flush setting.

use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, query_scalar};

use super::arguments::Arguments;
use super::daemon::Daemon;
use super::figures::Row;
use super::floor::Database;
use super::questions;

const ROUNDS: usize = 5;
/// The many clients.
pub const CLIENTS: usize = 32;
/// What each client asks in a round.
const BY_ONE: usize = 1_000;
const BY_EACH: usize = 250;

/// One client, and many.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let daemon = Daemon::start(&arguments.folder, None).await?;
    let folder = tempfile::tempdir_in(&arguments.folder)?;
    let mut bare = Database::new(folder.path()).await?;
    asked(&daemon, 1, 100).await?;
    let bytes = usual_size(&daemon).await?;
    let (mut one, mut many, mut single, mut batched) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        one.push(asked(&daemon, 1, BY_ONE).await?);
        single.push(inserted(&mut bare, 1, BY_ONE, bytes).await?);
        many.push(asked(&daemon, CLIENTS, BY_EACH).await?);
        batched.push(inserted(&mut bare, CLIENTS, BY_EACH, bytes).await?);
    }
    Ok(vec![
        Row::of_rates("creates, 1 client", &one, "bare inserts, each its own commit", &single, "≥ 2,000/s"),
        Row::of_rates(
            format!("creates, {CLIENTS} clients"),
            &many,
            "bare inserts, 32 to a commit",
            &batched,
            "≥ 8,000/s, ≥ 35 %",
        ),
    ])
}

/// The rate at which so many clients ask.
pub async fn asked(daemon: &Daemon, clients: usize, each: usize) -> anyhow::Result<f64> {
    let mut agents = Vec::with_capacity(clients);
    for _ in 0..clients {
        agents.push(daemon.agent().await?);
    }
    let began = Instant::now();
    let asking: Vec<_> = agents
        .into_iter()
        .map(|mut agent| {
            tokio::spawn(async move {
                for _ in 0..each {
                    questions::ask(&mut agent).await?;
                }
                anyhow::Ok(())
            })
        })
        .collect();
    for asking in asking {
        asking.await??;
    }
    Ok(rate(clients * each, began.elapsed()))
}

/// The rate at which bare rows are inserted.
async fn inserted(bare: &mut Database, together: usize, commits: usize, bytes: usize) -> anyhow::Result<f64> {
    let began = Instant::now();
    for _ in 0..commits {
        bare.insert(together, bytes).await?;
    }
    Ok(rate(together * commits, began.elapsed()))
}

/// The bytes of a record in the service's store.
async fn usual_size(daemon: &Daemon) -> anyhow::Result<usize> {
    let options = SqliteConnectOptions::new().filename(daemon.store()).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let size: i64 = query_scalar("SELECT CAST(avg(length(record)) AS INTEGER) FROM questions").fetch_one(&mut connection).await?;
    Ok(usize::try_from(size)?)
}

fn rate(count: usize, took: Duration) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from) / took.as_secs_f64()
}
