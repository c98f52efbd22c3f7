//! The least that an answer can cost: one flushed row in a bare database, and one save in a bare answers repository.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::ensure;
use pager_answers::{AnswerFile, AnswerPath, BareRepository, Keeper, SaveOutcome};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, query};
use tempfile::TempDir;

/// The bytes of a usual record and a usual answer.
const USUAL: usize = 700;

/// A database and a repository of their own, with the same flush settings as the service's.
pub struct Floor {
    database: Database,
    keeper: BareRepository,
    count: usize,
    _folder: TempDir,
}

impl Floor {
    /// Makes them on this disk.
    pub async fn new(on: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir_in(on)?;
        let database = Database::new(folder.path()).await?;
        let keeper = BareRepository::open(&folder.path().join("answers.git"), "main")?;
        Ok(Self { database, keeper, count: 0, _folder: folder })
    }

    /// One insert, then one save.
    pub async fn once(&mut self) -> anyhow::Result<Duration> {
        self.count += 1;
        let id = format!("floor-{}", self.count);
        let answer = AnswerFile { path: AnswerPath::new(&id)?, bytes: text(&id, USUAL).into_bytes(), message: id, beside: None };
        let began = Instant::now();
        self.database.insert(1, USUAL).await?;
        let saved = self.keeper.save(vec![answer]).await;
        let took = began.elapsed();
        ensure!(matches!(saved.as_slice(), [SaveOutcome::Saved { .. }]), "{saved:?}");
        Ok(took)
    }
}

/// A bare database: rows and nothing else.
pub struct Database {
    connection: SqliteConnection,
    count: usize,
}

impl Database {
    /// Makes one in this folder.
    pub async fn new(folder: &Path) -> anyhow::Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(folder.join("bare.sqlite"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .disable_statement_logging();
        let mut connection = SqliteConnection::connect_with(&options).await?;
        query("CREATE TABLE bare (id TEXT PRIMARY KEY, record TEXT NOT NULL)").execute(&mut connection).await?;
        Ok(Self { connection, count: 0 })
    }

    /// Inserts so many rows of this size in one flushed transaction.
    pub async fn insert(&mut self, rows: usize, bytes: usize) -> anyhow::Result<()> {
        query("BEGIN IMMEDIATE").execute(&mut self.connection).await?;
        for _ in 0..rows {
            self.count += 1;
            let id = format!("bare-{}", self.count);
            let row = text(&id, bytes);
            query("INSERT INTO bare (id, record) VALUES (?, ?)").bind(id).bind(row).execute(&mut self.connection).await?;
        }
        query("COMMIT").execute(&mut self.connection).await?;
        Ok(())
    }
}

fn text(id: &str, bytes: usize) -> String {
    let line = format!("{{\"id\": \"{id}\"}}\n");
    line.repeat(bytes.div_ceil(line.len()))
}
