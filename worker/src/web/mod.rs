//! The page for the owner: server-rendered, usable without scripts. A door: it translates and shows, it never decides.

mod about;
mod assets;
mod attempts;
mod card;
mod contents;
mod decide;
mod detail;
mod ended;
mod forms;
mod guard;
mod headers;
mod history;
mod inbox;
mod late;
mod links;
pub mod login;
mod over;
mod pages;
mod requests;
mod session;
mod sets;
mod settings;
mod shell;
mod shown;
mod standing;
mod thread;
mod updates;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use axum::{Extension, Router, middleware};
use jiff::tz::TimeZone;
use url::Origin;

use crate::configuration::Server;
use crate::http::Shared;
use attempts::Attempts;

pub use guard::is_our_host;
pub use session::find as session_of;

/// The most bytes of a form: far more than an answer may have, so that a text that is too long comes back to its writer.
const MOST_BYTES: usize = 256 * 1024;

/// What the page needs to know of its place.
#[derive(Clone)]
pub struct Site {
    /// Host names that requests may carry, in lower case, IPv6 addresses without brackets.
    pub hosts: Arc<Vec<String>>,
    /// Whether cookies are for TLS alone.
    pub is_secure: bool,
    /// In which times are shown.
    pub zone: TimeZone,
    /// The address that people use, when it is another than the one it listens on.
    origin: Option<Origin>,
    /// The session cookie's name.
    cookie: String,
    /// Failed logins of the last minute.
    attempts: Arc<Attempts>,
}

impl Site {
    /// From the settings and the address it listens on.
    pub fn new(server: &Server, address: SocketAddr, zone: TimeZone) -> Self {
        let mut hosts = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned(), address.ip().to_string()];
        hosts.extend(server.public_url.as_ref().and_then(|url| url.host_str()).map(guard::bare_host));
        hosts.extend(server.hosts.iter().map(|host| guard::bare_host(host)));
        let is_secure = server.public_url.as_ref().is_some_and(|url| url.scheme() == "https");
        // Cookies know no ports: the port in the name keeps two services on one machine apart.
        let cookie = if is_secure { "__Host-pager".to_owned() } else { format!("pager-{}", address.port()) };
        let origin = server.public_url.as_ref().map(url::Url::origin);
        Self { hosts: Arc::new(hosts), is_secure, zone, origin, cookie, attempts: Arc::default() }
    }
}

/// The routes of the page. Every one checks `Host`, every POST `Origin` too, and every reply carries the headers.
pub fn routes(site: Site) -> Router<Shared> {
    Router::new()
        .route("/", get(inbox::show))
        .route("/updates", get(updates::show))
        .route("/updates/{id}/read", post(updates::read))
        .route("/updates/{id}/dismiss", post(updates::dismiss))
        .route("/history", get(history::show))
        .route("/decisions", get(history::decisions))
        .route("/requests", get(requests::show).post(requests::make))
        .route("/requests/{id}", get(thread::show))
        .route("/requests/{id}/replies", post(thread::reply))
        .route("/requests/{id}/questions/{incarnation}/cancel", post(thread::cancel))
        .route("/settings", get(settings::show))
        .route("/settings/tokens/{id}/revoke", post(settings::revoke))
        .route("/questions/{incarnation}", get(detail::show))
        .route("/questions/{incarnation}/answer", post(decide::answer))
        .route("/questions/{incarnation}/decline", post(decide::decline))
        .route("/questions/{incarnation}/cancel", post(decide::cancel))
        .route("/login", get(login::form).post(login::by_token))
        .route("/login/{secret}", get(login::link).post(login::by_link))
        .route("/logout", post(login::out))
        .route("/assets/{name}", get(assets::serve))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(site.clone(), guard::admit))
        .layer(Extension(site))
        .layer(middleware::map_response(headers::add))
}
