//! Serving connections: HTTP/1.1, small read buffers so that ten thousand held requests stay cheap, and a drain at the end.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::metrics::Peer;

/// The most bytes that wait unread on a connection. A request line with its headers must fit.
const READ_BUFFER: usize = 16 * 1024;
/// How long a client may take for its request's headers.
const HEADERS_WITHIN: Duration = Duration::from_secs(30);
/// How long requests in flight may take once the end was asked for.
const DRAIN_WITHIN: Duration = Duration::from_secs(5);

/// Serves until `end`, then lets requests in flight finish for a moment.
pub async fn serve(listener: TcpListener, routes: Router, end: CancellationToken) {
    let mut http = http1::Builder::new();
    http.max_buf_size(READ_BUFFER).timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN);
    let connections = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = end.cancelled() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file handles, mostly: waiting lets others finish.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let routes = routes.clone();
        let handler = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let mut request: Request = request.map(Body::new);
            request.extensions_mut().insert(Peer(peer));
            let routes = routes.clone();
            async move { routes.oneshot(request).await.map_err(|never: Infallible| never) }
        });
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), handler));
        tokio::spawn(async move {
            // A client that vanishes is not worth a word.
            let _ = connection.await;
        });
    }
    if tokio::time::timeout(DRAIN_WITHIN, connections.shutdown()).await.is_err() {
        tracing::info!("requests that were still held are ended");
    }
}
