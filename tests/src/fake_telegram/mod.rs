//! A Telegram of our own: the Bot API over HTTP on a local port, with chats, topics, messages
//! and people in memory. It keeps state and refuses as the real server does.
//!
//! It must not be kinder than the real one. What it leaves out on purpose: parse modes (refused),
//! limits beside the one of groups.

mod callbacks;
mod chat;
mod chats;
mod control;
mod delivery;
mod entities;
mod errors;
mod faults;
mod keyboard;
mod look;
mod message;
mod messages;
mod methods;
mod page;
mod page_text;
mod parameters;
mod people;
mod polling;
mod reactions;
mod rule;
mod server;
mod state;
#[cfg(test)]
mod tests;
mod topics;
mod updates;
mod wait;
mod webhook;
mod writing;

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub use callbacks::{CallbackAnswer, CallbackQuery};
pub use chat::{Chat, ChatKind, Standing, Topic, User};
pub use delivery::Delivery;
pub use errors::Refusal;
pub use faults::Fault;
pub use keyboard::{Button, Keyboard};
pub use message::Message;
pub use parameters::Upload;
pub use people::Pick;
pub use state::{BOT, Call, FORUM, OWNER, Outcome, STRANGER, State, TOKEN};
pub use wait::PATIENCE;
pub use writing::{Written, media};

use wait::Shared;

/// A running fake. Clones are handles on the same one; it stops with the last of them.
///
/// It starts with one bot ([`TOKEN`], [`BOT`]) that is an administrator of one supergroup with
/// topics ([`FORUM`]), and with two people in it: [`OWNER`] and [`STRANGER`].
#[derive(Debug, Clone)]
pub struct FakeTelegram {
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
    }
}

impl FakeTelegram {
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
        let shared = Arc::new(Shared::new(State::new()));
        let router = server::router(Arc::clone(&shared));
        let delivering = delivery::run(Arc::clone(&shared));
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

    /// The address to give to clients, such as `http://127.0.0.1:41234`, without a slash.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.running.address)
    }

    fn shared(&self) -> &Shared {
        &self.running.shared
    }
}
