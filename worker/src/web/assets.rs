//! The page's style, script and icons, from inside the program. Asked for again each time, sent only when changed.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::secrets;

/// `GET /assets/{name}`.
pub async fn serve(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let (kind, body) = match name.as_str() {
        "page.css" => ("text/css; charset=utf-8", include_str!("assets/page.css")),
        "page.js" => ("text/javascript; charset=utf-8", include_str!("assets/page.js")),
        "icon.svg" => ("image/svg+xml", include_str!("assets/icon.svg")),
        "icon-waiting.svg" => ("image/svg+xml", include_str!("assets/icon-waiting.svg")),
        _ => return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
    };
    let tag = format!("\"{}\"", &secrets::hash(body)[..16]);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let about = [(header::CONTENT_TYPE, kind.to_owned()), (header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag)];
    if known { (StatusCode::NOT_MODIFIED, about).into_response() } else { (about, body).into_response() }
}
