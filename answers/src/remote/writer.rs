//! The one task that writes. Answers that come while a push is under way go together into the next one.

use tokio::sync::{mpsc, oneshot};

use super::committer::Committer;
use crate::{AnswerFile, AnswerPath, SaveOutcome, git::GitFailure};

/// The most answers in one commit, unless a single batch is larger.
const MOST_AT_ONCE: usize = 500;

/// The way to the writing task, which ends once this is dropped and what was asked for is done.
pub(super) struct Writer {
    jobs: mpsc::UnboundedSender<Job>,
}

type Reply<Done> = oneshot::Sender<Result<Done, GitFailure>>;

enum Job {
    Save(Vec<AnswerFile>, oneshot::Sender<Vec<SaveOutcome>>),
    Archive(Vec<AnswerPath>, Reply<()>),
    Check(Reply<()>),
    Prove(Reply<String>),
    Begin(Reply<()>),
}

impl Job {
    /// Nobody waits for it any more: whoever asked for it gave up, and asks again if it is still wanted.
    fn is_abandoned(&self) -> bool {
        match self {
            Self::Save(_, reply) => reply.is_closed(),
            Self::Archive(_, reply) | Self::Check(reply) | Self::Begin(reply) => reply.is_closed(),
            Self::Prove(reply) => reply.is_closed(),
        }
    }
}

impl Writer {
    /// Starts the task.
    pub(super) fn start(committer: Committer) -> Self {
        let (jobs, queue) = mpsc::unbounded_channel();
        tokio::spawn(run(committer, queue));
        Self { jobs }
    }

    /// Saves a batch.
    pub(super) async fn save(&self, batch: Vec<AnswerFile>) -> Vec<SaveOutcome> {
        let ended = vec![SaveOutcome::Unknown { reason: "the writing task has ended".to_owned(), pause: None }; batch.len()];
        let (reply, outcomes) = oneshot::channel();
        if self.jobs.send(Job::Save(batch, reply)).is_err() {
            return ended;
        }
        outcomes.await.unwrap_or(ended)
    }

    /// Moves a batch to the archive.
    pub(super) async fn archive(&self, batch: Vec<AnswerPath>) -> Result<(), GitFailure> {
        self.ask(|reply| Job::Archive(batch, reply)).await
    }

    /// Tries whether a save would work.
    pub(super) async fn check(&self) -> Result<(), GitFailure> {
        self.ask(Job::Check).await
    }

    /// Makes a commit that changes no file.
    pub(super) async fn prove(&self) -> Result<String, GitFailure> {
        self.ask(Job::Prove).await
    }

    /// Reaches for the remote, and begins the branch when there is none.
    pub(super) async fn begin(&self) -> Result<(), GitFailure> {
        self.ask(Job::Begin).await
    }

    async fn ask<Done>(&self, job: impl FnOnce(Reply<Done>) -> Job) -> Result<Done, GitFailure> {
        let ended = || GitFailure::Unknown("the writing task has ended".to_owned());
        let (reply, outcome) = oneshot::channel();
        self.jobs.send(job(reply)).map_err(|_| ended())?;
        outcome.await.map_err(|_| ended())?
    }
}

async fn run(mut committer: Committer, mut queue: mpsc::UnboundedReceiver<Job>) {
    while let Some(first) = queue.recv().await {
        let mut files = Vec::new();
        let mut replies = Vec::new();
        let mut others = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                abandoned if abandoned.is_abandoned() => {}
                Job::Save(batch, reply) => {
                    replies.push((batch.len(), reply));
                    files.extend(batch);
                }
                other => others.push(other),
            }
            next = if files.len() < MOST_AT_ONCE { queue.try_recv().ok() } else { None };
        }
        if !replies.is_empty() {
            let mut outcomes = committer.save(&files).await.into_iter();
            for (count, reply) in replies {
                // Whoever no longer waits learns it from the repository.
                let _ = reply.send(outcomes.by_ref().take(count).collect());
            }
        }
        for job in others {
            let _ = match job {
                Job::Archive(batch, reply) => reply.send(committer.archive(&batch).await).is_ok(),
                Job::Check(reply) => reply.send(committer.check().await).is_ok(),
                Job::Prove(reply) => reply.send(committer.prove().await).is_ok(),
                Job::Begin(reply) => reply.send(committer.begin().await).is_ok(),
                Job::Save(..) => true,
            };
        }
        if queue.is_empty() {
            committer.tidy().await;
        }
    }
}
