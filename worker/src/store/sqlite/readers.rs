//! The connections that read. Sqlx's own pool asks a connection whether it is alive before and after each use, which
//! makes three crossings to the connection's thread out of one; a file does not go away as a server does.

use std::sync::atomic::{AtomicUsize, Ordering};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, Error};
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};

/// The most reads at once. Each connection costs a thread and a cache, once it is needed.
const MOST: usize = 4;

/// Connections that read, each made when it is first needed.
pub(super) struct Readers {
    options: SqliteConnectOptions,
    connections: [Mutex<Option<SqliteConnection>>; MOST],
    turn: AtomicUsize,
}

impl Readers {
    /// Readers whose connections will be set up like this.
    pub(super) fn new(options: SqliteConnectOptions) -> Self {
        Self { options, connections: Default::default(), turn: AtomicUsize::new(0) }
    }

    /// One of them, for one read. Whoever stops in the middle of it leaves the connection usable.
    pub(super) async fn one(&self) -> Result<MappedMutexGuard<'_, SqliteConnection>, Error> {
        let mut place = self.place().await;
        if place.is_none() {
            *place = Some(SqliteConnection::connect_with(&self.options).await?);
        }
        Ok(MutexGuard::map(place, |connection| connection.as_mut().expect("it was made above")))
    }

    /// A free place, the first ones first so that few are made; else a place in turn.
    async fn place(&self) -> MutexGuard<'_, Option<SqliteConnection>> {
        for connection in &self.connections {
            if let Ok(free) = connection.try_lock() {
                return free;
            }
        }
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        self.connections[turn % MOST].lock().await
    }
}
