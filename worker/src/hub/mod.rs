//! What leaves for the control repository on GitHub: owners' texts and wake-ups, as `repository_dispatch` events. What to
//! send is stored with the change that asks for it; this only sends. It takes nothing in.

mod delivery;
mod payload;
mod sender;

use std::collections::BTreeSet;
use std::sync::Arc;

use pager_answers::github::{GitHub, RepositoryName};
use pager_questions::{Record, Reply, ReplyId, Request, WakeName, view};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::clock;
use crate::service::Service;
use crate::store::{Dispatch, DispatchKind};

/// Its part in the health of pagerd.
const PART: &str = "github";
/// The reason of a wake-up for a pick that came after the default held.
const LATE_PICK: &str = "late_pick";

/// Where events leave, and what may be woken.
#[derive(Debug, Default)]
pub struct Outlet {
    repository: Option<RepositoryName>,
    wakes: BTreeSet<WakeName>,
    runners: BTreeSet<WakeName>,
    rung: Notify,
}

/// Where an owner's text stands.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The chat.
    pub chat: i64,
    /// The topic.
    pub topic: Option<i64>,
    /// Its message id.
    pub message: Option<i64>,
}

impl Outlet {
    /// To this repository; without one nothing leaves.
    pub fn new(repository: Option<RepositoryName>, wakes: BTreeSet<WakeName>) -> Self {
        Self { repository, wakes, runners: BTreeSet::new(), rung: Notify::new() }
    }

    /// With these wake targets beside, that agents' own runners listen for: nothing leaves for them.
    pub fn with_runners(self, runners: BTreeSet<WakeName>) -> Self {
        Self { runners, ..self }
    }

    /// Is there somewhere to send to?
    pub fn is_open(&self) -> bool {
        self.repository.is_some()
    }

    /// Is there a wake target of this name?
    pub fn wakes(&self, name: &WakeName) -> bool {
        self.wakes.contains(name) || self.runners.contains(name)
    }

    /// Does an event leave for the end of this record? Not when its agent's own runner listens for it.
    pub fn dispatches(&self, record: &Record) -> bool {
        record.question.wake.as_ref().is_some_and(|name| !self.runners.contains(name))
    }

    /// The names of all wake targets.
    pub fn names(&self) -> Vec<&str> {
        self.wakes.union(&self.runners).map(WakeName::as_str).collect()
    }

    /// Something new was stored.
    pub fn ring(&self) {
        self.rung.notify_one();
    }

    /// The event for a text that was stored as this request, when events leave. `place`: where in a chat it stands, when it does.
    pub fn text(&self, request: &Request, place: Option<Place>) -> Option<Dispatch> {
        self.words(request, None, place)
    }

    /// The event for what an owner wrote further into the thread of a request of their own, when events leave.
    pub fn further_text(&self, request: &Request, reply: &Reply, place: Option<Place>) -> Option<Dispatch> {
        self.words(request, Some(&reply.id), place)
    }

    fn words(&self, request: &Request, reply: Option<&ReplyId>, place: Option<Place>) -> Option<Dispatch> {
        let chat = place.map(|place| place.chat);
        let (topic, message) = place.map_or((None, None), |place| (place.topic, place.message));
        let link = chat.zip(message).and_then(|(chat, message)| link(chat, topic, message));
        let kind = DispatchKind::Text { request: request.id.clone(), reply: reply.cloned(), chat, topic, message, link };
        let named = reply.map_or(request.id.as_str(), ReplyId::as_str);
        let (id, now) = (delivery::id(&["text", named]), clock::now());
        // What somebody wrote in one chat is read in the order in which it was written.
        let line = chat.map_or_else(|| "owners".to_owned(), |chat| format!("telegram:{chat}"));
        self.is_open().then_some(Dispatch { id, line, kind, made_at: now, due_at: now, attempts: 0 })
    }
}

/// The wake-up for the end of a record that names a target; one for each id, incarnation and reason.
pub fn wake_up(record: &Record) -> Dispatch {
    let question = &record.question;
    let (incarnation, reason) = (question.incarnation.clone(), view::state_name(&record.state).to_owned());
    let id = delivery::id(&["answered", question.id.as_str(), incarnation.as_str(), &reason]);
    let now = clock::now();
    let kind = DispatchKind::Answered { incarnation, reason };
    Dispatch { line: id.clone(), id, kind, made_at: now, due_at: now, attempts: 0 }
}

/// The wake-up for what was picked of an offer after its default held.
pub fn late_pick(record: &Record) -> Dispatch {
    let question = &record.question;
    let incarnation = question.incarnation.clone();
    let id = delivery::id(&["answered", question.id.as_str(), incarnation.as_str(), LATE_PICK]);
    let now = clock::now();
    let kind = DispatchKind::Answered { incarnation, reason: LATE_PICK.to_owned() };
    Dispatch { line: id.clone(), id, kind, made_at: now, due_at: now, attempts: 0 }
}

/// Starts sending, when there is somewhere to send to.
pub fn start(service: Arc<Service>, github: Option<Arc<GitHub>>) -> Option<JoinHandle<()>> {
    match (service.outlet.repository.clone(), github) {
        (Some(repository), Some(github)) => Some(tokio::spawn(sender::run(service, github, repository))),
        _ => {
            tokio::spawn(tell_of_what_waits(service));
            None
        }
    }
}

/// What was stored while there was somewhere to send to waits until there is again: not without a word.
async fn tell_of_what_waits(service: Arc<Service>) {
    if let Ok(Some(_)) = service.store.next_dispatch_due().await {
        let reason = "events wait to be sent, and there is nowhere to: set control.repo and github.token again";
        tracing::error!("{reason}");
        service.health.trouble(PART, reason);
    }
}

/// Only messages of supergroups have links.
pub fn link(chat: i64, topic: Option<i64>, message: i64) -> Option<String> {
    let chat = chat.to_string();
    let chat = chat.strip_prefix("-100")?;
    let topic = topic.map(|topic| format!("{topic}/")).unwrap_or_default();
    Some(format!("https://t.me/c/{chat}/{topic}{message}"))
}
