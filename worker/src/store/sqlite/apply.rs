//! Writes as statements: which write is which stands here, the statements in a file for each concern.
//! The first write of a list may be a guard that refuses; later guards undo the list.

use sqlx::sqlite::{SqliteArguments, SqliteConnection};

use super::{
    control, dispatches, event_files, happenings, jobs, kept, old_requests, people, places, private_answers, questions, received,
    threads, updates, used_keys, wakes, window,
};
use crate::store::{StoreError, Stored, Write};

/// One statement with its values.
pub(super) type Statement<'a> = sqlx::query::Query<'a, sqlx::Sqlite, SqliteArguments>;

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
        | Write::PublishUpdate { .. }
        | Write::MarkUpdate { .. }
        | Write::UseKey(_)
        | Write::MakeRequest { .. }
        | Write::AddReply { .. }
        | Write::ChangeWake { .. }
        | Write::Receive(_)
        | Write::HandleEvent(_)
        | Write::UseProof { .. }
        | Write::SpendLoginLink { .. } => true,
        Write::Tell(_)
        | Write::ForgetHappenings { .. }
        | Write::Handled { .. }
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
        | Write::ForgetKeys { .. }
        | Write::ForgetRecord(_)
        | Write::ForgetRequest { .. }
        | Write::AwaitPrivate(_)
        | Write::ConfirmPrivate(_)
        | Write::RegisterRunner(_)
        | Write::AddWake(_)
        | Write::SettleCauses { .. }
        | Write::AcknowledgeWake(_)
        | Write::ForgetWakes { .. }
        | Write::Keep { .. }
        | Write::ForgetKept { .. } => false,
    }
}

/// Does it leave an entry in the log of what happened?
pub(super) fn tells(write: &Write) -> bool {
    matches!(write, Write::Create { .. } | Write::Change { .. } | Write::Tell(_))
}

async fn one(connection: &mut SqliteConnection, write: &Write) -> Result<Stored<()>, sqlx::Error> {
    let guarded = |rows: u64| if rows == 0 { Err(StoreError::Conflict) } else { Ok(()) };
    let statement = match write {
        Write::RequireToken(id) => {
            let is_valid = people::is_valid(connection, id).await?;
            return Ok(if is_valid { Ok(()) } else { Err(StoreError::Revoked) });
        }
        Write::Create { record, fingerprint, is_unnamed, limits } => {
            return questions::create(connection, record, fingerprint, *is_unnamed, *limits).await;
        }
        Write::Change { record, from, at } => return questions::change(connection, record, *from, *at).await.map(guarded),
        Write::PublishUpdate { update, limits } => return updates::publish(connection, update, *limits).await,
        Write::MarkUpdate { update, from } => return updates::mark(connection, update, from).await.map(guarded),
        Write::Receive(update) => return received::receive(connection, update).await.map(guarded),
        Write::SpendLoginLink { hash } => return people::spend_login_link(connection, hash).await.map(guarded),
        Write::HandleEvent(event) => return control::handle(connection, event).await.map(guarded),
        Write::UseProof { proof, event, at } => return control::use_proof(connection, proof, event, *at).await.map(guarded),
        Write::RememberWithdrawal(withdrawal) => return control::remember(connection, withdrawal).await.map(Ok),
        Write::ForgetEvents { before, withdrawals_before } => {
            return control::forget(connection, *before, *withdrawals_before).await.map(Ok);
        }
        Write::Tell(happening) => happenings::tell(happening),
        Write::ForgetHappenings { before, keep, most } => happenings::forget(*before, *keep, *most),
        Write::Handled { update } => received::handled(*update),
        Write::Poison { update, tries, aside } => received::poison(*update, *tries, *aside),
        Write::ForgetUpdates { before } => received::forget(*before),
        Write::AddRequest { request, origin } => return threads::add_request(connection, request, origin).await.map(Ok),
        Write::MakeRequest { request, origin, most } => return threads::make_request(connection, request, origin, *most).await,
        Write::AddReply { reply, origin, most } => return threads::add_reply(connection, reply, origin, *most).await,
        Write::RegisterRunner(runner) => return wakes::register(connection, runner).await.map(Ok),
        Write::AddWake(wake) => wakes::add(wake),
        Write::SettleCauses { agent, since, up_to } => wakes::settle_causes(agent, *since, *up_to),
        Write::ChangeWake { wake, from } => return wakes::change(connection, wake, from.as_deref()).await.map(guarded),
        Write::AcknowledgeWake(wake) => wakes::acknowledge(wake),
        Write::ForgetWakes { wakes_before, causes_before } => {
            return wakes::forget(connection, *wakes_before, *causes_before).await.map(Ok);
        }
        Write::AddJob(job) => jobs::add(job),
        Write::Attempt { job } => jobs::attempt(job),
        Write::Retry { job, due_at, attempts } => jobs::retry(job, *due_at, *attempts),
        Write::FinishJob { job } => jobs::finish(job),
        Write::FailJob { job, reason } => jobs::fail(job, reason),
        Write::Park { job, reason } => jobs::park(job, reason),
        Write::Unpark { due_at } => jobs::unpark(*due_at),
        Write::KeepEventFile(file) => event_files::keep(file),
        Write::ForgetEventFile { name } => event_files::forget(name),
        Write::AddDispatch(dispatch) => dispatches::add(dispatch),
        Write::RetryDispatch { id, due_at, attempts } => dispatches::retry(id, *due_at, *attempts),
        Write::SetAsideDispatch { id, due_at, attempts } => dispatches::set_aside(id, *due_at, *attempts),
        Write::FinishDispatch { id } => dispatches::finish(id),
        Write::FailDispatch { id, reason } => dispatches::fail(id, reason),
        Write::SetPlace(place) => return places::set(connection, place).await.map(Ok),
        Write::ForgetPlace(place) => places::forget(place),
        Write::ForgetChat => return places::forget_chat(connection).await.map(Ok),
        Write::AddToken(token) => people::add_token(token),
        Write::RevokeToken { id, at } => people::revoke_token(id, *at),
        Write::AddLoginLink(link) => people::add_login_link(link),
        Write::AddSession(session) => people::add_session(session),
        Write::ForgetLogins { before } => return people::forget_logins(connection, *before).await.map(Ok),
        Write::EndSession { hash } => people::end_session(hash),
        Write::AwaitPrivate(incarnation) => private_answers::wait(incarnation),
        Write::ConfirmPrivate(incarnation) => private_answers::confirm(incarnation),
        Write::UseKey(key) => return used_keys::add(connection, key).await,
        Write::ForgetKeys { before } => used_keys::forget(*before),
        Write::ForgetRecord(incarnation) => return window::forget(connection, incarnation).await.map(Ok),
        Write::ForgetRequest { request, old } => return old_requests::forget(connection, request, *old).await.map(Ok),
        Write::Keep { name, value } => kept::keep(name, value),
        Write::ForgetKept { prefix, before } => kept::forget(prefix, *before),
    };
    statement.execute(connection).await?;
    Ok(Ok(()))
}
