//! The owner's mailbox: every record, newest first, whatever became of it.

use axum::Json;
use axum::extract::State;
use pager_questions::{Author, RecordView};
use serde::Deserialize;

use super::Shared;
use super::callers::Owner;
use super::cursors;
use super::description::parameters::RecordState;
use super::description::refusals;
use super::lists::{Page, checked_state, invalid, read_after, read_limit};
use super::problem::Problem;
use super::query::QueryOf;
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
pub async fn list(_: Owner, State(shared): State<Shared>, QueryOf(query): QueryOf<MailboxQuery>) -> Result<Json<Page>, Problem> {
    let source = query.source.as_deref().map(Author::parse).transpose();
    let source = source.map_err(|error| invalid("source", &format!("is no source: {error}")))?;
    let limit = read_limit(query.limit.as_deref())?;
    let after = read_after(query.cursor.as_deref())?;
    let mailbox = Mailbox { source, state: checked_state(query.state)?, limit: limit + 1, after };
    let found = shared.service.store.mailbox(&mailbox).await.map_err(ServiceError::from)?;
    Ok(Json(Page::of(found, limit, |listed| cursors::write(&listed.place), |listed| RecordView::from(&listed.record))))
}
