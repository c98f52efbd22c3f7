//! What finding wakes adds to a durable create: the same store, beside it the one without the triggers of wakes, and the one without
//! the indexes of threads and reminders either. A runner is registered in each, so that no trigger is idle for want of one.

use anyhow::ensure;
use sqlx::{AssertSqlSafe, query, query_scalar};

use super::arguments::Arguments;
use super::creates::{self, CLIENTS};
use super::daemon::Daemon;
use super::figures::Row;

const ROUNDS: usize = 15;
/// What each client asks in a round.
const BY_ONE: usize = 400;
const BY_EACH: usize = 100;

const TRIGGERS: [&str; 4] = ["wake_causes_ended", "wake_causes_put", "wake_causes_replied", "wakes_forgotten"];
const INDEXES: [&str; 4] = ["questions_about", "questions_put_to", "questions_open_of_agent", "questions_to_remind"];

/// One client and many, each beside both rivals.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let mut daemons = Vec::with_capacity(3);
    for _ in 0..3 {
        let daemon = Daemon::start(&arguments.folder, None).await?;
        let mut runner = daemon.agent().await?;
        runner.get("/v1/wakes").await?.with(200)?;
        daemons.push(daemon);
    }
    drop_all(&daemons[1], "TRIGGER", &TRIGGERS).await?;
    drop_all(&daemons[2], "TRIGGER", &TRIGGERS).await?;
    drop_all(&daemons[2], "INDEX", &INDEXES).await?;
    let (mut one, mut many) = ([vec![], vec![], vec![]], [vec![], vec![], vec![]]);
    for round in 0..ROUNDS {
        for turn in 0..daemons.len() {
            // Whoever begins is another one in each round.
            let place = (round + turn) % daemons.len();
            one[place].push(creates::asked(&daemons[place], 1, BY_ONE).await?);
            many[place].push(creates::asked(&daemons[place], CLIENTS, BY_EACH).await?);
        }
    }
    let mut rows = Vec::new();
    for (clients, [own, bare, barest]) in [("1 client".to_owned(), one), (format!("{CLIENTS} clients"), many)] {
        rows.push(Row::of_rates(format!("creates, {clients}"), &own, "without the triggers of wakes", &bare, "≥ 95 %"));
        let beside = "without them and the indexes of threads and reminders";
        rows.push(Row::of_rates(format!("creates, {clients}"), &own, beside, &barest, "≥ 95 %"));
    }
    Ok(rows)
}

async fn drop_all(daemon: &Daemon, kind: &str, names: &[&str]) -> anyhow::Result<()> {
    let mut store = daemon.open_store().await?;
    for name in names {
        let there: bool =
            query_scalar("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?)").bind(name).fetch_one(&mut store).await?;
        ensure!(there, "the store has no {name}: this list is not that of the migrations any more");
        query(AssertSqlSafe(format!("DROP {kind} {name}"))).execute(&mut store).await?;
    }
    Ok(())
}
