//! The outbox for Telegram, as statements.

use pager_questions::{Incarnation, Time};

use super::apply::Statement;
use super::rows::job_kind;
use crate::store::Job;

pub(super) fn add(job: &Job) -> Statement<'_> {
    let query = sqlx::query(
        "INSERT INTO jobs (id, incarnation, kind, class, state, due_at, made_at, attempts) VALUES (?, ?, ?, ?, ?, ?6, ?6, ?7) \
         ON CONFLICT (id) DO NOTHING",
    );
    let query = query.bind(&job.id).bind(job.incarnation.as_ref().map_or("", Incarnation::as_str)).bind(job_kind(job));
    query.bind(job.class).bind(job.state.as_str()).bind(job.due_at.as_millis()).bind(job.attempts)
}

pub(super) fn attempt(job: &str) -> Statement<'_> {
    sqlx::query("UPDATE jobs SET state = 'attempting', attempts = attempts + 1 WHERE id = ?").bind(job)
}

pub(super) fn retry(job: &str, due_at: Time, attempts: u32) -> Statement<'_> {
    let query = sqlx::query("UPDATE jobs SET state = 'waiting', due_at = ?, attempts = ? WHERE id = ?");
    query.bind(due_at.as_millis()).bind(attempts).bind(job)
}

pub(super) fn finish(job: &str) -> Statement<'_> {
    sqlx::query("DELETE FROM jobs WHERE id = ?").bind(job)
}

pub(super) fn fail<'a>(job: &'a str, reason: &'a str) -> Statement<'a> {
    sqlx::query("UPDATE jobs SET state = 'failed', reason = ? WHERE id = ?").bind(reason).bind(job)
}

pub(super) fn park<'a>(job: &'a str, reason: &'a str) -> Statement<'a> {
    sqlx::query("UPDATE jobs SET state = 'parked', reason = ? WHERE id = ?").bind(reason).bind(job)
}

pub(super) fn unpark(due_at: Time) -> Statement<'static> {
    let query = sqlx::query("UPDATE jobs SET state = 'waiting', reason = NULL, due_at = ? WHERE state = 'parked'");
    query.bind(due_at.as_millis())
}
