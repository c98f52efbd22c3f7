//! The requests that a repository on GitHub takes for one answer, for several at once, and for archiving.

use pager_answers::Keeper;

use super::answer::{answer, save};
use super::figures::Row;
use super::github::Hub;

/// Several saved at once.
const BATCH: usize = 50;
/// Archived at once, as many as pagerd moves in one commit.
const ARCHIVED: usize = 500;
/// The answers of an archived batch come in batches.
const BATCHES: usize = ARCHIVED / BATCH;

/// Three rows.
pub async fn rows() -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start().await?;
    // Whatever a first save takes besides.
    save(&hub.keeper, vec![answer("first")?]).await?;
    let mut counted = Counted::from(&hub);
    save(&hub.keeper, vec![answer("single")?]).await?;
    let single = counted.row("saving one answer on GitHub");
    let mut batch = counted.row("");
    let mut paths = Vec::new();
    for number in 0..BATCHES {
        let files = (0..BATCH).map(|place| answer(&format!("batch-{number}-{place}"))).collect::<anyhow::Result<Vec<_>>>()?;
        paths.extend(files.iter().map(|file| file.path.clone()));
        save(&hub.keeper, files).await?;
        batch = counted.row(&format!("saving {BATCH} answers at once on GitHub"));
    }
    hub.keeper.archive(paths).await?;
    let archive = counted.row(&format!("archiving {ARCHIVED} answers on GitHub"));
    Ok(vec![single, batch, archive])
}

/// The requests of the keeper so far.
struct Counted<'a> {
    hub: &'a Hub,
    seen: usize,
}

impl<'a> Counted<'a> {
    fn from(hub: &'a Hub) -> Self {
        Self { hub, seen: hub.fake.calls().len() }
    }

    /// What came since the last row.
    fn row(&mut self, name: &str) -> Row {
        let calls = self.hub.fake.calls().split_off(self.seen);
        self.seen += calls.len();
        let own = calls.iter().filter(|call| call.token.as_deref() == Some(self.hub.token.as_str()));
        let (all, costly) = (own.clone().count(), own.clone().filter(|call| call.is_counted).count());
        let writes = own.filter(|call| call.method != "GET").count();
        Row::of_value(name, format!("{all} requests, {costly} cost quota, {writes} of them write"), "")
    }
}
