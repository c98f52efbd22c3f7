//! The page for the owner.

pub mod login;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use jiff::tz::TimeZone;

use crate::configuration::Server;
use crate::http::Shared;

/// What the page needs to know of its place.
#[derive(Clone)]
pub struct Site {
    /// Host names that requests may carry.
    pub hosts: Arc<Vec<String>>,
    /// Whether cookies are for TLS alone.
    pub is_secure: bool,
    /// In which times are shown.
    pub zone: TimeZone,
}

impl Site {
    /// From the settings and the address it listens on.
    pub fn new(server: &Server, address: SocketAddr, zone: TimeZone) -> Self {
        let mut hosts = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned(), address.ip().to_string()];
        hosts.extend(server.public_url.as_ref().and_then(|url| url.host_str()).map(str::to_owned));
        hosts.extend(server.hosts.iter().cloned());
        let is_secure = server.public_url.as_ref().is_some_and(|url| url.scheme() == "https");
        Self { hosts: Arc::new(hosts), is_secure, zone }
    }
}

/// The routes of the page.
pub fn routes(_site: Site) -> Router<Shared> {
    Router::new()
}
