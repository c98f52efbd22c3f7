//! Parameters of queries that several lists share.

use utoipa::{IntoParams, ToSchema};

/// Which page of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used; so are those below")]
pub struct Paging {
    /// How many; 50 when left out.
    #[param(required = false, minimum = 1, maximum = 1000)]
    limit: u32,
    /// The `next` of an earlier page.
    #[param(required = false)]
    cursor: String,
}

/// A state of a record.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "see Paging")]
pub enum RecordState {
    Open,
    Answering,
    Answered,
    Declined,
    Cancelled,
    Defaulted,
    Expired,
    Withdrawn,
}

/// Whether somebody else answered a request.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "see Paging")]
pub enum RequestState {
    Open,
    Answered,
}

/// Which updates are shown.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "see Paging")]
pub enum ShownState {
    Unread,
    Read,
    Dismissed,
    All,
}
