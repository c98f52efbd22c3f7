//! Enters decisions once their answers are saved: one by the contents API, which creates only, several by the git database upon the
//! head that was read. An answer never waits for it, and what fails is entered by whoever finds it lacking.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gix::ObjectId;
use http::Method;
use serde_json::json;

use super::commit::written;
use super::line::Line;
use super::load;
use super::saver::{Saver, may_try_again};
use super::verdict::Verdict;
use super::watch::{Written, undecodable};
use crate::entry::{DECISIONS, Entry, EntryName};
use crate::github::{Call, Failure, segment};
use crate::{AnswerFile, SaveOutcome};

/// Of these names those that nothing has and something could.
pub(super) async fn lacking(line: &Line, root: ObjectId, names: Vec<EntryName>) -> Result<Vec<EntryName>, Failure> {
    let there = load::names_in(line, root, DECISIONS).await?;
    Ok(names.into_iter().filter(|name| there.as_ref().is_some_and(|there| !there.contains(name.file_name()))).collect())
}

/// What goes beside the answers that were saved.
pub(super) fn of_saved<'a>(files: impl Iterator<Item = &'a AnswerFile>, outcomes: &[SaveOutcome]) -> Vec<Entry> {
    let saved = files.zip(outcomes).filter(|(_, outcome)| matches!(outcome, SaveOutcome::Saved { .. }));
    let mut entries: Vec<Entry> = saved.filter_map(|(file, _)| file.beside.clone()).collect();
    entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    entries.dedup_by(|one, other| one.name == other.name);
    entries
}

impl Saver {
    /// Enters these where nothing is yet.
    pub(super) async fn enter(&mut self, entries: Vec<Entry>) {
        let mut attempt = 0;
        let entered = loop {
            attempt += 1;
            let entered = match entries.as_slice() {
                [] => return,
                [only] => self.enter_one(only).await,
                several => self.enter_several(several).await,
            };
            match entered {
                Err(verdict) if may_try_again(&verdict, attempt) => self.pause(attempt).await,
                decided => break decided,
            }
        };
        match entered {
            Ok(Some(written)) => self.watch.saved(&written, &[]),
            // One that is there already stays as it is.
            Ok(None) | Err(Verdict::There) => {}
            Err(verdict) => {
                let reason = SaveOutcome::from(verdict);
                tracing::warn!(?reason, "a decision could not be entered in the decision log; it is tried again later");
            }
        }
    }

    async fn enter_one(&mut self, entry: &Entry) -> Result<Option<Written>, Verdict> {
        let body = json!({
            "message": "enter a decision",
            "content": STANDARD.encode(&entry.bytes),
            "branch": self.branch,
        });
        let path = self.line.route(&format!("/contents/{}", segment(&entry.name.to_string())));
        let reply = self.line.write(Call::new(Method::PUT, path).body(body)).await?.json();
        Ok(Some(written(reply.get("commit")).ok_or_else(|| undecodable("a decision that it was given"))?))
    }

    async fn enter_several(&mut self, entries: &[Entry]) -> Result<Option<Written>, Verdict> {
        let (_, base) = self.base().await?;
        let lacking = lacking(&self.line, base.root, entries.iter().map(|entry| entry.name.clone()).collect()).await?;
        let new: Vec<_> = entries.iter().filter(|entry| lacking.contains(&entry.name)).collect();
        if new.is_empty() {
            return Ok(None);
        }
        let of = |entry: &&Entry| {
            let text = String::from_utf8_lossy(&entry.bytes);
            json!({ "path": entry.name.to_string(), "mode": "100644", "type": "blob", "content": text })
        };
        let words = format!("enter {} decisions", new.len());
        self.committer().commit(&base, new.iter().map(of).collect(), &words).await.map(Some)
    }
}
