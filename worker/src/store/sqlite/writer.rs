//! The one writer. What arrives while a commit is being flushed goes into the next one together: a flush costs the
//! same for one list of writes as for a hundred.

use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot, watch};

use super::{apply, asks};
use crate::store::{StoreError, Stored, Write};

/// The most lists that share one commit: it bounds how long the first of them waits.
const MOST_TOGETHER: usize = 256;

enum Message {
    Store(Request),
    Close(oneshot::Sender<()>),
}

struct Request {
    writes: Vec<Write>,
    done: oneshot::Sender<Stored<()>>,
}

/// A handle on the writer's queue.
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
    news: watch::Receiver<u64>,
}

impl Writer {
    /// Starts the writer on this connection. It ends with its last handle.
    pub(super) fn start(connection: SqliteConnection) -> Self {
        let (queue, messages) = mpsc::channel(4096);
        let (told, news) = watch::channel(0);
        tokio::spawn(run(connection, messages, told));
        Self { queue, news }
    }

    /// Counts the commits after which there is more that happened.
    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.news.clone()
    }

    /// Stores a list of writes. When this future is dropped the list is stored all the same.
    pub(super) async fn commit(&self, writes: Vec<Write>) -> Stored<()> {
        let (done, outcome) = oneshot::channel();
        let ended = || StoreError::Unusable("its writer has ended".to_owned());
        self.queue.send(Message::Store(Request { writes, done })).await.map_err(|_| ended())?;
        outcome.await.map_err(|_| ended())?
    }

    /// Stores what was sent before, brings everything from the log into the file itself, and ends.
    pub(super) async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.queue.send(Message::Close(done)).await.is_ok() {
            let _ = closed.await;
        }
    }
}

async fn run(mut connection: SqliteConnection, mut messages: mpsc::Receiver<Message>, told: watch::Sender<u64>) {
    let mut received = Vec::with_capacity(MOST_TOGETHER);
    while messages.recv_many(&mut received, MOST_TOGETHER).await > 0 {
        let mut batch = Vec::with_capacity(received.len());
        let mut closing = None;
        for message in received.drain(..) {
            match message {
                Message::Store(request) => batch.push(request),
                Message::Close(done) => closing = Some(done),
            }
        }
        if !batch.is_empty() {
            let outcomes = together(&mut connection, &batch).await;
            let tells = |(request, outcome): (&Request, &Stored<()>)| outcome.is_ok() && request.writes.iter().any(apply::tells);
            if batch.iter().zip(&outcomes).any(tells) {
                told.send_modify(|count| *count += 1);
            }
            for (request, outcome) in batch.into_iter().zip(outcomes) {
                // Whoever asked may be gone; the writes count all the same.
                let _ = request.done.send(outcome);
            }
        }
        if let Some(done) = closing {
            close(connection).await;
            let _ = done.send(());
            return;
        }
    }
}

/// A file that is copied alone afterwards is the whole store.
async fn close(mut connection: SqliteConnection) {
    let emptied = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await;
    if let Err(error) = emptied.map(|_| ()).and(connection.close().await) {
        tracing::warn!(%error, "the store's log could not be brought into its file; the next start does it");
    }
}

async fn together(connection: &mut SqliteConnection, batch: &[Request]) -> Vec<Stored<()>> {
    match one_commit(connection, batch).await {
        Ok(outcomes) => outcomes,
        // One list broke the shared commit (a full disk, a broken row): each gets its own, so that only that one fails.
        Err(_) if batch.len() > 1 => {
            let mut outcomes = Vec::with_capacity(batch.len());
            for request in batch {
                let alone = one_commit(connection, std::slice::from_ref(request)).await;
                outcomes.push(alone.unwrap_or_else(|error| vec![Err(error.into())]).remove(0));
            }
            outcomes
        }
        Err(error) => vec![Err(error.into())],
    }
}

/// Every list in one transaction. A list whose guard refuses leaves nothing behind.
async fn one_commit(connection: &mut SqliteConnection, batch: &[Request]) -> Result<Vec<Stored<()>>, sqlx::Error> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let outcomes = all(connection, batch).await;
    if outcomes.is_err() {
        rollback(connection).await;
    }
    outcomes
}

/// Every list, and the end of the transaction.
async fn all(connection: &mut SqliteConnection, batch: &[Request]) -> Result<Vec<Stored<()>>, sqlx::Error> {
    let lists: Vec<&[Write]> = batch.iter().map(|request| request.writes.as_slice()).collect();
    let are_stored = asks::together(connection, &lists).await?;
    let mut outcomes = Vec::with_capacity(batch.len());
    for (list, is_stored) in lists.into_iter().zip(are_stored) {
        outcomes.push(if is_stored { Ok(()) } else { apply::list(connection, list).await? });
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(outcomes)
}

async fn rollback(connection: &mut SqliteConnection) {
    if let Err(error) = sqlx::query("ROLLBACK").execute(connection).await {
        tracing::error!(%error, "the store's transaction could not be rolled back");
    }
}
