//! Where questions are shown, as statements.

use sqlx::sqlite::SqliteConnection;

use super::apply::Statement;
use crate::store::Place;

/// A message takes the place of the topic that had none.
pub(super) async fn set(connection: &mut SqliteConnection, place: &Place) -> Result<(), sqlx::Error> {
    if place.message != 0 {
        let query = sqlx::query("DELETE FROM places WHERE incarnation = ? AND chat = ? AND thread = ? AND message = 0");
        let query = query.bind(place.incarnation.as_str()).bind(place.chat).bind(place.thread);
        query.execute(&mut *connection).await?;
    }
    let query = sqlx::query("INSERT INTO places (incarnation, chat, thread, message) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
    let query = query.bind(place.incarnation.as_str()).bind(place.chat).bind(place.thread).bind(place.message);
    query.execute(connection).await.map(|_| ())
}

pub(super) fn forget(place: &Place) -> Statement<'_> {
    let query =
        sqlx::query("DELETE FROM places WHERE incarnation = ?1 AND chat = ?2 AND thread = ?3 AND (?4 = 0 OR message = ?4)");
    query.bind(place.incarnation.as_str()).bind(place.chat).bind(place.thread).bind(place.message)
}

/// Every place, and every job with it.
pub(super) async fn forget_chat(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM places").execute(&mut *connection).await?;
    sqlx::query("DELETE FROM jobs").execute(connection).await.map(|_| ())
}
