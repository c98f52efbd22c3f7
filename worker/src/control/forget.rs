//! Forgets events long after anybody would send them again, and withdrawals whose question did not come.

use std::sync::Arc;
use std::time::Duration;

use super::act::REMEMBERED_MILLIS;
use crate::clock;
use crate::service::Service;
use crate::store::Write;

/// A run of a workflow can be started again for 30 days, and sends its event with the same id. What an App's delivery carried
/// is never forgotten: its signature has no time, and holds for ever.
const KEPT_MILLIS: i64 = 35 * 24 * 60 * 60 * 1000;
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Forgets for ever.
pub(super) async fn run(service: Arc<Service>) {
    loop {
        let now = clock::now();
        let (before, withdrawals_before) = (now.plus_millis(-KEPT_MILLIS), now.plus_millis(-REMEMBERED_MILLIS));
        if let Err(error) = service.store.commit(vec![Write::ForgetEvents { before, withdrawals_before }]).await {
            tracing::warn!(%error, "old events of the control repository could not be forgotten");
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = service.ending.cancelled() => return,
        }
    }
}
