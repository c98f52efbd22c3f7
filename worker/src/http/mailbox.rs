//! The owner's mailbox: every record, newest first, whatever became of it.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use pager_questions::{Author, RecordView};
use serde::Deserialize;

use super::Shared;
use super::callers::Owner;
use super::cursors::{read_mailbox, write_mailbox};
use super::description::parameters::RecordState;
use super::description::refusals;
use super::lists::{Page, checked_state, invalid, read_limit};
use super::problem::Problem;
use crate::service::ServiceError;
use crate::store::Mailbox;

/// The query of the mailbox.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MailboxQuery {
    /// Only those of this source.
    #[param(required = false)]
    source: Option<String>,
    /// Only those in this state.
    #[param(inline, value_type = RecordState, required = false)]
    state: Option<String>,
    /// How many; 50 when left out.
    #[param(value_type = u32, required = false, minimum = 1, maximum = 1000)]
    limit: Option<String>,
    /// The `next` of an earlier page.
    #[param(required = false, nullable = false)]
    cursor: Option<String>,
}

/// Every record, newest first; of one moment by source, within a source the newest insertion first.
#[utoipa::path(
    get,
    path = "/v1/inbox",
    operation_id = "list_inbox",
    security(("bearer" = [])),
    params(MailboxQuery),
    responses((status = 200, description = "One page", body = Page<RecordView>), refusals::NeedsAnyToken, refusals::WrongQuery)
)]
pub async fn list(
    _: Owner,
    State(shared): State<Shared>,
    query: Result<Query<MailboxQuery>, QueryRejection>,
) -> Result<Json<Page>, Problem> {
    let Query(query) = query.map_err(|error| Problem::malformed(error.body_text()))?;
    let source = query.source.as_deref().map(Author::parse).transpose();
    let source = source.map_err(|error| invalid("source", &format!("is no source: {error}")))?;
    let limit = read_limit(query.limit.as_deref())?;
    let after = match query.cursor.as_deref() {
        None => None,
        Some(text) => Some(read_mailbox(text).ok_or_else(|| invalid("cursor", "is the `next` of an earlier page, unchanged"))?),
    };
    let mailbox = Mailbox { source, state: checked_state(query.state)?, limit: limit + 1, after };
    let found = shared.service.store.mailbox(&mailbox).await.map_err(ServiceError::from)?;
    Ok(Json(Page::of(found, limit, |listed| write_mailbox(&listed.place), |listed| RecordView::from(&listed.record))))
}
