//! The one thread that writes. Answers that come while a commit is under way go together into the next one.

use std::thread;

use tokio::sync::{mpsc, oneshot};

use super::{commit::Committer, failure::Failure};
use crate::{AnswerFile, AnswerPath, SaveOutcome};

/// The most answers in one commit, unless a single batch is larger.
const MOST_AT_ONCE: usize = 500;

/// The way to the writing thread, which ends once this is dropped and what was asked for is done.
pub(super) struct Writer {
    jobs: mpsc::UnboundedSender<Job>,
}

enum Job {
    Save(Vec<AnswerFile>, oneshot::Sender<Vec<SaveOutcome>>),
    Archive(Vec<AnswerPath>, oneshot::Sender<Result<(), Failure>>),
    Prove(oneshot::Sender<Result<String, Failure>>),
    Check(oneshot::Sender<Result<(), Failure>>),
}

impl Job {
    /// Nobody waits for it any more: whoever asked for it gave up, and asks again if it is still wanted.
    fn is_abandoned(&self) -> bool {
        match self {
            Self::Save(_, reply) => reply.is_closed(),
            Self::Archive(_, reply) | Self::Check(reply) => reply.is_closed(),
            Self::Prove(reply) => reply.is_closed(),
        }
    }
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(committer: Committer) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::unbounded_channel();
        thread::Builder::new().name("answers-writer".to_owned()).spawn(move || run(committer, queue))?;
        Ok(Self { jobs })
    }

    /// Saves a batch.
    pub(super) async fn save(&self, batch: Vec<AnswerFile>) -> Vec<SaveOutcome> {
        let count = batch.len();
        let (reply, outcomes) = oneshot::channel();
        if self.jobs.send(Job::Save(batch, reply)).is_err() {
            return vec![Failure::Refused("the writing thread has ended; restart the service".to_owned()).into(); count];
        }
        let ended = || vec![Failure::Unknown("the writing thread ended while it saved".to_owned()).into(); count];
        outcomes.await.unwrap_or_else(|_| ended())
    }

    /// Moves a batch to the archive.
    pub(super) async fn archive(&self, batch: Vec<AnswerPath>) -> Result<(), Failure> {
        self.ask(|reply| Job::Archive(batch, reply)).await
    }

    /// Tries whether a save would work.
    pub(super) async fn check(&self) -> Result<(), Failure> {
        self.ask(Job::Check).await
    }

    /// Makes a commit that changes no file.
    pub(super) async fn prove(&self) -> Result<String, Failure> {
        self.ask(Job::Prove).await
    }

    async fn ask<Done>(&self, job: impl FnOnce(oneshot::Sender<Result<Done, Failure>>) -> Job) -> Result<Done, Failure> {
        let ended = || Failure::Refused("the writing thread has ended; restart the service".to_owned());
        let (reply, outcome) = oneshot::channel();
        self.jobs.send(job(reply)).map_err(|_| ended())?;
        outcome.await.map_err(|_| ended())?
    }
}

fn run(mut committer: Committer, mut queue: mpsc::UnboundedReceiver<Job>) {
    while let Some(first) = queue.blocking_recv() {
        let mut saves = Vec::new();
        let mut others = Vec::new();
        let mut count = 0;
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                abandoned if abandoned.is_abandoned() => {}
                Job::Save(batch, reply) => {
                    count += batch.len();
                    saves.push((batch, reply));
                }
                other => others.push(other),
            }
            next = if count < MOST_AT_ONCE { queue.try_recv().ok() } else { None };
        }
        let files: Vec<&AnswerFile> = saves.iter().flat_map(|(batch, _)| batch).collect();
        let mut outcomes = if files.is_empty() { Vec::new() } else { committer.save(&files) }.into_iter();
        for (batch, reply) in saves {
            // Whoever no longer waits learns it from the repository.
            let _ = reply.send(outcomes.by_ref().take(batch.len()).collect());
        }
        for job in others {
            let _ = match job {
                Job::Archive(batch, reply) => reply.send(committer.archive(&batch)).is_ok(),
                Job::Check(reply) => reply.send(committer.check()).is_ok(),
                Job::Prove(reply) => reply.send(committer.prove()).is_ok(),
                Job::Save(..) => true,
            };
        }
    }
}
