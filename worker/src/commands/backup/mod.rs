//! `pagerd backup`: the store, the key and the answers repository in a new folder that can serve as a data folder. Works
//! while the service runs. The folder appears whole or not at all.

mod repository;

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::clock;
use crate::configuration::{Configuration, Flags};
use crate::store::sqlite;

/// As they are called in a data folder where nothing else is set.
const STORE: &str = "pager.sqlite";
const KEY: &str = "key";
const ANSWERS: &str = "answers.git";

/// Makes the copy.
///
/// # Errors
/// Whatever keeps it from being whole; then there is no folder.
#[expect(clippy::print_stdout, reason = "the path of the copy is this verb's output")]
pub async fn run(flags: &Flags, folder: &Path) -> anyhow::Result<()> {
    let (configuration, warnings) = Configuration::load(flags)?;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    if folder.symlink_metadata().is_ok() {
        bail!("{} is there already, and a backup is never written over another; name a new folder", folder.display());
    }
    let beside = beside(folder)?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&beside);
    made.with_context(|| format!("{} cannot be made; name a folder where this user may write", beside.display()))?;
    let outcome = match fill(&configuration, &beside).await {
        Ok(()) => std::fs::rename(&beside, folder).with_context(|| format!("{} cannot be made", folder.display())),
        Err(error) => Err(error),
    };
    if let Err(error) = outcome {
        let _ = std::fs::remove_dir_all(&beside);
        return Err(error.context("nothing was kept of the backup"));
    }
    println!("{}", folder.display());
    Ok(())
}

fn beside(folder: &Path) -> anyhow::Result<PathBuf> {
    let folder = std::path::absolute(folder).context("the folder is no path")?;
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else { bail!("name a new folder") };
    Ok(parent.join(format!(".{}.part-{}", name.display(), std::process::id())))
}

/// The store first: an answer that comes in between is then in the repository and settles its question after a restore.
async fn fill(configuration: &Configuration, folder: &Path) -> anyhow::Result<()> {
    let made_at = clock::now();
    let store = folder.join(STORE);
    sqlite::copy(&configuration.store.path, &store).await?;
    std::fs::set_permissions(&store, std::fs::Permissions::from_mode(0o600))?;
    File::open(&store)?.sync_all()?;
    let key = std::fs::read(&configuration.general.key_file)
        .with_context(|| format!("key_file: {} cannot be read", configuration.general.key_file.display()))?;
    put(&folder.join(KEY), &key)?;
    let Some(repository) = configuration.answers.keeper.url.strip_prefix("file:") else {
        bail!("answers.url: this version copies file: repositories alone; keep a clone of the other kinds");
    };
    let copied = repository::copy(Path::new(repository), &folder.join(ANSWERS), &configuration.answers.keeper.branch).await?;
    let manifest = json!({
        "made_at": made_at,
        "pagerd": env!("CARGO_PKG_VERSION"),
        "store": {"file": STORE, "sha256": digest(&store)?},
        "key": {"file": KEY},
        "answers": {"folder": ANSWERS, "branch": configuration.answers.keeper.branch, "head": copied.head, "answers": copied.answers},
    });
    put(&folder.join("manifest.json"), format!("{manifest:#}\n").as_bytes())?;
    Ok(File::open(folder)?.sync_all()?)
}

fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let put = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let put = put.and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    put.with_context(|| format!("{} cannot be written", path.display()))
}

fn digest(path: &Path) -> anyhow::Result<String> {
    let mut hash = Sha256::new();
    let mut file = File::open(path)?;
    let mut part = vec![0; 1 << 20];
    loop {
        let length = std::io::Read::read(&mut file, &mut part)?;
        if length == 0 {
            return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        hash.update(&part[..length]);
    }
}
