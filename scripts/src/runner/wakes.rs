//! The service's side of the runner over HTTP: what there is to wake for, marks that keep it from other runners, and what
//! was done. Decides nothing.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde_json::{Value, json};

use super::reach::Reach;
use crate::again;
use crate::client::{Call, Client, Reply, Unreachable};
use crate::failure::Failure;
use crate::problem;

/// Something to start the command for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Wake {
    /// `<record, request or reply>.<reason>`
    pub id: String,
    /// Why, in one word.
    pub reason: String,
    /// One sentence of the service's own.
    #[serde(default)]
    pub text: String,
    /// What others wrote, in fences.
    #[serde(default)]
    pub message: Option<String>,
    /// Who asked for it; None: it is about the agent's own matters.
    #[serde(default)]
    pub author: Option<String>,
    /// Was it marked before, and never acknowledged?
    #[serde(default)]
    pub repeated: bool,
}

/// An older request, for a heartbeat.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Older {
    /// What to acknowledge once a run has started with it.
    pub wake: String,
    /// The request in fences.
    #[serde(default)]
    pub message: String,
}

/// A wake that is this runner's.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Marked {
    /// Proves that it is. Not to be shown.
    pub mark: String,
    /// As in [`Wake::repeated`], as of now.
    #[serde(default)]
    pub repeated: bool,
}

/// Why there is no reply to go on with.
#[derive(Debug)]
pub enum Trouble {
    /// It will pass; the words are for people.
    Passing(String),
    /// It will not.
    Lasting(Failure),
}

#[derive(Deserialize)]
struct Page<T> {
    items: Vec<T>,
}

/// The way to them.
#[derive(Clone)]
pub struct Wakes {
    client: Arc<Client>,
    tags: String,
    reach: Reach,
}

impl Wakes {
    /// For requests with these tags, and events that are younger than `catchup` or than the last listing.
    pub fn new(client: Arc<Client>, tags: &[String], catchup: Duration) -> Self {
        Self { client, tags: tags.join(","), reach: Reach::new(catchup) }
    }

    /// What is sent through.
    pub fn client(&self) -> &Arc<Client> {
        &self.client
    }

    /// The request for what there is, held for so many seconds when there is nothing.
    pub fn call(&self, hold: Option<u64>) -> Call {
        Call { hold, ..self.get("/v1/wakes", self.reach.seconds(SystemTime::now())) }
    }

    /// Reads the reply to it, which was asked for at this moment.
    ///
    /// # Errors
    /// [`Trouble`]
    pub fn read(&mut self, reply: Result<Reply, Unreachable>, asked: SystemTime) -> Result<Vec<Wake>, Trouble> {
        let found = items(reply)?;
        self.reach.was_listed(asked);
        Ok(found)
    }

    /// Up to 3 older requests, the oldest first.
    ///
    /// # Errors
    /// [`Trouble`]
    pub fn older(&self) -> Result<Vec<Older>, Trouble> {
        items(self.client.send(&self.get("/v1/wakes/older", self.reach.catchup())))
    }

    /// Takes a wake, for as long as the lease; None: another runner has it, or it is done.
    ///
    /// # Errors
    /// [`Trouble`]
    pub fn mark(&self, id: &str, lease: Duration) -> Result<Option<Marked>, Trouble> {
        self.write(id, "mark", json!({"lease": lease.as_secs()}))?.map(|reply| parsed(&reply)).transpose()
    }

    /// Keeps it for another lease. False: it is this runner's no longer.
    ///
    /// # Errors
    /// [`Trouble`]
    pub fn renew(&self, id: &str, mark: &str, lease: Duration) -> Result<bool, Trouble> {
        Ok(self.write(id, "mark", json!({"lease": lease.as_secs(), "mark": mark}))?.is_some())
    }

    /// It was done; one that is unknown or another's by now is, too.
    ///
    /// # Errors
    /// [`Trouble`]
    pub fn acknowledge(&self, id: &str, mark: Option<&str>) -> Result<(), Trouble> {
        let body = mark.map_or_else(|| json!({}), |mark| json!({"mark": mark}));
        self.write(id, "ack", body).map(drop)
    }

    /// Nothing was started for it: as if it had never been marked.
    ///
    /// # Errors
    /// [`Trouble`]
    pub fn release(&self, id: &str, mark: &str) -> Result<(), Trouble> {
        self.write(id, "release", json!({"mark": mark})).map(drop)
    }

    fn get(&self, path: &str, catchup: u64) -> Call {
        let mut call = Call::get(path);
        if !self.tags.is_empty() {
            call.query.push(("tags", self.tags.clone()));
        }
        call.query.push(("catchup", catchup.to_string()));
        call
    }

    /// None for 404 and 409: nothing of this runner's is there.
    fn write(&self, id: &str, verb: &str, body: Value) -> Result<Option<Reply>, Trouble> {
        let call = Call::post(format!("/v1/wakes/{id}/{verb}"), Some(body));
        match again::write(&self.client, &call, &mut again::sleep) {
            Ok(reply) if matches!(reply.status, 404 | 409) && problem::Problem::of(&reply).is_some() => Ok(None),
            reply => good(reply).map(Some),
        }
    }
}

fn items<T: for<'de> Deserialize<'de>>(reply: Result<Reply, Unreachable>) -> Result<Vec<T>, Trouble> {
    let reply = good(reply)?;
    parsed::<Page<T>>(&reply).map(|page| page.items)
}

fn parsed<T: for<'de> Deserialize<'de>>(reply: &Reply) -> Result<T, Trouble> {
    serde_json::from_str(&reply.body).map_err(|_| Trouble::Lasting(problem::unreadable()))
}

fn good(reply: Result<Reply, Unreachable>) -> Result<Reply, Trouble> {
    match reply {
        Ok(reply) if (200..300).contains(&reply.status) => Ok(reply),
        Ok(reply) if reply.status == 404 => Err(Trouble::Lasting(Failure::failed(
            "this pagerd knows nothing of runners; is ASK_URL pagerd's address, and pagerd of the same version as this `ask`?",
        ))),
        // A service that is overloaded or broken for a while is no reason to leave an agent out of reach.
        Ok(reply) if reply.status >= 500 || reply.status == 429 => {
            Err(Trouble::Passing(problem::refusal(&reply, None).to_string()))
        }
        Ok(reply) => Err(Trouble::Lasting(problem::refusal(&reply, None))),
        Err(lost) => Err(Trouble::Passing(lost.to_string())),
    }
}
