//! Sends an event by `repository_dispatch`. A 204 says that GitHub took it, not that anything came of it.

use pager_questions::Time;
use serde_json::json;

use super::client::Call;
use super::{GitHub, failure};
use crate::distant::{Event, Trouble};

/// One try.
///
/// # Errors
/// After [`Trouble::Passing`] it may have been taken.
pub fn send(github: &GitHub, event: &Event, sent_at: Time) -> Result<(), Trouble> {
    let token = github.settings.token.as_ref().ok_or_else(|| {
        Trouble::Refused(
            "there is no token to send events with: set GH_TOKEN (or GITHUB_TOKEN) to one that may write the control repository"
                .to_owned(),
        )
    })?;
    let control = &github.settings.control;
    let body = json!({"event_type": event.dispatch_type(), "client_payload": event.payload(sent_at)});
    let mut call = Call::get(format!("{}/dispatches", control.route()));
    call.post = Some(body.to_string());
    let reply = github.call(token, &call)?;
    match reply.status {
        200..300 => Ok(()),
        404 => Err(control.out_of_reach("Contents (write)", "GH_TOKEN")),
        422 => Err(Trouble::Invalid(format!("GitHub does not take the event: {}", failure::message(&reply)))),
        _ => Err(failure::trouble(&reply, "GH_TOKEN")),
    }
}
