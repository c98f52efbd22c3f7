//! The one task that writes. Answers that come while a commit is under way go together into the next one.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::entries::of_saved;
use super::saver::Saver;
use super::verdict::Verdict;
use crate::{AnswerFile, AnswerPath, SaveOutcome};

/// The most answers in one commit, unless a single batch is larger.
const MOST_AT_ONCE: usize = 256;
/// And the most bytes: a commit is one request.
const MOST_BYTES: usize = 4 << 20;

/// The way to the writing task, which ends once this is dropped and what was asked for is done.
pub(super) struct Writer {
    jobs: mpsc::UnboundedSender<Job>,
}

enum Job {
    Save(Vec<AnswerFile>, oneshot::Sender<Vec<SaveOutcome>>),
    Archive(Vec<AnswerPath>, oneshot::Sender<Result<(), Verdict>>),
    Prove(oneshot::Sender<Result<String, Verdict>>),
    Begin(oneshot::Sender<Result<(), Verdict>>),
}

impl Job {
    /// Nobody waits for it any more: whoever asked for it gave up, and asks again if it is still wanted.
    fn is_abandoned(&self) -> bool {
        match self {
            Self::Save(_, reply) => reply.is_closed(),
            Self::Archive(_, reply) | Self::Begin(reply) => reply.is_closed(),
            Self::Prove(reply) => reply.is_closed(),
        }
    }
}

type Saves = Vec<(Vec<AnswerFile>, oneshot::Sender<Vec<SaveOutcome>>)>;

impl Writer {
    pub(super) fn start(saver: Saver) -> Self {
        let (jobs, queue) = mpsc::unbounded_channel();
        tokio::spawn(run(saver, queue));
        Self { jobs }
    }

    /// Saves a batch.
    pub(super) async fn save(&self, batch: Vec<AnswerFile>) -> Vec<SaveOutcome> {
        let count = batch.len();
        let (reply, outcomes) = oneshot::channel();
        let ended = || vec![SaveOutcome::from(has_ended()); count];
        if self.jobs.send(Job::Save(batch, reply)).is_err() {
            return ended();
        }
        outcomes.await.unwrap_or_else(|_| ended())
    }

    /// Moves a batch to the archive.
    pub(super) async fn archive(&self, batch: Vec<AnswerPath>) -> Result<(), Verdict> {
        self.ask(|reply| Job::Archive(batch, reply)).await
    }

    /// Makes the branch when there is none.
    pub(super) async fn begin(&self) -> Result<(), Verdict> {
        self.ask(Job::Begin).await
    }

    /// Makes a commit that changes no file.
    pub(super) async fn prove(&self) -> Result<String, Verdict> {
        self.ask(Job::Prove).await
    }

    async fn ask<Done>(&self, job: impl FnOnce(oneshot::Sender<Result<Done, Verdict>>) -> Job) -> Result<Done, Verdict> {
        let (reply, outcome) = oneshot::channel();
        self.jobs.send(job(reply)).map_err(|_| has_ended())?;
        outcome.await.map_err(|_| has_ended())?
    }
}

fn has_ended() -> Verdict {
    Verdict::Unknown("the writing task has ended; restart the service".to_owned())
}

async fn run(mut saver: Saver, mut queue: mpsc::UnboundedReceiver<Job>) {
    let mut next = None;
    loop {
        let Some(job) = (match next.take() {
            Some(job) => Some(job),
            None => queue.recv().await,
        }) else {
            return;
        };
        if job.is_abandoned() {
            continue;
        }
        match job {
            Job::Save(batch, reply) => {
                let mut saves = vec![(batch, reply)];
                next = gather(&mut saves, &mut queue);
                save(&mut saver, saves).await;
            }
            Job::Archive(batch, reply) => {
                // Whoever no longer waits learns it from the repository.
                let _ = reply.send(saver.archive(&batch).await);
            }
            Job::Prove(reply) => {
                let _ = reply.send(saver.prove().await);
            }
            Job::Begin(reply) => {
                let _ = reply.send(saver.begin().await);
            }
        }
    }
}

/// Takes what waits behind the first save, up to the first job of another kind, which it returns.
fn gather(saves: &mut Saves, queue: &mut mpsc::UnboundedReceiver<Job>) -> Option<Job> {
    let size = |batch: &[AnswerFile]| batch.iter().map(|file| file.bytes.len()).sum::<usize>();
    let mut count = saves.iter().map(|(batch, _)| batch.len()).sum::<usize>();
    let mut bytes = saves.iter().map(|(batch, _)| size(batch)).sum::<usize>();
    while count < MOST_AT_ONCE && bytes < MOST_BYTES {
        match queue.try_recv().ok()? {
            job if job.is_abandoned() => {}
            Job::Save(batch, reply) => {
                count += batch.len();
                bytes += size(&batch);
                saves.push((batch, reply));
            }
            other => return Some(other),
        }
    }
    None
}

async fn save(saver: &mut Saver, saves: Saves) {
    let (batches, replies): (Vec<_>, Vec<_>) = saves.into_iter().unzip();
    let counts: Vec<usize> = batches.iter().map(Vec::len).collect();
    let files: Vec<Arc<AnswerFile>> = batches.into_iter().flatten().map(Arc::new).collect();
    let outcomes = saver.save(&files).await;
    let entries = of_saved(files.iter().map(|file| &**file), &outcomes);
    let mut outcomes = outcomes.into_iter();
    for (reply, count) in replies.into_iter().zip(counts) {
        let _ = reply.send(outcomes.by_ref().take(count).collect());
    }
    // Nobody waits for these.
    saver.enter(entries).await;
}
