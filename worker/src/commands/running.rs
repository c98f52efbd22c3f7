//! The parts of a running service, put together and taken apart.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::key;
use crate::configuration::Configuration;
use crate::hub::Outlet;
use crate::service::{Parts, Policy, Service};
use crate::store::sqlite::SqliteStore;
use crate::{control, events, http, hub, telegram, web};
use pager_answers::github::GitHub;

/// How long a call to Telegram may still take at the end.
const CALL_ENDS_WITHIN: Duration = Duration::from_secs(4);

/// A service that serves.
pub struct Running {
    /// The middle of pagerd.
    pub service: Arc<Service>,
    end: CancellationToken,
    server: JoinHandle<()>,
    door: Option<JoinHandle<()>>,
    outlet: Option<JoinHandle<()>>,
    terminate: Signal,
    interrupt: Signal,
}

impl Running {
    /// Starts every part. It serves when this returns; Telegram is not waited for.
    ///
    /// # Errors
    /// Whatever keeps it from starting, with the setting to look at.
    pub async fn start(configuration: Configuration) -> anyhow::Result<Self> {
        let signing_key = key::read_or_make(&configuration.general.key_file)?;
        let store = Arc::new(SqliteStore::open(&configuration.store.path).await?);
        let owners = configuration.telegram.as_ref().map_or(&[][..], |telegram| &telegram.owners);
        telegram::revoke_former_owners(store.as_ref(), owners).await?;
        let keeper = pager_answers::open(&configuration.answers.keeper).await?;
        let listen = configuration.server.listen;
        let listener = TcpListener::bind(listen).await.with_context(|| {
            format!("server.listen: {listen} cannot be listened on; is another pagerd running? --listen sets another address")
        })?;
        let address = listener.local_addr().context("the listening address cannot be read")?;
        let url = configuration
            .server
            .public_url
            .as_ref()
            .map_or_else(|| format!("http://{address}"), |url| url.as_str().trim_end_matches('/').to_owned());
        let end = CancellationToken::new();
        let github = configuration.github.access.as_ref().map(GitHub::new).transpose()?.map(Arc::new);
        // Without something to call GitHub with, the repository is only a name that events from outside are held to.
        let outlet = Outlet::new(configuration.control.repo.clone().filter(|_| github.is_some()), configuration.wakes.names)
            .with_runners(configuration.wakes.runners);
        let policy = Policy {
            deadlines: configuration.deadline.bounds,
            remind: configuration.deadline.remind,
            unanswered_after: configuration.unanswered_after,
            limits: configuration.limits.of_a_source,
            history_keep: configuration.limits.history_keep,
            gates: configuration.gates.policies,
        };
        let has_telegram = configuration.telegram.is_some();
        let ending = end.clone();
        let service = Service::start(Parts { store, keeper, key: signing_key, has_telegram, outlet, policy, url, ending });
        service.archive(configuration.answers.archive_after);
        let shared = http::Shared { service: service.clone(), is_behind_proxy: configuration.server.public_url.is_some() };
        let site = web::Site::new(&configuration.server, address, configuration.general.time_zone.clone());
        let (page, told) = (web::routes(site.clone()), events::start(&service, site));
        let received = Arc::new(Notify::new());
        let hook = telegram::routes(&service, configuration.telegram.as_ref(), &received);
        let control = control::start(&service, &configuration.control)?;
        let events = control::routes(&control);
        if let Some(branch) = control::branch::open(&configuration.control, github.as_ref(), &configuration.answers.keeper)? {
            control::branch::start(control.clone(), branch);
        }
        let routes = http::described(http::routes().merge(told).merge(events));
        let routes = routes.merge(page).merge(hook).fallback(http::nothing_here).with_state(shared);
        let routes = http::counted(routes, &service);
        let server = tokio::spawn(http::serve(listener, routes, end.clone()));
        let zone = configuration.general.time_zone;
        let door = configuration.telegram.map(|settings| telegram::start(service.clone(), settings, zone, received));
        let outlet = hub::start(service.clone(), github);
        // Whoever is told that it serves may end it at once.
        let terminate = signal(SignalKind::terminate()).context("SIGTERM cannot be listened for")?;
        let interrupt = signal(SignalKind::interrupt()).context("SIGINT cannot be listened for")?;
        tell_ready(address)?;
        tracing::info!(%address, "serving");
        Ok(Self { service, end, server, door, outlet, terminate, interrupt })
    }

    /// Serves until SIGTERM or SIGINT, then drains.
    ///
    /// # Errors
    /// When the server did not end well.
    pub async fn until_told(mut self) -> anyhow::Result<()> {
        self.told().await;
        self.end().await
    }

    /// Returns when SIGTERM or SIGINT came.
    pub async fn told(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Drains and ends.
    ///
    /// # Errors
    /// When the server did not end well.
    pub async fn end(self) -> anyhow::Result<()> {
        tracing::info!("ending: no new work; what is not done stays in the store");
        self.end.cancel();
        if let Some(door) = self.door
            && tokio::time::timeout(CALL_ENDS_WITHIN, door).await.is_err()
        {
            tracing::warn!("a call to Telegram did not end in time; its outcome is looked for at the next start");
        }
        if let Some(outlet) = self.outlet
            && tokio::time::timeout(CALL_ENDS_WITHIN, outlet).await.is_err()
        {
            tracing::warn!("a call to GitHub did not end in time; what it was to send is sent again at the next start");
        }
        self.server.await.context("the server did not end well")?;
        self.service.store.close().await;
        Ok(())
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
