//! Which tokens were revoked, for requests that are held. Another process revokes, so it has to be looked at; that is
//! done for all who wait together, since ten thousand looks at once would be felt by everybody else.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::Service;
use crate::clock;
use crate::store::{Session, Store, Stored};

/// How soon a revoked token ends a held request.
const LOOKS_EVERY: Duration = Duration::from_secs(5);

/// The ids of revoked tokens, as of the last look.
#[derive(Default)]
pub struct Revocations {
    revoked: watch::Sender<HashSet<String>>,
    logouts: watch::Sender<u64>,
}

impl Revocations {
    /// Returns once this token is known to be revoked.
    pub async fn until_revoked(&self, token: &str) {
        // The sender lives for as long as this is borrowed, so this fails never.
        let _ = self.revoked.subscribe().wait_for(|revoked| revoked.contains(token)).await;
    }

    /// Returns once this session is over: its browser logged out, or its time is up.
    pub async fn until_logged_out(&self, store: &dyn Store, session: &Session) {
        let mut logouts = self.logouts.subscribe();
        loop {
            let now = clock::now();
            match store.session(&session.hash, now).await {
                Ok(Some(_)) => {}
                Ok(None) => return,
                Err(error) => tracing::warn!(%error, "it could not be looked at whether a session is over"),
            }
            let left = session.expires_at.as_millis().saturating_sub(now.as_millis()).max(1000);
            tokio::select! {
                _ = logouts.changed() => {}
                () = tokio::time::sleep(Duration::from_millis(left.unsigned_abs())) => {}
            }
        }
    }

    /// A browser logged out.
    pub fn logged_out(&self) {
        self.logouts.send_modify(|count| *count += 1);
    }

    /// Looks which tokens are revoked, and tells whoever waits for it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn look(&self, store: &dyn Store) -> Stored<()> {
        let tokens = store.tokens().await?;
        let newest = tokens.into_iter().filter(|token| token.revoked_at.is_some()).map(|token| token.id).collect();
        self.revoked.send_if_modified(|known| {
            let has_changed = *known != newest;
            *known = newest;
            has_changed
        });
        Ok(())
    }
}

/// Looks for ever, while somebody waits.
pub(super) async fn run(service: Arc<Service>) {
    loop {
        tokio::time::sleep(LOOKS_EVERY).await;
        if service.revocations.revoked.receiver_count() == 0 {
            continue;
        }
        if let Err(error) = service.revocations.look(service.store.as_ref()).await {
            tracing::warn!(%error, "it could not be looked at which tokens were revoked");
        }
    }
}
