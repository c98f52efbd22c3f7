//! Runners that are held. What happened is read once for all of them, and rings those alone whom it is about: a held runner costs
//! memory, and a commit elsewhere nothing. With nobody held nothing is read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pager_questions::{Author, ReplyKind, Request};
use tokio::sync::Notify;

use crate::service::Service;
use crate::store::{Happened, Stored, Subject};

/// How many entries are read at a time.
const PAGE: u32 = 64;
/// How long it waits when the store cannot be read.
const PAUSE: Duration = Duration::from_secs(1);

/// Who is held.
#[derive(Debug, Default)]
pub struct Runners {
    held: Mutex<HashMap<Author, Vec<Held>>>,
}

#[derive(Debug)]
struct Held {
    skills: Arc<[String]>,
    bell: Arc<Notify>,
}

/// One that is held. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct Hold<'a> {
    runners: &'a Runners,
    agent: Author,
    bell: Arc<Notify>,
}

impl Runners {
    /// Holds a runner of this agent. Whatever happens from here on rings, also before it is waited for.
    pub fn hold(&self, agent: &Author, skills: &[String]) -> Hold<'_> {
        let bell = Arc::new(Notify::new());
        self.held().entry(agent.clone()).or_default().push(Held { skills: skills.into(), bell: bell.clone() });
        Hold { runners: self, agent: agent.clone(), bell }
    }

    /// Rings those of this agent.
    pub fn ring(&self, agent: &Author) {
        for held in self.held().get(agent).into_iter().flatten() {
            held.bell.notify_one();
        }
    }

    fn ring_all(&self) {
        for held in self.held().values().flatten() {
            held.bell.notify_one();
        }
    }

    fn ring_for(&self, request: &Request) {
        let party = request.party();
        for (agent, held) in self.held().iter().filter(|(agent, _)| party.agent() != Some(*agent)) {
            for held in held.iter().filter(|held| request.is_of_interest(&held.skills)) {
                tracing::trace!(%agent, "a runner is rung for a request");
                held.bell.notify_one();
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.held().is_empty()
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Author, Vec<Held>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hold<'_> {
    /// Returns once it was rung since the last time.
    pub async fn rung(&self) {
        self.bell.notified().await;
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let mut held = self.runners.held();
        if let Some(of_agent) = held.get_mut(&self.agent) {
            of_agent.retain(|one| !Arc::ptr_eq(&one.bell, &self.bell));
            if of_agent.is_empty() {
                held.remove(&self.agent);
            }
        }
    }
}

/// Rings for as long as the service runs.
pub(in crate::service) async fn run(service: Arc<Service>) {
    let mut news = service.store.news();
    let mut at = None;
    loop {
        tokio::select! {
            changed = news.changed() => if changed.is_err() { return },
            () = service.ending.cancelled() => return,
        }
        if service.runners.is_empty() {
            at = None;
            continue;
        }
        match ring(&service, at).await {
            Ok(number) => at = Some(number),
            Err(error) => {
                tracing::warn!(%error, "what happened could not be read for runners that are held");
                news.mark_changed();
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Rings for what happened after this entry, or everybody when nothing was read before. The number of the last entry.
async fn ring(service: &Service, after: Option<i64>) -> Stored<i64> {
    let Some(mut at) = after else {
        let last = service.store.last_happened().await?.number;
        service.runners.ring_all();
        return Ok(last);
    };
    loop {
        let page = service.store.happened_after(at, PAGE).await?;
        for happened in &page {
            ring_about(service, happened).await?;
            at = happened.mark.number;
        }
        if page.len() < PAGE as usize {
            return Ok(at);
        }
    }
}

async fn ring_about(service: &Service, happened: &Happened) -> Stored<()> {
    let runners = &service.runners;
    match &happened.subject {
        Some(Subject::Question(record)) => {
            if record.is_over() {
                runners.ring(&record.question.source.agent);
            } else if let Some(agent) = &record.question.put_to {
                runners.ring(agent);
            }
        }
        Some(Subject::Request(request)) => runners.ring_for(request),
        Some(Subject::Reply(reply)) => match &reply.offer {
            Some(offer) if reply.kind == ReplyKind::LatePick => {
                if let Some(record) = service.store.record(offer).await? {
                    runners.ring(&record.question.source.agent);
                }
            }
            _ => happened.agent.iter().for_each(|agent| runners.ring(agent)),
        },
        Some(Subject::Update(_)) | None => {}
    }
    Ok(())
}
