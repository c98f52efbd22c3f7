//! Commits that bring no answer. The archive's: a tree names the same objects in another place, and no bytes are sent. And
//! the proof's, which changes no file.

use gix::ObjectId;

use super::contents::Contents;
use super::saver::{Saver, may_try_again};
use super::verdict::Verdict;
use crate::AnswerPath;

impl Saver {
    /// Moves a batch; what is not in `answers/`, or lies in the archive with other bytes, stays as it is.
    pub(super) async fn archive(&mut self, paths: &[AnswerPath]) -> Result<(), Verdict> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            match self.try_archive(paths).await {
                Err(verdict) if may_try_again(&verdict, attempt) => self.pause(attempt).await,
                outcome => return outcome,
            }
        }
    }

    /// Makes a commit that changes no file.
    pub(super) async fn prove(&mut self) -> Result<String, Verdict> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let (_, base) = self.base().await?;
            match self.committer().prove(&base).await {
                Err(verdict) if may_try_again(&verdict, attempt) => self.pause(attempt).await,
                Err(verdict) => return Err(verdict),
                Ok(written) => {
                    self.watch.archived(&written, &[]);
                    return Ok(written.commit.to_string());
                }
            }
        }
    }

    async fn try_archive(&mut self, paths: &[AnswerPath]) -> Result<(), Verdict> {
        let (_, base) = self.base().await?;
        let moved = movable(&base, paths);
        if moved.is_empty() {
            return Ok(());
        }
        let written = self.committer().archive(&base, &moved).await?;
        self.watch.archived(&written, &moved);
        Ok(())
    }
}

fn movable(base: &Contents, paths: &[AnswerPath]) -> Vec<(AnswerPath, ObjectId)> {
    let mut moved: Vec<(AnswerPath, ObjectId)> = Vec::new();
    for path in paths {
        let Some(blob) = base.answers.files.get(path.id()) else { continue };
        let is_free = base.archived(path).is_none_or(|there| there == *blob);
        if is_free && !moved.iter().any(|(other, _)| other == path) {
            moved.push((path.clone(), *blob));
        }
    }
    moved
}
