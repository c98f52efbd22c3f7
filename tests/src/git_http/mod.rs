//! A git server of our own for tests: the real `git http-backend` on a local port, with one repository, one user, and
//! faults that are scripted one by one. Whatever it takes or refuses without a fault is what git itself takes or refuses.

mod backend;
mod faults;
mod repository;
mod server;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};

pub use faults::{At, Fault};

/// The only user.
pub const USER: &str = "olga";
/// The user's password.
pub const PASSWORD: &str = "pass-w0rd-of-olga";

/// A running server with one bare repository, `answers.git`, which is empty at first. Ends when it is dropped.
#[derive(Debug)]
pub struct GitHttp {
    folder: TempDir,
    address: SocketAddr,
    shared: Arc<Shared>,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    state: Mutex<State>,
    /// Rises when hanging calls are let go.
    releases: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    faults: faults::Faults,
    calls: Vec<At>,
}

#[derive(Debug)]
struct Running {
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
    }
}

impl GitHttp {
    /// Starts on a free port of 127.0.0.1 with an empty repository.
    ///
    /// # Panics
    /// When the machine has no port, no temporary folder or no git.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        repository::make(&folder.path().join("answers.git"));
        let shared = Shared { folder: folder.path().to_owned(), state: Mutex::default(), releases: watch::Sender::new(0) };
        let shared = Arc::new(shared);
        let (address, running) = serve(SocketAddr::from(([127, 0, 0, 1], 0)), &shared);
        Self { folder, address, shared, running: Mutex::new(Some(running)) }
    }

    /// Stops serving: connections are cut, and new ones are refused.
    pub fn stop(&self) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Serves again, at the same port.
    ///
    /// # Panics
    /// When another program took the port meanwhile.
    pub fn start_again(&self) {
        let (_, running) = serve(self.address, &self.shared);
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(running);
    }

    /// The repository's URL, without credentials.
    pub fn url(&self) -> String {
        format!("http://{}/answers.git", self.address)
    }

    /// The URL with [`USER`] and [`PASSWORD`] in it.
    pub fn url_with_credentials(&self) -> String {
        format!("http://{USER}:{PASSWORD}@{}/answers.git", self.address)
    }

    /// Spoils the next call of a kind. Several wait in line.
    pub fn add_fault(&self, at: At, fault: Fault) {
        self.add_faults(at, fault, 1);
    }

    /// Spoils the next so many calls of a kind.
    pub fn add_faults(&self, at: At, fault: Fault, times: usize) {
        self.shared.state().faults.add(at, fault, times);
    }

    /// No fault waits any more.
    pub fn clear_faults(&self) {
        self.shared.state().faults.clear();
    }

    /// Lets every hanging call go on.
    pub fn release(&self) {
        self.shared.releases.send_modify(|releases| *releases += 1);
    }

    /// Every call that came in with the right password, oldest first.
    pub fn calls(&self) -> Vec<At> {
        self.shared.state().calls.clone()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn serve(address: SocketAddr, shared: &Arc<Shared>) -> (SocketAddr, Running) {
    let listener = std::net::TcpListener::bind(address).expect("the port is free");
    listener.set_nonblocking(true).expect("a listener need not block");
    let address = listener.local_addr().expect("a listener has an address");
    let router = server::router(Arc::clone(shared));
    let (end, ended) = oneshot::channel::<()>();
    // A thread and a runtime of its own: a test that blocks leaves it alone.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("there is a runtime");
    let thread = std::thread::spawn(move || {
        runtime.block_on(async {
            let Ok(listener) = TcpListener::from_std(listener) else { return };
            tokio::select! {
                _ = ended => {}
                _ = axum::serve(listener, router) => {}
            }
        });
    });
    (address, Running { end: Some(end), thread: Some(thread) })
}
