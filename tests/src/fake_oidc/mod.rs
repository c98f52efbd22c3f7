//! An OIDC issuer of our own, as GitHub Actions has one: discovery, keys, and the address at which a job asks for its token.
//! Its tokens are odd only where a test makes them so with [`Odd`].

mod odd;
mod server;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub use odd::Odd;

use crate::keys::Key;

/// A token lives so long, as GitHub's do.
const LIFE_SECONDS: i64 = 300;

/// A running issuer. Clones are handles on the same one; it stops with the last of them.
#[derive(Debug, Clone)]
pub struct FakeOidc {
    running: Arc<Running>,
}

#[derive(Debug)]
struct Running {
    state: Arc<Mutex<State>>,
    address: SocketAddr,
    /// Dropped to end the server.
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[derive(Debug)]
struct State {
    issuer: String,
    /// The key that signs: its place among [`Key`]s, and its name.
    signing: (usize, String),
    /// The keys that are published, with their names.
    published: Vec<(usize, String)>,
    /// The claims of each job, by the bearer token that it asks with.
    jobs: BTreeMap<String, Value>,
    discovery_fetches: usize,
    key_fetches: usize,
    is_down: bool,
    offset: i64,
    next: u64,
}

impl State {
    fn now(&self) -> i64 {
        let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(real.as_secs()).unwrap_or(i64::MAX) + self.offset
    }

    fn new_number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// A new token with these claims, for an audience.
    fn claims(&mut self, claims: &Value, audience: &str) -> Value {
        let (now, number) = (self.now(), self.new_number());
        let mut all = json!({
            "iss": self.issuer, "aud": audience, "iat": now, "nbf": now - 600, "exp": now + LIFE_SECONDS,
            "jti": format!("00000000-0000-4000-8000-{number:012x}"),
        });
        if let (Some(all), Some(more)) = (all.as_object_mut(), claims.as_object()) {
            all.extend(more.clone());
        }
        all
    }
}

impl FakeOidc {
    /// Starts on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When the machine has no port left.
    pub async fn start() -> Self {
        Self::try_start().expect("there is a free port on 127.0.0.1")
    }

    fn try_start() -> std::io::Result<Self> {
        let listener = std::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let first = (0, "key-1".to_owned());
        let state = Arc::new(Mutex::new(State {
            issuer: format!("http://{address}"),
            signing: first.clone(),
            published: vec![first],
            jobs: BTreeMap::new(),
            discovery_fetches: 0,
            key_fetches: 0,
            is_down: false,
            offset: 0,
            next: 0,
        }));
        let router = server::router(Arc::clone(&state));
        let (end, ended) = oneshot::channel::<()>();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = ended => {}
                    _ = axum::serve(listener, router) => {}
                }
            });
        });
        Ok(Self { running: Arc::new(Running { state, address, end: Some(end), thread: Some(thread) }) })
    }

    /// `iss` of its tokens, such as `http://127.0.0.1:41235`; discovery is below it.
    pub fn issuer(&self) -> String {
        self.state().issuer.clone()
    }

    /// Where its keys are.
    pub fn jwks_url(&self) -> String {
        format!("http://{}/.well-known/jwks", self.running.address)
    }

    /// What a job with these claims has as `ACTIONS_ID_TOKEN_REQUEST_URL` and `ACTIONS_ID_TOKEN_REQUEST_TOKEN`.
    pub fn for_job(&self, claims: Value) -> (String, String) {
        let mut state = self.state();
        let bearer = format!("job-{}", state.new_number());
        state.jobs.insert(bearer.clone(), claims);
        (format!("http://{}/idtoken?api-version=2.0", self.running.address), bearer)
    }

    /// The token that a job with these claims gets for an audience.
    pub fn token(&self, claims: &Value, audience: &str) -> String {
        self.odd(claims, audience).token()
    }

    /// The same token before it is signed, to be made odd.
    pub fn odd(&self, claims: &Value, audience: &str) -> Odd {
        let mut state = self.state();
        let claims = state.claims(claims, audience);
        let (key, kid) = state.signing.clone();
        Odd::new(claims, Key::number(key), &kid)
    }

    /// Signs with another key from here on. The old one stays published, or not.
    pub fn rotate(&self, keeps_old: bool) {
        let mut state = self.state();
        let number = state.new_number();
        let new = ((state.signing.0 + 1) % 2, format!("key-{number}x"));
        if !keeps_old {
            state.published.clear();
        }
        state.published.push(new.clone());
        state.signing = new;
    }

    /// How often the keys were fetched.
    pub fn key_fetches(&self) -> usize {
        self.state().key_fetches
    }

    /// How often the discovery document was fetched.
    pub fn discovery_fetches(&self) -> usize {
        self.state().discovery_fetches
    }

    /// Answers 503 to everything, or ends that.
    pub fn set_down(&self, is_down: bool) {
        self.state().is_down = is_down;
    }

    /// Moves the issuer's clock.
    pub fn age(&self, seconds: i64) {
        self.state().offset += seconds;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.running.state)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
