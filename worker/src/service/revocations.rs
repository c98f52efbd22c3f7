//! Which tokens were revoked, for requests that are held. Another process revokes, so it has to be looked at; that is
//! done for all who wait together, since ten thousand looks at once would be felt by everybody else.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::Service;

/// How soon a revoked token ends a held request.
const LOOKS_EVERY: Duration = Duration::from_secs(5);

/// The ids of revoked tokens, as of the last look.
#[derive(Default)]
pub struct Revocations {
    revoked: watch::Sender<HashSet<String>>,
}

impl Revocations {
    /// Returns once this token is known to be revoked.
    pub async fn until_revoked(&self, token: &str) {
        // The sender lives for as long as this is borrowed, so this fails never.
        let _ = self.revoked.subscribe().wait_for(|revoked| revoked.contains(token)).await;
    }
}

/// Looks for ever, while somebody waits.
pub(super) async fn run(service: Arc<Service>) {
    loop {
        tokio::time::sleep(LOOKS_EVERY).await;
        let revoked = &service.revocations.revoked;
        if revoked.receiver_count() == 0 {
            continue;
        }
        match service.store.tokens().await {
            Ok(tokens) => {
                let newest = tokens.into_iter().filter(|token| token.revoked_at.is_some()).map(|token| token.id).collect();
                revoked.send_if_modified(|known| {
                    let has_changed = *known != newest;
                    *known = newest;
                    has_changed
                });
            }
            Err(error) => tracing::warn!(%error, "it could not be looked at which tokens were revoked"),
        }
    }
}
