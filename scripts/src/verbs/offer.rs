//! `ask offer`: offers the part of a request that one can deliver, in place of silence. It asks whoever asked for the work.

use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use pager_questions::{Purpose, QuestionId, RequestId, Time, WakeName};
use serde_json::Value;

use super::new;
use super::wait::report;
use crate::again;
use crate::asking::{self, Asking, Taken, Waited};
use crate::distant;
use crate::door::{Connection, Door};
use crate::draft::{self, Body};
use crate::duration::parse_patience;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::handover::hand_over;
use crate::interrupts;
use crate::problem;

/// Flags of `ask offer`.
#[derive(Debug, clap::Args)]
pub struct Offer {
    /// The id of the request
    #[arg(value_parser = RequestId::parse)]
    request: RequestId,
    /// What you can deliver, in at most 100 characters: "untested code"
    #[arg(long, value_name = "TEXT")]
    deliverable: String,
    /// What will be missing, in at most 250 characters: "a build and a test run"
    #[arg(long, value_name = "TEXT")]
    missing: String,
    /// Why, in at most 250 characters: "no compiler in this run"
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// The way out; "no thanks" when left out
    #[arg(long, value_name = "TEXT")]
    or: Option<String>,
    /// By when a pick is needed: 45m or 2h from now, or a time (RFC 3339). Then you go on with the default
    #[arg(long, value_name = "WHEN", value_parser = draft::parse_deadline)]
    deadline: Option<Time>,
    /// What you go on with when nobody picks: the deliverable when left out
    #[arg(long, requires = "deadline")]
    default: Option<Default>,
    /// The id of the question that it becomes, never used before; left out, one is made
    #[arg(long, value_parser = QuestionId::parse)]
    id: Option<QuestionId>,
    /// The wake target, of those that the operator configured, that hears of the pick
    #[arg(long, value_name = "NAME", value_parser = WakeName::parse)]
    wake: Option<WakeName>,
    /// Your own name of this act of offering: offered again under it, the original comes back. Left out, one is made
    #[arg(long, value_name = "NAME")]
    publication_id: Option<String>,
    /// Wait for the pick, like 90s, 45m, 1h30m or 2d (0 is without end); then print it alone. Without one in that time, or
    /// interrupted, the offer is withdrawn
    #[arg(long, value_name = "DURATION", value_parser = parse_patience)]
    wait: Option<Duration>,
    /// With --wait: leave the offer open when giving up
    #[arg(long, requires = "wait")]
    keep: bool,
}

/// `--default`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Default {
    /// What you can deliver, marked as partial
    Deliverable,
    /// The way out
    Out,
}

/// Runs it: prints what `ask new` does.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(offer: &Offer, connection: &Connection) -> Result<Exit, Failure> {
    let publication = draft::publication(offer.publication_id.as_deref())?;
    let body = body(offer, &publication);
    let purpose = Purpose::Offer;
    match Door::open(connection)? {
        Door::Direct(client) => {
            let (client, path) = (Arc::new(client), format!("/v1/requests/{}/offers", offer.request));
            let asking = Asking { client: &client, path, body, purpose, publication: &publication };
            direct(offer, &asking)
        }
        Door::Distant(way) => {
            let (request, rhythm) = (Some(&offer.request), connection.rhythm());
            let asking = distant::Asking { way: &way, body, request, purpose, publication: &publication, rhythm };
            if let Some(patience) = offer.wait {
                return distant::ask_and_wait(asking, patience, offer.keep);
            }
            interrupts::end_at_a_signal()?;
            new::print(None, &distant::ask(asking, &mut again::sleep)?.record)?;
            Ok(Exit::Done)
        }
    }
}

fn direct(offer: &Offer, asking: &Asking<'_>) -> Result<Exit, Failure> {
    let Some(patience) = offer.wait else {
        return match asking::ask(asking, &mut again::sleep)? {
            Taken::Delegated(_) => Err(problem::unreadable()),
            Taken::Question(record) => new::print(None, &record).map(|()| Exit::Done),
        };
    };
    match asking::ask_and_wait(asking, patience, offer.keep)? {
        Waited::Delegated(_) => Err(problem::unreadable()),
        Waited::Stopped(reading, stopped) => {
            report(asking.client, &reading, patience, stopped, &|answer, exit| hand_over(asking.client, &reading, answer, exit))
        }
    }
}

fn body(offer: &Offer, publication: &str) -> Value {
    let default = offer.default.map(|default| match default {
        Default::Deliverable => "deliverable",
        Default::Out => "out",
    });
    let mut body = Body::default();
    body.put("deliverable", Some(offer.deliverable.as_str()));
    body.put("missing", Some(offer.missing.as_str()));
    body.put("why", Some(offer.why.as_str()));
    body.put("or", offer.or.as_deref());
    body.put("deadline", offer.deadline.map(|deadline| deadline.to_string()));
    body.put("default", default);
    body.put("id", offer.id.as_ref().map(ToString::to_string));
    body.put("wake", offer.wake.as_ref().map(ToString::to_string));
    body.put("publication_id", Some(publication));
    body.finish()
}
