//! A GitHub of our own: the part of its REST API that pager uses, on a local port. Each repository is a real bare one on
//! disk, so that git itself can look, push and race. It keeps state and refuses as the real server does.
//!
//! It must not be kinder than the real one. What it leaves out on purpose: GraphQL, tags, signatures, rulesets, listings
//! over several pages, running workflows (a test plays them, see [`FakeGitHub::runner`]).

mod access;
mod actions;
mod apps;
mod blobs;
mod commits;
mod contents;
mod control;
mod creation;
mod description;
mod dispatches;
mod events;
mod faults;
mod git;
mod hooks;
mod limits;
mod look;
mod refs;
mod refusal;
mod reply;
mod repositories;
mod repository;
mod request;
mod routes;
mod rule;
mod server;
mod state;
#[cfg(test)]
mod tests;
mod trees;
mod wait;
mod writing;

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub use access::{Level, Permission, Rights, User};
pub use apps::App;
pub use events::{Event, Runner};
pub use faults::Fault;
pub use hooks::{Delivery, Progress, signature};
pub use refusal::Refusal;
pub use repository::Repository;
pub use rule::Visibility;
pub use state::{Call, Outcome, State};

use wait::Shared;

/// A running fake. Clones are handles on the same one; it stops with the last of them, and panics then when a request was
/// carried out that GitHub's published description refuses.
///
/// It starts empty: see [`FakeGitHub::add_repository`], [`FakeGitHub::add_token`], [`FakeGitHub::add_app`].
#[derive(Debug, Clone)]
pub struct FakeGitHub {
    running: Arc<Running>,
}

#[derive(Debug)]
struct Running {
    shared: Arc<Shared>,
    address: SocketAddr,
    /// Dropped to end the server.
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // Afterwards the port is free and every connection closed.
            let _ = thread.join();
        }
        let violations = self.shared.look(|state| state.violations.clone());
        if !std::thread::panicking() {
            assert!(violations.is_empty(), "requests against GitHub's published description: {violations:#?}");
        }
    }
}

impl FakeGitHub {
    /// Starts on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When the machine has no port left.
    pub async fn start() -> Self {
        Self::start_on(SocketAddr::from(([127, 0, 0, 1], 0))).await.expect("there is a free port on 127.0.0.1")
    }

    /// Starts on an address.
    ///
    /// # Errors
    /// When nothing can listen there.
    pub async fn start_on(address: SocketAddr) -> std::io::Result<Self> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::new(State::new(format!("http://{address}"))?));
        let router = server::router(Arc::clone(&shared));
        let delivering = hooks::run(Arc::clone(&shared));
        let (end, ended) = oneshot::channel::<()>();
        // A thread and a runtime of its own: a test that blocks or pauses time leaves it alone.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = ended => {}
                    _ = axum::serve(listener, router) => {}
                    () = delivering => {}
                }
            });
        });
        Ok(Self { running: Arc::new(Running { shared, address, end: Some(end), thread: Some(thread) }) })
    }

    /// The address to give to clients (`github.api_url`), such as `http://127.0.0.1:41234`, without a slash.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.running.address)
    }

    fn shared(&self) -> &Shared {
        &self.running.shared
    }
}
