//! A copy of a bare repository that others may write to meanwhile: its branches first, then its objects, which only
//! grow. What a branch named when it was copied is therefore there. `git gc` may move objects from loose files into a
//! pack meanwhile, so loose ones are copied before packs, and what vanished makes the copying begin again.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::{Context, bail};
use pager_answers::{AnswerPath, KeeperSettings};

/// How often it begins again.
const MOST_TRIES: usize = 5;
/// Beside `refs` and `objects`. Hooks stay behind: they are programs of that machine.
const FILES: [&str; 4] = ["HEAD", "config", "description", "packed-refs"];

/// What was copied.
pub(super) struct Copied {
    /// The commit at the head of the branch.
    pub(super) head: Option<String>,
    /// How many answers it has.
    pub(super) answers: usize,
}

/// Copies it and reads every answer of the copy.
pub(super) async fn copy(from: &Path, to: &Path, branch: &str) -> anyhow::Result<Copied> {
    for _ in 0..MOST_TRIES {
        match all(from, to) {
            Ok(()) => return check(to, branch).await,
            Err(error) if error.kind() == ErrorKind::NotFound && from.join("HEAD").exists() => {
                fs::remove_dir_all(to).with_context(|| format!("{} cannot be removed", to.display()))?;
            }
            Err(error) => return Err(error).with_context(|| format!("answers.url: {} cannot be copied", from.display())),
        }
    }
    bail!("answers.url: {} is being rearranged all the time; make the backup when no `git gc` runs", from.display())
}

fn all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for name in FILES {
        match fs::copy(from.join(name), to.join(name)) {
            Err(error) if error.kind() == ErrorKind::NotFound && name != "HEAD" => {}
            other => {
                other?;
            }
        }
    }
    folder(&from.join("refs"), &to.join("refs"))?;
    let objects = (from.join("objects"), to.join("objects"));
    fs::create_dir(&objects.1)?;
    let mut names: Vec<_> = fs::read_dir(&objects.0)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    // Folders of loose objects have two letters, `info` and `pack` more.
    names.sort_by_key(|name| (name.len(), name.clone()));
    for name in names {
        folder(&objects.0.join(&name), &objects.1.join(&name))?;
    }
    flush(to)
}

/// A folder with everything in it that is not being written or locked.
fn folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text.starts_with("tmp_") || text.ends_with(".lock") {
            continue;
        }
        let to = to.join(&name);
        if entry.file_type()?.is_dir() {
            folder(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}

fn flush(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { flush(&entry.path())? } else { File::open(entry.path())?.sync_all()? }
    }
    File::open(folder)?.sync_all()
}

/// A copy that cannot be read is none.
async fn check(copy: &Path, branch: &str) -> anyhow::Result<Copied> {
    let keeper = pager_answers::open(&KeeperSettings::local(format!("file:{}", copy.display()), branch)).await?;
    let ids = keeper.list().await?;
    for id in &ids {
        let path = AnswerPath::new(id).with_context(|| format!("the answer {id:?} cannot be read"))?;
        if keeper.read(&path).await?.is_none() {
            bail!("the copy of the answers repository lacks {id}; make the backup again");
        }
    }
    Ok(Copied { head: keeper.head().await?, answers: ids.len() })
}
