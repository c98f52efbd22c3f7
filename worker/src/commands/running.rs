//! The parts of a running service, put together and taken apart.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::key;
use crate::configuration::Configuration;
use crate::health::Health;
use crate::service::Service;
use crate::store::sqlite::SqliteStore;
use crate::{http, telegram, web};

/// A service that serves.
pub struct Running {
    /// The middle of pagerd.
    pub service: Arc<Service>,
    /// The address that people and agents use.
    pub url: String,
    end: CancellationToken,
    server: JoinHandle<()>,
}

impl Running {
    /// Starts every part. It serves when this returns; Telegram is not waited for.
    ///
    /// # Errors
    /// Whatever keeps it from starting, with the setting to look at.
    pub async fn start(configuration: Configuration) -> anyhow::Result<Self> {
        let signing_key = key::read_or_make(&configuration.general.key_file)?;
        let store = Arc::new(SqliteStore::open(&configuration.store.path).await?);
        let keeper = pager_answers::open(&configuration.answers.url, &configuration.answers.branch).await?;
        let listen = configuration.server.listen;
        let listener = TcpListener::bind(listen)
            .await
            .with_context(|| format!("server.listen: {listen} cannot be listened on; is another pagerd running? --listen sets another address"))?;
        let address = listener.local_addr().context("the listening address cannot be read")?;
        let url = configuration.server.public_url.as_ref().map_or_else(|| format!("http://{address}"), |url| url.as_str().trim_end_matches('/').to_owned());
        let end = CancellationToken::new();
        let health = Arc::new(Health::default());
        let service = Service::start(store, keeper, signing_key, configuration.telegram.is_some(), end.clone());
        let shared = http::Shared { service: service.clone(), health: health.clone() };
        let page = web::routes(web::Site::new(&configuration.server, address, configuration.general.time_zone.clone()));
        let routes = http::routes().merge(page).with_state(shared);
        let server = tokio::spawn(http::serve(listener, routes, end.clone()));
        if let Some(settings) = configuration.telegram {
            telegram::start(service.clone(), health, settings, configuration.general.time_zone, end.clone());
        }
        tell_ready(address)?;
        tracing::info!(%address, "serving");
        Ok(Self { service, url, end, server })
    }

    /// Serves until SIGTERM or SIGINT, then drains.
    ///
    /// # Errors
    /// When signals cannot be listened for.
    pub async fn until_told(self) -> anyhow::Result<()> {
        let mut terminate = signal(SignalKind::terminate()).context("SIGTERM cannot be listened for")?;
        let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT cannot be listened for")?;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("ending: no new work; what is not done stays in the store");
        self.end.cancel();
        self.server.await.context("the server did not end well")
    }
}

/// Writes the address for whoever started us, by rename, so that a reader never sees half of it.
fn tell_ready(address: SocketAddr) -> anyhow::Result<()> {
    let Some(path) = std::env::var_os("PAGER_READY_FILE") else { return Ok(()) };
    let path = Path::new(&path);
    let beside = path.with_extension("part");
    std::fs::write(&beside, address.to_string())
        .and_then(|()| std::fs::rename(&beside, path))
        .with_context(|| format!("PAGER_READY_FILE: {} cannot be written", path.display()))
}
