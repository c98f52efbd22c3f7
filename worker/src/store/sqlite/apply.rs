//! Writes as statements. The first write of a list may be a guard that refuses; later guards undo the list.

use pager_questions::view::state_name;
use pager_questions::{Incarnation, Record, Time};
use sqlx::sqlite::SqliteConnection;

use super::control;
use super::dispatches;
use super::rows::{job_kind, record_text, request_text};
use crate::store::{StoreError, Stored, Write};

/// Stores one list. `Err` is the database's trouble; the inner one is a guard's refusal, and then nothing of the list stays.
pub(super) async fn list(connection: &mut SqliteConnection, writes: &[Write]) -> Result<Stored<()>, sqlx::Error> {
    // A guard that comes first refuses before anything was written, and a token is checked by reading alone: only a
    // guard behind a write needs a savepoint.
    let needs_savepoint = writes.iter().skip_while(|write| matches!(write, Write::RequireToken(_))).skip(1).any(is_guard);
    if needs_savepoint {
        sqlx::query("SAVEPOINT list").execute(&mut *connection).await?;
    }
    let mut refused = None;
    for write in writes {
        if let Err(refusal) = one(connection, write).await? {
            refused = Some(refusal);
            break;
        }
    }
    if needs_savepoint {
        if refused.is_some() {
            sqlx::query("ROLLBACK TO list").execute(&mut *connection).await?;
        }
        sqlx::query("RELEASE list").execute(&mut *connection).await?;
    }
    Ok(refused.map_or(Ok(()), Err))
}

/// Can it refuse the list that it is in?
pub(super) fn is_guard(write: &Write) -> bool {
    match write {
        Write::RequireToken(_)
        | Write::Create { .. }
        | Write::Change { .. }
        | Write::Receive(_)
        | Write::HandleEvent(_)
        | Write::UseProof { .. }
        | Write::SpendLoginLink { .. } => true,
        Write::Handled { .. }
        | Write::Poison { .. }
        | Write::ForgetUpdates { .. }
        | Write::AddRequest { .. }
        | Write::RememberWithdrawal(_)
        | Write::ForgetEvents { .. }
        | Write::AddJob(_)
        | Write::Attempt { .. }
        | Write::Retry { .. }
        | Write::FinishJob { .. }
        | Write::FailJob { .. }
        | Write::Park { .. }
        | Write::Unpark { .. }
        | Write::KeepEventFile(_)
        | Write::ForgetEventFile { .. }
        | Write::AddDispatch(_)
        | Write::RetryDispatch { .. }
        | Write::SetAsideDispatch { .. }
        | Write::FinishDispatch { .. }
        | Write::FailDispatch { .. }
        | Write::SetPlace(_)
        | Write::ForgetPlace(_)
        | Write::ForgetChat
        | Write::AddToken(_)
        | Write::RevokeToken { .. }
        | Write::AddLoginLink(_)
        | Write::AddSession(_)
        | Write::ForgetLogins { .. }
        | Write::EndSession { .. }
        | Write::Keep { .. } => false,
    }
}

async fn one(connection: &mut SqliteConnection, write: &Write) -> Result<Stored<()>, sqlx::Error> {
    let guarded = |rows: u64| if rows == 0 { Err(StoreError::Conflict) } else { Ok(()) };
    let query = match write {
        Write::RequireToken(id) => {
            let valid: Option<i64> = sqlx::query_scalar("SELECT 1 FROM tokens WHERE id = ? AND revoked_at IS NULL")
                .bind(id)
                .fetch_optional(connection)
                .await?;
            return Ok(valid.map(|_| ()).ok_or(StoreError::Revoked));
        }
        Write::Create { record, fingerprint, is_unnamed } => return create(connection, record, fingerprint, *is_unnamed).await,
        Write::Change { record, from } => {
            let query = sqlx::query(
                "UPDATE questions SET state = ?, ended_at = ?, revision = ?, record = ? WHERE incarnation = ? AND revision = ?",
            );
            let query =
                query.bind(state_name(&record.state)).bind(record.ended_at().map(Time::as_millis)).bind(number(record.revision));
            let query = query.bind(record_text(record)).bind(record.question.incarnation.as_str()).bind(number(*from));
            return Ok(guarded(query.execute(connection).await?.rows_affected()));
        }
        Write::Receive(update) => {
            let query = sqlx::query(
                "INSERT INTO updates (id, received_at, body, state) VALUES (?, ?, ?, 'new') ON CONFLICT (id) DO NOTHING",
            );
            let query = query.bind(update.id).bind(update.received_at.as_millis()).bind(&update.body);
            return Ok(guarded(query.execute(connection).await?.rows_affected()));
        }
        Write::SpendLoginLink { hash } => {
            let query = sqlx::query("UPDATE login_links SET spent = 1 WHERE hash = ? AND spent = 0").bind(hash);
            return Ok(guarded(query.execute(connection).await?.rows_affected()));
        }
        Write::HandleEvent(event) => return Ok(guarded(control::handle(connection, event).await?)),
        Write::UseProof { proof, event, at } => return Ok(guarded(control::use_proof(connection, proof, event, *at).await?)),
        Write::RememberWithdrawal(withdrawal) => return control::remember(connection, withdrawal).await.map(Ok),
        Write::ForgetEvents { before, withdrawals_before } => {
            return control::forget(connection, *before, *withdrawals_before).await.map(Ok);
        }
        Write::Handled { update } => sqlx::query("UPDATE updates SET state = 'handled' WHERE id = ?").bind(update),
        Write::Poison { update, tries, aside } => sqlx::query("UPDATE updates SET tries = ?, state = ? WHERE id = ?")
            .bind(tries)
            .bind(if *aside { "aside" } else { "new" })
            .bind(update),
        Write::ForgetUpdates { before } => {
            sqlx::query("DELETE FROM updates WHERE state = 'handled' AND received_at < ?").bind(before.as_millis())
        }
        Write::AddRequest { request, origin } => {
            sqlx::query("INSERT INTO requests (id, origin, at, request) VALUES (?, ?, ?, ?) ON CONFLICT (origin) DO NOTHING")
                .bind(&request.id)
                .bind(origin)
                .bind(request.at.as_millis())
                .bind(request_text(request))
        }
        Write::AddJob(job) => sqlx::query(
            "INSERT INTO jobs (id, incarnation, kind, class, state, due_at, made_at, attempts) VALUES (?, ?, ?, ?, ?, ?6, ?6, ?7) \
             ON CONFLICT (id) DO NOTHING",
        )
        .bind(&job.id)
        .bind(job.incarnation.as_ref().map_or("", Incarnation::as_str))
        .bind(job_kind(job))
        .bind(job.class)
        .bind(job.state.as_str())
        .bind(job.due_at.as_millis())
        .bind(job.attempts),
        Write::Attempt { job } => {
            sqlx::query("UPDATE jobs SET state = 'attempting', attempts = attempts + 1 WHERE id = ?").bind(job)
        }
        Write::Retry { job, due_at, attempts } => {
            sqlx::query("UPDATE jobs SET state = 'waiting', due_at = ?, attempts = ? WHERE id = ?")
                .bind(due_at.as_millis())
                .bind(attempts)
                .bind(job)
        }
        Write::FinishJob { job } => sqlx::query("DELETE FROM jobs WHERE id = ?").bind(job),
        Write::FailJob { job, reason } => {
            sqlx::query("UPDATE jobs SET state = 'failed', reason = ? WHERE id = ?").bind(reason).bind(job)
        }
        Write::Park { job, reason } => {
            sqlx::query("UPDATE jobs SET state = 'parked', reason = ? WHERE id = ?").bind(reason).bind(job)
        }
        Write::Unpark { due_at } => {
            sqlx::query("UPDATE jobs SET state = 'waiting', reason = NULL, due_at = ? WHERE state = 'parked'")
                .bind(due_at.as_millis())
        }
        Write::KeepEventFile(file) => sqlx::query(
            "INSERT INTO event_files (name, content, is_refused) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE \
             SET content = excluded.content, is_refused = excluded.is_refused",
        )
        .bind(&file.name)
        .bind(&file.content)
        .bind(file.is_refused),
        Write::ForgetEventFile { name } => sqlx::query("DELETE FROM event_files WHERE name = ?").bind(name),
        Write::AddDispatch(dispatch) => dispatches::add(dispatch),
        Write::RetryDispatch { id, due_at, attempts } => dispatches::retry(id, *due_at, *attempts),
        Write::SetAsideDispatch { id, due_at, attempts } => dispatches::set_aside(id, *due_at, *attempts),
        Write::FinishDispatch { id } => dispatches::finish(id),
        Write::FailDispatch { id, reason } => dispatches::fail(id, reason),
        Write::ForgetPlace(place) => {
            sqlx::query("DELETE FROM places WHERE incarnation = ?1 AND chat = ?2 AND thread = ?3 AND (?4 = 0 OR message = ?4)")
                .bind(place.incarnation.as_str())
                .bind(place.chat)
                .bind(place.thread)
                .bind(place.message)
        }
        Write::ForgetChat => {
            sqlx::query("DELETE FROM places").execute(&mut *connection).await?;
            sqlx::query("DELETE FROM jobs")
        }
        Write::SetPlace(place) => {
            if place.message != 0 {
                let query = sqlx::query("DELETE FROM places WHERE incarnation = ? AND chat = ? AND thread = ? AND message = 0");
                let query = query.bind(place.incarnation.as_str()).bind(place.chat).bind(place.thread);
                query.execute(&mut *connection).await?;
            }
            sqlx::query("INSERT INTO places (incarnation, chat, thread, message) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
                .bind(place.incarnation.as_str())
                .bind(place.chat)
                .bind(place.thread)
                .bind(place.message)
        }
        Write::AddToken(token) => {
            sqlx::query("INSERT INTO tokens (id, name, role, hash, created_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?)")
                .bind(&token.id)
                .bind(&token.name)
                .bind(token.role.as_str())
                .bind(&token.hash)
                .bind(token.created_at.as_millis())
                .bind(token.revoked_at.map(Time::as_millis))
        }
        Write::RevokeToken { id, at } => {
            sqlx::query("UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL").bind(at.as_millis()).bind(id)
        }
        Write::AddLoginLink(link) => sqlx::query("INSERT INTO login_links (hash, token, expires_at) VALUES (?, ?, ?)")
            .bind(&link.hash)
            .bind(&link.token)
            .bind(link.expires_at.as_millis()),
        Write::AddSession(session) => sqlx::query("INSERT INTO sessions (hash, token, csrf, expires_at) VALUES (?, ?, ?, ?)")
            .bind(&session.hash)
            .bind(&session.token)
            .bind(&session.csrf)
            .bind(session.expires_at.as_millis()),
        Write::ForgetLogins { before } => {
            let links = sqlx::query("DELETE FROM login_links WHERE expires_at <= ?").bind(before.as_millis());
            links.execute(&mut *connection).await?;
            sqlx::query("DELETE FROM sessions WHERE expires_at <= ?").bind(before.as_millis())
        }
        Write::EndSession { hash } => sqlx::query("DELETE FROM sessions WHERE hash = ?").bind(hash),
        Write::Keep { name, value } => {
            sqlx::query("INSERT INTO kept (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
                .bind(name)
                .bind(value)
        }
    };
    query.execute(connection).await?;
    Ok(Ok(()))
}

async fn create(
    connection: &mut SqliteConnection,
    record: &Record,
    fingerprint: &str,
    is_unnamed: bool,
) -> Result<Stored<()>, sqlx::Error> {
    let question = &record.question;
    let used = sqlx::query("INSERT INTO used_ids (id) VALUES (?) ON CONFLICT DO NOTHING").bind(question.id.as_str());
    if used.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(Err(StoreError::Conflict));
    }
    let insert = sqlx::query(
        "INSERT INTO questions \
         (id, incarnation, agent, publication, fingerprint, is_unnamed, state, hard, asked_at, revision, record) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
    let insert = insert.bind(question.id.as_str()).bind(question.incarnation.as_str()).bind(question.source.agent.as_str());
    let insert = insert.bind(question.publication_id.as_deref()).bind(fingerprint).bind(is_unnamed);
    let insert = insert
        .bind(state_name(&record.state))
        .bind(question.is_hard_to_reverse())
        .bind(question.asked_at.as_millis())
        .bind(number(record.revision));
    if insert.bind(record_text(record)).execute(&mut *connection).await?.rows_affected() == 1 {
        return Ok(Ok(()));
    }
    // The publication is taken: the id was marked used a moment ago, by this list alone.
    sqlx::query("DELETE FROM used_ids WHERE id = ?").bind(question.id.as_str()).execute(connection).await?;
    Ok(Err(StoreError::Conflict))
}

fn number(revision: u64) -> i64 {
    i64::try_from(revision).unwrap_or(i64::MAX)
}
