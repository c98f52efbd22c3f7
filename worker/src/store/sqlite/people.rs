//! Tokens, login links and sessions, as statements.

use pager_questions::Time;
use sqlx::sqlite::SqliteConnection;

use super::apply::Statement;
use crate::store::{LoginLink, Session, Token};

pub(super) async fn is_valid(connection: &mut SqliteConnection, token: &str) -> Result<bool, sqlx::Error> {
    let query = sqlx::query_scalar("SELECT 1 FROM tokens WHERE id = ? AND revoked_at IS NULL").bind(token);
    let valid: Option<i64> = query.fetch_optional(connection).await?;
    Ok(valid.is_some())
}

pub(super) fn add_token(token: &Token) -> Statement<'_> {
    let query = sqlx::query("INSERT INTO tokens (id, name, role, hash, created_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?)");
    let query = query.bind(&token.id).bind(&token.name).bind(token.role.as_str()).bind(&token.hash);
    query.bind(token.created_at.as_millis()).bind(token.revoked_at.map(Time::as_millis))
}

pub(super) fn revoke_token(id: &str, at: Time) -> Statement<'_> {
    sqlx::query("UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL").bind(at.as_millis()).bind(id)
}

pub(super) fn add_login_link(link: &LoginLink) -> Statement<'_> {
    let query = sqlx::query("INSERT INTO login_links (hash, token, expires_at) VALUES (?, ?, ?)");
    query.bind(&link.hash).bind(&link.token).bind(link.expires_at.as_millis())
}

/// How many rows that changed: none when it was spent before.
pub(super) async fn spend_login_link(connection: &mut SqliteConnection, hash: &str) -> Result<u64, sqlx::Error> {
    let query = sqlx::query("UPDATE login_links SET spent = 1 WHERE hash = ? AND spent = 0").bind(hash);
    Ok(query.execute(connection).await?.rows_affected())
}

pub(super) fn add_session(session: &Session) -> Statement<'_> {
    let query = sqlx::query("INSERT INTO sessions (hash, token, csrf, expires_at) VALUES (?, ?, ?, ?)");
    query.bind(&session.hash).bind(&session.token).bind(&session.csrf).bind(session.expires_at.as_millis())
}

pub(super) fn end_session(hash: &str) -> Statement<'_> {
    sqlx::query("DELETE FROM sessions WHERE hash = ?").bind(hash)
}

pub(super) async fn forget_logins(connection: &mut SqliteConnection, before: Time) -> Result<(), sqlx::Error> {
    let links = sqlx::query("DELETE FROM login_links WHERE expires_at <= ?").bind(before.as_millis());
    links.execute(&mut *connection).await?;
    let sessions = sqlx::query("DELETE FROM sessions WHERE expires_at <= ?").bind(before.as_millis());
    sessions.execute(connection).await.map(|_| ())
}
