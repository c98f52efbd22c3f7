//! A local save by the number of answers ever saved and of those that are not archived, in turn with one after 100.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use pager_answers::{AnswerPath, BareRepository, Keeper};

use super::answer::{answer, save};
use super::arguments::Arguments;
use super::figures::{Row, Times};

const FEW: usize = 100;
/// So many stay in `answers/` by default.
const LIVE: usize = 2_000;
const BATCH: usize = 500;
/// After so many rounds what came in is archived, so that as many stay live as before.
const ARCHIVED_EVERY: usize = 20;

/// A repository with a history.
struct Grown {
    keeper: BareRepository,
    ever: usize,
    live: usize,
    times: Times,
}

/// One row for each but the first, which stands beside all of them.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir_in(&arguments.folder)?;
    let quick = tempfile::tempdir_in(&arguments.quick)?;
    let mut grown = prepare(folder.path(), quick.path(), arguments.many).await?;
    ensure!(Command::new("sync").status()?.success(), "the disk was not flushed");
    for round in 0..arguments.rounds {
        // Whoever comes first waits for what the last one left to the disk.
        grown.rotate_left(1);
        let id = format!("one-{round}");
        for one in &mut grown {
            one.times.push(save(&one.keeper, vec![answer(&id)?]).await?);
        }
        if (round + 1) % ARCHIVED_EVERY == 0 {
            let paths = (round + 1 - ARCHIVED_EVERY..=round).map(|round| AnswerPath::new(format!("one-{round}")));
            let paths = paths.collect::<Result<Vec<_>, _>>()?;
            for one in &grown {
                one.keeper.archive(paths.clone()).await?;
            }
        }
    }
    grown.sort_by_key(|one| (one.ever, one.live));
    let (first, others) = grown.split_first().context("there are four")?;
    let row = |one: &Grown| {
        let name = format!("local save after {} answers, {} of them live", one.ever, one.live);
        let beside = format!("after {}, all live", first.ever);
        Row::of_times(name, &one.times, &beside, &first.times, "≤ 1.5 ×")
    };
    Ok(others.iter().map(row).collect())
}

/// Fills them where that is quick, and copies them to the disk.
async fn prepare(disk: &Path, quick: &Path, many: usize) -> anyhow::Result<Vec<Grown>> {
    let histories = [("few", FEW, FEW), ("live", LIVE, LIVE), ("many", many, LIVE)];
    for (name, ever, live) in histories {
        let path = quick.join(name);
        fill(&BareRepository::open(&path, "main")?, ever, live).await?;
        copy(&path, &disk.join(name))?;
    }
    // The same one with little that is live.
    archive_down_to(&BareRepository::open(&quick.join("many"), "main")?, FEW).await?;
    copy(&quick.join("many"), &disk.join("archived"))?;
    let all = histories.into_iter().chain([("archived", many, FEW)]);
    all.map(|(name, ever, live)| {
        let keeper = BareRepository::open(&disk.join(name), "main")?;
        Ok(Grown { keeper, ever, live, times: Times::default() })
    })
    .collect()
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    ensure!(Command::new("cp").arg("-a").args([from, to]).status()?.success(), "{} was not copied", from.display());
    Ok(())
}

/// Saves so many, and archives them as pagerd does.
async fn fill(keeper: &BareRepository, ever: usize, live: usize) -> anyhow::Result<()> {
    let mut number = 0;
    while number < ever {
        let next = ever.min(number + BATCH);
        let batch = (number..next).map(|number| answer(&format!("before-{number}"))).collect::<anyhow::Result<_>>()?;
        save(keeper, batch).await?;
        archive_down_to(keeper, live).await?;
        number = next;
    }
    Ok(())
}

async fn archive_down_to(keeper: &BareRepository, live: usize) -> anyhow::Result<()> {
    let ids = keeper.live().await?;
    let over = &ids[..ids.len().saturating_sub(live)];
    for batch in over.chunks(BATCH) {
        keeper.archive(batch.iter().map(AnswerPath::new).collect::<Result<_, _>>()?).await?;
    }
    Ok(())
}
