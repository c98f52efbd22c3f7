//! Reading a body: at most 64 KB, and JSON.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde_json::Value;

use super::problem::Problem;

/// The most bytes of a body.
pub const MOST_BYTES: usize = 64 * 1024;

/// A JSON body, of any shape.
pub struct JsonBody(pub Value);

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let bytes = read(request.into_body()).await?;
        let value = serde_json::from_slice(&bytes)
            .map_err(|error| Problem::malformed(format!("The body is not JSON: {error}. Send a JSON object.")))?;
        Ok(Self(value))
    }
}

/// A JSON body that may be left out altogether; then it is an empty object.
pub struct OptionalBody(pub Value);

impl<S: Send + Sync> FromRequest<S> for OptionalBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let bytes = read(body).await?;
        if bytes.is_empty() {
            return Ok(Self(Value::Object(serde_json::Map::new())));
        }
        let request = Request::from_parts(parts, Body::from(bytes));
        JsonBody::from_request(request, state).await.map(|JsonBody(value)| Self(value))
    }
}

/// No body at all: anything in it is refused.
pub struct NoBody;

impl<S: Send + Sync> FromRequest<S> for NoBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        if read(request.into_body()).await?.is_empty() {
            return Ok(Self);
        }
        Err(Problem::malformed("This call takes no body: a decline says nothing but itself. Send it empty."))
    }
}

async fn read(body: Body) -> Result<axum::body::Bytes, Problem> {
    read_at_most(body, MOST_BYTES).await
}

/// The bytes of a body, 413 when there are more than this.
pub async fn read_at_most(body: Body, most: usize) -> Result<axum::body::Bytes, Problem> {
    to_bytes(body, most).await.map_err(|error| {
        // The limit is told by the type of the cause; everything else is a broken connection.
        let is_too_large = std::error::Error::source(&error).is_some_and(|cause| cause.to_string().contains("length limit"));
        if is_too_large { too_large(most) } else { Problem::malformed("The body could not be read to its end.") }
    })
}

/// 413 for what has more bytes than this.
pub fn too_large(most: usize) -> Problem {
    let detail = format!("The body is over {most} bytes. Send less.");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "Too large", detail)
}
