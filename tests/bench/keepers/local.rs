//! A bare repository on this disk, beside the least that such a save can be: five flushed files without any git.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use pager_answers::BareRepository;

use super::answer::{USUAL, answer, save};
use super::arguments::Arguments;
use super::figures::{Row, Times};

/// An answer, two folders, a commit and the name that the branch stands at, in bytes.
const FILES: [usize; 5] = [USUAL, 120, 80, 230, 41];

/// One row.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir_in(&arguments.folder)?;
    let keeper = BareRepository::open(&folder.path().join("answers.git"), "main")?;
    let floor = Floor::new(folder.path().join("floor"))?;
    let (mut own, mut floors) = (Times::default(), Times::default());
    for round in 0..arguments.rounds {
        own.push(save(&keeper, vec![answer(&format!("one-{round}"))?]).await?);
        floors.push(floor.once(round)?);
    }
    Ok(vec![Row::of_times("save, bare repository on this disk", &own, "five files, flushed and renamed", &floors, "")])
}

/// Where the files of the floor lie.
struct Floor {
    folder: PathBuf,
}

impl Floor {
    fn new(folder: PathBuf) -> anyhow::Result<Self> {
        fs::create_dir_all(folder.join("heads"))?;
        Ok(Self { folder })
    }

    /// Writes five files, flushes them side by side, gives four their names, and then the branch's.
    fn once(&self, round: usize) -> anyhow::Result<Duration> {
        let [objects @ .., branch] = FILES;
        let began = Instant::now();
        let mut written = Vec::new();
        for (number, bytes) in objects.into_iter().enumerate() {
            written.push((write(&self.folder.join("temporary"), number, bytes)?, format!("{round}-{number}")));
        }
        let (head, next) = write(&self.folder.join("heads/next"), 0, branch)?;
        std::thread::scope(|scope| {
            let others = written.iter().map(|((file, _), _)| scope.spawn(|| file.sync_all())).collect::<Vec<_>>();
            head.sync_all()?;
            for other in others {
                other.join().map_err(|_| anyhow!("a flush ended before its time"))??;
            }
            anyhow::Ok(())
        })?;
        for ((_, temporary), name) in &written {
            fs::rename(temporary, self.folder.join(name))?;
        }
        File::open(&self.folder)?.sync_all()?;
        fs::rename(next, self.folder.join("heads/main"))?;
        File::open(self.folder.join("heads"))?.sync_all()?;
        Ok(began.elapsed())
    }
}

fn write(path: &Path, number: usize, bytes: usize) -> anyhow::Result<(File, PathBuf)> {
    let path = path.with_extension(number.to_string());
    let mut file = File::create(&path)?;
    file.write_all(&vec![7; bytes])?;
    Ok((file, path))
}
