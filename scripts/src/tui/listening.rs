//! The thread that holds the stream of events. When it breaks it comes back, after what was heard last; where there is
//! none it says so each time it looks. It never ends by itself.

use std::io::BufReader;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::event::Stream;
use super::stream::{Brought, Events};
use crate::again::Backoff;
use crate::client::{Call, Client};
use crate::problem::{Problem, refusal};

/// How often a pagerd without a stream is looked at.
const LOOKS_EVERY: Duration = Duration::from_secs(2);
/// A stream that lived so long ended in the ordinary way: a proxy's limit, a restart, our own.
const ORDINARY: Duration = Duration::from_secs(5);

/// Listens after this event. `say` is false once nobody listens to it.
pub fn listen(client: &Arc<Client>, mut after: Option<String>, say: &dyn Fn(Stream) -> bool) {
    let mut backoff = Backoff::new();
    loop {
        let began = Instant::now();
        let lost = match open(client, &mut after, say) {
            Ok(Ended::Unheard) => return,
            Ok(Ended::Broken) => "the connection broke".to_owned(),
            Ok(Ended::Absent) => {
                if !say(Stream::Absent) {
                    return;
                }
                std::thread::sleep(LOOKS_EVERY);
                continue;
            }
            Err(words) => words,
        };
        if began.elapsed() > ORDINARY {
            backoff = Backoff::new();
        }
        if !say(Stream::Lost(lost)) {
            return;
        }
        std::thread::sleep(backoff.pause());
    }
}

enum Ended {
    Broken,
    Absent,
    Unheard,
}

fn open(client: &Client, after: &mut Option<String>, say: &dyn Fn(Stream) -> bool) -> Result<Ended, String> {
    let call = Call::get("/v1/events");
    let streaming = client.stream(&call, after.as_deref()).map_err(|lost| lost.to_string())?;
    let body = match streaming {
        Ok(body) => body,
        Err(reply) if matches!(reply.status, 404 | 405 | 501) => return Ok(Ended::Absent),
        Err(reply) => {
            // An event that the service has forgotten: everything is read again, and heard from now on.
            if matches!(reply.status, 400 | 409 | 410 | 422) {
                *after = None;
            }
            return Err(match Problem::of(&reply) {
                Some(_) => refusal(&reply, None).words,
                None => format!("the events were refused with {}", reply.status),
            });
        }
    };
    if !say(Stream::Up) {
        return Ok(Ended::Unheard);
    }
    let mut events = Events::new(BufReader::new(body));
    loop {
        let heard = match events.next() {
            Ok(Some(Brought::Message(message))) => Stream::Message(message),
            Ok(Some(Brought::Nothing)) => Stream::Heard,
            Ok(None) | Err(_) => return Ok(Ended::Broken),
        };
        if let Some(id) = events.last_id() {
            *after = Some(id.to_owned());
        }
        if !say(heard) {
            return Ok(Ended::Unheard);
        }
    }
}
