//! Events of agents that come through the control repository. Each door proves an event first; [`receive`] handles it,
//! whichever door it came through, once.

mod act;
pub mod branch;
mod event;
mod forget;
mod outcome;
mod proof;
mod receive;
mod route;
mod threads;

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::Mutex;
use utoipa_axum::router::OpenApiRouter;

use crate::configuration;
use crate::service::Service;

pub use event::VerifiedControlEvent;
pub use outcome::Outcome;
pub use receive::receive;

use proof::Proofs;

/// What every door for events shares.
pub struct Control {
    service: Arc<Service>,
    /// Whose events are taken; None when the proof alone decides.
    maintainers: Option<BTreeSet<u64>>,
    proofs: Proofs,
    /// Events are handled one at a time: of two about one question the second has to see what the first one did. This
    /// process alone has the store, so nothing else is needed.
    turn: Mutex<()>,
}

/// Puts the parts together and begins to forget what is old. Nothing set: every event is turned away.
pub fn start(service: &Arc<Service>, settings: &configuration::Control) -> anyhow::Result<Arc<Control>> {
    for gap in settings.gaps() {
        tracing::warn!("{gap}");
    }
    let proofs = Proofs::of(settings)?;
    let maintainers = settings.maintainers.clone();
    let control = Arc::new(Control { service: service.clone(), maintainers, proofs, turn: Mutex::new(()) });
    tokio::spawn(forget::run(service.clone()));
    Ok(control)
}

/// `POST /v1/control`.
pub fn routes<S: Clone + Send + Sync + 'static>(control: &Arc<Control>) -> OpenApiRouter<S> {
    route::routes(control.clone())
}
