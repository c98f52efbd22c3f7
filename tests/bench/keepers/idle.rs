//! The requests that an hour costs while nothing changes. It is watched for a minute: pagerd at its own pace, so that what it
//! does in a minute counts sixty times, and `ask` with its pauses divided by sixty.

use std::time::Duration;

use super::arguments::Arguments;
use super::figures::Row;
use super::watchers::{CONTROL, EVENTS, Watcher, hub};

/// A minute stands for an hour.
const FASTER: usize = 60;
const WATCHED: Duration = Duration::from_secs(60);
/// The first pause of `ask`, five seconds.
const FIRST_PAUSE: Duration = Duration::from_millis(5_000 / FASTER as u64);
const QUESTION: &str =
    r#"{"type": "ask", "id": "rel-1", "text": "Release?", "options": [{"label": "Yes"}, {"label": "No"}], "agent": "ci"}"#;
/// Until then pagerd has taken what lay on the branch, and knows where it stands.
const SETTLED_AFTER: usize = 3;

/// Three rows.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let with_events = hub().await;
    with_events.commit(CONTROL, EVENTS, "events/0198f2c4-7d5e-7c11-a2b0-000000000001.json", QUESTION.as_bytes());
    let pagerd = Watcher::pagerd(&arguments.folder, with_events).await?;
    let without_events = Watcher::pagerd(&arguments.folder, hub().await).await?;
    pagerd.looks(CONTROL, EVENTS, SETTLED_AFTER).await?;
    without_events.looks(CONTROL, EVENTS, 1).await?;
    let (began, missing_began) = (pagerd.requests(), without_events.requests());
    // Its start counts, too.
    let ask = Watcher::ask(&arguments.folder, hub().await, FIRST_PAUSE)?;
    tokio::time::sleep(WATCHED).await;
    let row = |name: &str, (all, costly): (usize, usize), bar| {
        Row::of_value(name, format!("{costly} of {all} requests cost quota"), bar)
    };
    let hourly = |now: (usize, usize), then: (usize, usize)| ((now.0 - then.0) * FASTER, (now.1 - then.1) * FASTER);
    let missing = hourly(without_events.requests(), missing_began);
    Ok(vec![
        row("pagerd, an idle hour, branch of events on GitHub", hourly(pagerd.requests(), began), "0"),
        row("the same before there is a branch of events", missing, ""),
        row("`ask wait` on GitHub, its first hour", ask.requests(), "0 but for the start"),
    ])
}
