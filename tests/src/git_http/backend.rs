//! `git http-backend`, called as a web server calls a CGI program.

use std::io::{Error, ErrorKind};
use std::path::Path;
use std::process::Stdio;

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::USER;

/// Carries one call out and gives git's own reply.
pub(super) async fn carry_out(folder: &Path, parts: &Parts, body: Bytes) -> std::io::Result<Response> {
    let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut command = Command::new("git");
    command
        .arg("http-backend")
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_PROJECT_ROOT", folder)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("REMOTE_USER", USER)
        .env("REMOTE_ADDR", "127.0.0.1")
        .env("REQUEST_METHOD", parts.method.as_str())
        .env("PATH_INFO", parts.uri.path())
        .env("QUERY_STRING", parts.uri.query().unwrap_or_default())
        .env("CONTENT_TYPE", header("content-type"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let mut child = command.spawn()?;
    let stdin = child.stdin.take();
    let writing = async move {
        if let Some(mut stdin) = stdin {
            let _ = stdin.write_all(&body).await;
        }
    };
    let ((), output) = tokio::join!(writing, child.wait_with_output());
    reply(&output?.stdout).ok_or_else(|| Error::from(ErrorKind::InvalidData))
}

/// Headers, an empty line, the body.
fn reply(output: &[u8]) -> Option<Response> {
    let end = output.windows(4).position(|four| four == b"\r\n\r\n")?;
    let mut response = Response::new(Body::from(output[end + 4..].to_vec()));
    for line in std::str::from_utf8(&output[..end]).ok()?.lines() {
        let (name, value) = line.split_once(": ")?;
        if name.eq_ignore_ascii_case("status") {
            *response.status_mut() = StatusCode::from_bytes(value.get(..3)?.as_bytes()).ok()?;
        } else {
            response.headers_mut().append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
        }
    }
    Some(response)
}
