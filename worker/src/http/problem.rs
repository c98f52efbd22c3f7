//! RFC 9457 problem documents: a stable code, the field at fault, what is wrong and what to do. The cause stays inside.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pager_questions::apply::Refusal;
use pager_questions::{Answer, Record, RecordView};
use serde::Serialize;

use crate::service::ServiceError;
use crate::store::{Full, Kept};

/// What a caller is told when it does not get what it asked for.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// Short, the same for every problem of this code.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// Stable, for programs.
    pub code: &'static str,
    /// What is wrong here and what to do.
    pub detail: String,
    /// The field at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The state of the question, where that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The answer that settled it, where that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<Answer>>,
}

impl Problem {
    /// A problem of this code.
    pub fn new(status: StatusCode, code: &'static str, title: &'static str, detail: impl Into<String>) -> Self {
        Self { title, status: status.as_u16(), code, detail: detail.into(), field: None, state: None, answer: None }
    }

    /// No such thing for this caller: the same for what is another's and for what never was.
    pub fn not_found() -> Self {
        let detail = "There is no question of this id for this token. Check the id and the token.";
        Self::new(StatusCode::NOT_FOUND, "not_found", "Not found", detail)
    }

    /// No token, or none that is valid.
    pub fn unauthenticated() -> Self {
        let detail = "Send a valid token as `Authorization: Bearer …`; `pagerd token create` makes one.";
        Self::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Not authenticated", detail)
    }

    /// A valid token of another role.
    pub fn forbidden(needs: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", format!("This call needs a token of role {needs}."))
    }

    /// A body or a path that cannot be read at all.
    pub fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", "Malformed", detail)
    }

    /// The document as it is sent.
    pub fn to_json(&self) -> String {
        let document = Document { kind: format!("urn:pager:{}", self.code), problem: self };
        serde_json::to_string(&document).expect("a problem is plain JSON")
    }

    fn option(detail: &str) -> Self {
        let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", "Not valid", detail);
        Self { field: Some("option".to_owned()), ..problem }
    }

    fn ended(code: &'static str, title: &'static str, detail: &str, record: &Record) -> Self {
        let view = RecordView::from(record);
        let (state, answer) = (Some(view.state), view.answer.map(Box::new));
        Self { state, answer, ..Self::new(StatusCode::CONFLICT, code, title, detail) }
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        let conflict = |code, title, detail: &str| Self::new(StatusCode::CONFLICT, code, title, detail);
        match error {
            ServiceError::Fault(fault) => {
                let detail = format!("{} {}.", if fault.field.is_empty() { "The body" } else { &fault.field }, fault.detail);
                let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, fault.code.as_str(), "Not valid", detail);
                Self { field: Some(fault.field).filter(|field| !field.is_empty()), ..problem }
            }
            ServiceError::Refused(Refusal::Answering, record) => {
                Self::ended("answering", "Being saved", "An answer is being saved. Ask again in a moment.", &record)
            }
            ServiceError::Refused(Refusal::Withdrawn, record) => {
                Self::ended("withdrawn", "Withdrawn", "The agent took this question back.", &record)
            }
            ServiceError::Refused(Refusal::AlreadyAnswered | Refusal::DeadlinePassed | Refusal::Stale, record) => {
                Self::ended("already_answered", "Already settled", "This question was settled before.", &record)
            }
            ServiceError::Refused(Refusal::NotAnOption, _) => Self::option("option is none of its options, or not one alone."),
            ServiceError::Refused(Refusal::TakesNoWords, _) => Self::option("option is required: it takes no own words."),
            ServiceError::Refused(Refusal::NotApproved, record) => Self::ended(
                "not_approved",
                "Not approved",
                "Nobody approved it. Do not go on with it, nor by another way.",
                &record,
            ),
            ServiceError::Refused(Refusal::Spent, record) => Self::ended(
                "already_spent",
                "Spent",
                "This approval was spent before: it is good for one time. Ask again.",
                &record,
            ),
            ServiceError::NotFound => Self::not_found(),
            ServiceError::NotPutToYou => {
                let detail = "This question is put to the agent whose request it is about, and only that agent answers it. An owner may cancel it.";
                Self::new(StatusCode::FORBIDDEN, "forbidden", "Put to somebody else", detail)
            }
            ServiceError::IdUsed => {
                let detail = "This id was used before and stays used. Choose another, or leave it out to have one made.";
                Self { field: Some("id".to_owned()), ..conflict("id_used", "Id used", detail) }
            }
            ServiceError::DraftChanged => {
                let detail = "This publication was made with another draft. Send the same draft, or a new publication_id.";
                Self { field: Some("publication_id".to_owned()), ..conflict("draft_changed", "Draft changed", detail) }
            }
            ServiceError::IncarnationMismatch => {
                let detail = "This id lives, but as another record. Read it again and use what you find.";
                Self { field: Some("incarnation".to_owned()), ..conflict("incarnation_mismatch", "Another record", detail) }
            }
            ServiceError::RevisionConflict => {
                let detail = "The record has changed since this revision. Read it again and decide anew, under the same id.";
                let problem = conflict("revision_conflict", "Another revision", detail);
                Self { field: Some("expected_revision".to_owned()), ..problem }
            }
            ServiceError::Capacity(full) => Self::new(StatusCode::TOO_MANY_REQUESTS, "capacity", "No room", no_room(&full)),
            ServiceError::KeyReused => {
                let detail = "This key was used for another call, question or body. Send each write under a key of its own.";
                let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "key_reused", "Key reused", detail);
                Self { field: Some("Idempotency-Key".to_owned()), ..problem }
            }
            ServiceError::LooksSecret(looks) => {
                let detail = format!(
                    "answer looks like {looks}, and is kept where others read it: in a git repository or, behind a deadline, in a thread. \
                     Nothing was saved. Send it with \"confirm_secret\": true if it is meant."
                );
                let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "looks_secret", "Looks like a secret", detail);
                Self { field: Some("answer".to_owned()), ..problem }
            }
            ServiceError::DigestMismatch => {
                let detail = "This digest is not the one that was approved, and nothing was spent. Do not go on: ask for what you mean to do.";
                Self { field: Some("digest".to_owned()), ..conflict("digest_mismatch", "Another digest", detail) }
            }
            ServiceError::Revoked => Self::unauthenticated(),
            ServiceError::FullOfNews(full) => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "capacity", "No room", no_room_for_news(&full))
            }
            ServiceError::Busy => {
                let detail = "Others are changing this record at the same moment. Try again.";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "Busy", detail)
            }
            ServiceError::Unusable(cause) => {
                tracing::error!(cause, "a request failed");
                let detail = "The service cannot use its store or its answers repository. Its log and /readyz say why.";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "Unavailable", detail)
            }
        }
    }
}

/// The same for an update.
fn no_room_for_news(full: &Full) -> String {
    let Full { limits, records, bytes, asked, .. } = full;
    let reached = if full.is_of_records() {
        format!("This source has {records} updates, and limits.records allows {}", limits.records)
    } else {
        format!("This source has {bytes} bytes of updates, this one needs {asked} more, and limits.bytes allows {}", limits.bytes)
    };
    format!("{reached}. Nothing was stored: once the owner has dismissed some of them, the same call goes through.")
}

/// Which limit is reached, the numbers, and the way out.
fn no_room(full: &Full) -> String {
    let Full { of, limits, records, bytes, asked } = full;
    match of {
        Kept::Records => {}
        Kept::Requests => {
            return format!(
                "You have {records} requests that nobody answered, and limits.records allows {}. Nothing was stored: wait until one is \
                 answered or 3 days old.",
                limits.records
            );
        }
        Kept::Replies => {
            return format!(
                "You have written {records} replies into this thread, and limits.records allows {}. Nothing was stored, and this thread \
                 takes no more from you.",
                limits.records
            );
        }
    }
    let reached = if full.is_of_records() {
        format!("This source has {records} live records, and limits.records allows {}", limits.records)
    } else {
        format!(
            "This source has {bytes} bytes of live records, this one needs {asked} more, and limits.bytes allows {}",
            limits.bytes
        )
    };
    format!(
        "{reached}. None that is left can make room: they are pending, or their end is not everywhere yet. Wait for answers, or \
         withdraw what need not be asked any more."
    )
}

/// A problem as it is sent.
#[derive(Serialize)]
struct Document<'a> {
    /// An identifier, not an address.
    #[serde(rename = "type")]
    kind: String,
    #[serde(flatten)]
    problem: &'a Problem,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let document = Document { kind: format!("urn:pager:{}", self.code), problem: &self };
        let mut response = (status, Json(document)).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
