//! What `update`, `request` and `reply` share: publishing once, however often it takes.

use std::sync::Arc;

use pager_questions::Time;
use serde_json::Value;

use crate::again;
use crate::client::{Call, Client};
use crate::distant::{self, Distant, Event};
use crate::door::Connection;
use crate::failure::Failure;
use crate::interrupts;
use crate::json::Json;
use crate::output;
use crate::problem::{self, refusal};

/// Something that is published at pagerd itself.
pub struct Published<'a> {
    /// What it is called.
    pub what: &'a str,
    /// Where it is posted.
    pub path: &'a str,
    /// Its publication identity.
    pub publication: &'a str,
}

impl Published<'_> {
    /// Posts it, and gives what the service shows of it.
    ///
    /// # Errors
    /// A refusal, code 8 when what it is about is unknown, or no connection; the words say how to publish it again.
    pub fn send(&self, client: &Client, body: Value) -> Result<Json, Failure> {
        let call = Call::post(self.path, Some(body));
        let reply = again::write(client, &call, &mut again::sleep).map_err(|lost| self.unsure(problem::unreachable(&lost)))?;
        match reply.status {
            200 | 201 => {
                let shown = Json::parse(&reply.body).map_err(|_| self.unsure(problem::unreadable()))?;
                if shown.text("id").is_none() {
                    return Err(self.unsure(problem::unreadable()));
                }
                output::warnings(&shown);
                Ok(shown)
            }
            500.. => Err(self.unsure(refusal(&reply, None))),
            _ => Err(refusal(&reply, self.path.split('/').nth(3))),
        }
    }

    fn unsure(&self, failure: Failure) -> Failure {
        let (what, publication) = (self.what, self.publication);
        let words = format!(
            "{failure}. Whether the {what} arrived is not known: sending it again with --publication-id {publication} is safe"
        );
        Failure { words, ..failure }
    }
}

/// Sends it where nothing is told back. The time is that of sending.
///
/// # Errors
/// Code 1 when it could not be sent.
pub fn publish(
    way: &Arc<dyn Distant>,
    event: &Event,
    what: &str,
    connection: &Connection,
    publication: &str,
) -> Result<Time, Failure> {
    interrupts::end_at_a_signal()?;
    distant::publish(way, event, what, connection.rhythm(), publication)
}
