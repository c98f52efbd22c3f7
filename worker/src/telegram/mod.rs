//! The Telegram door: updates in, questions and their ends out. What an update means and how a message looks is
//! `pager_bot`'s; what happens to a question is the service's; this carries between them and keeps track of calls.

mod after;
mod anew;
mod attached;
mod backlog;
mod chat;
mod commands;
mod copies;
mod failures;
mod handler;
mod held;
mod inbox;
mod keyed;
mod login;
mod marks;
mod mute;
mod notes;
mod origin;
mod outage;
mod own_topic;
mod poller;
mod press;
mod private;
mod receiver;
mod remind;
mod request;
mod reshow;
mod rights;
mod seat;
mod sender;
mod show;
mod text;
mod threads;
mod topic;
mod unsaved;
mod updates;
mod webhook;
mod withhold;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use jiff::tz::TimeZone;
use pager_bot::{ChatKind, Class, Seat, Telegram};
use pager_questions::{Purpose, Record};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::configuration::{self, Receiving};
use crate::service::Service;
use crate::store::JobKind;

pub use login::revoke_former_owners;
pub use origin::Origin;
pub use outage::LAST_POLL;
pub use poller::LAST_CONFLICT;
pub use threads::shows as shows_reply;

/// Writing calls a minute in a private chat, which the setting for groups is not about: about one a second is taken.
const PRIVATE_BUDGET: u32 = 60;

/// How the names begin under which something is kept about one message of a chat. Such a note is of no use once the message
/// can neither be edited nor come again.
pub const NOTES_OF_MESSAGES: [&str; 5] = ["text:", "request:", "album:", "too-long:", "held:"];

/// What the tasks of this door share.
pub struct Door {
    /// The middle of pagerd.
    service: Arc<Service>,
    /// The Bot API.
    api: Telegram,
    /// Where the bot sits.
    seat: Seat,
    /// What kind of chat that was when the bot sat down; see [`Door::kind`].
    kind: ChatKind,
    /// Topics were switched off since.
    lost_topics: AtomicBool,
    /// The chat that the settings name; the seat's may be the one that became of it.
    configured_chat: i64,
    /// The icons of topics: of an open question, of an ended one, of updates, and of requests.
    icons: Icons,
    /// In which the owner is told times.
    zone: TimeZone,
    /// Rung when updates were stored.
    received: Arc<Notify>,
    /// Rung when the bot's standing in the chat has changed.
    changed: Notify,
    /// Rung when a call was set aside because of the chat.
    parked: Notify,
    /// Set when the seat is another one, and when pagerd ends.
    leaving: CancellationToken,
    /// What becomes of the topics of ended questions.
    tidying: configuration::Tidying,
    /// Writing calls a minute.
    budget_per_minute: u32,
}

impl Door {
    /// What kind of chat it is by now: a group whose topics were switched off is one without.
    fn kind(&self) -> ChatKind {
        if self.lost_topics.load(Ordering::Relaxed) { ChatKind::Flat } else { self.kind }
    }
}

/// Ids of topic icons, where the chat has them.
struct Icons {
    open: Option<String>,
    ended: Option<String>,
    updates: Option<String>,
    requests: Option<String>,
}

/// The routes that the door needs: where Telegram sends updates, when it does. `received` is rung when one was stored.
pub fn routes<S: Clone + Send + Sync + 'static>(
    service: &Arc<Service>,
    settings: Option<&configuration::Telegram>,
    received: &Arc<Notify>,
) -> Router<S> {
    match settings.map(|settings| &settings.receiving) {
        Some(Receiving::Webhook { secret, .. }) => receiver::routes(service.clone(), received.clone(), secret),
        Some(Receiving::Polling) | None => Router::new(),
    }
}

/// Starts the door. It begins as soon as Telegram can be reached, and ends with the service.
pub fn start(service: Arc<Service>, settings: configuration::Telegram, zone: TimeZone, received: Arc<Notify>) -> JoinHandle<()> {
    tokio::spawn(run(service, settings, zone, received))
}

/// Sits down, works until the seat is another one, and sits down again.
async fn run(service: Arc<Service>, settings: configuration::Telegram, zone: TimeZone, received: Arc<Notify>) {
    let ending = service.ending.clone();
    while !ending.is_cancelled() {
        let seated = tokio::select! {
            seated = chat::sit_down(&service, &settings) => seated,
            () = ending.cancelled() => return,
        };
        let (api, seat, kind, icons) = seated;
        let is_private = seat.chat_id > 0;
        let group_budget = settings.group_budget_per_minute;
        let door = Door {
            service: service.clone(),
            api,
            seat,
            kind,
            lost_topics: AtomicBool::new(false),
            configured_chat: settings.chat_id,
            icons,
            zone: zone.clone(),
            received: received.clone(),
            changed: Notify::new(),
            parked: Notify::new(),
            leaving: ending.child_token(),
            tidying: settings.tidying,
            budget_per_minute: if is_private { group_budget.max(PRIVATE_BUDGET) } else { group_budget },
        };
        work(&door, &settings.receiving).await;
    }
}

async fn work(door: &Door, receiving: &Receiving) {
    while let Err(error) = seat::arrive(door).await {
        tracing::error!(%error, "it could not be stored where the bot sits");
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            () = door.leaving.cancelled() => return,
        }
    }
    if let Err(error) = reshow::run(door).await {
        tracing::error!(%error, "open questions that are shown nowhere could not be looked for");
    }
    if let Err(error) = private::ask_again(door).await {
        tracing::error!(%error, "owners could not be asked for private words that were lost");
    }
    door.service.health.well(rights::PART);
    // What is received and not handled yet is in the store; a call that is under way is finished.
    let coming_in = async {
        match receiving {
            Receiving::Polling => poller::run(door).await,
            Receiving::Webhook { url, secret } => webhook::run(door, url, secret).await,
        }
    };
    let receiving = async {
        tokio::select! {
            ((), (), (), ()) = async { tokio::join!(coming_in, handler::run(door), rights::run(door), unsaved::run(door)) } => {}
            () = door.leaving.cancelled() => {}
        }
    };
    tokio::join!(receiving, sender::run(door));
}

/// The rank of a job in the queue. A message goes before the next question's topic, so that no topic stays empty for long;
/// an update waits for the topic of its source.
pub fn class(kind: &JobKind) -> i64 {
    match kind_class(kind) {
        Class::Outcome => 0,
        Class::Question if *kind == JobKind::CreateTopic => 4,
        Class::Question => 3,
        Class::Note => 5,
        Class::Update if *kind != JobKind::SendUpdate => 6,
        Class::Update => 7,
        Class::Cosmetic => 8,
    }
}

/// The same for a job about a question: approvals go before other questions.
pub fn class_about(kind: &JobKind, record: &Record) -> i64 {
    let rank = class(kind);
    let is_first = kind_class(kind) == Class::Question && record.question.purpose == Purpose::Approval;
    if is_first { rank - 2 } else { rank }
}

fn kind_class(kind: &JobKind) -> Class {
    match kind {
        JobKind::EditQuestion | JobKind::Thank { .. } | JobKind::DeleteMessage { .. } => Class::Outcome,
        JobKind::CreateTopic | JobKind::SendQuestion { .. } | JobKind::SendDocument { .. } => Class::Question,
        JobKind::Reply { .. }
        | JobKind::Remind
        | JobKind::HoldBack { .. }
        | JobKind::See { .. }
        | JobKind::Say { .. }
        | JobKind::ShowReply { .. }
        | JobKind::ShowOffer { .. }
        | JobKind::AttachToThread { .. }
        | JobKind::SendLogin { .. } => Class::Note,
        JobKind::MakeUpdatesTopic { .. } | JobKind::SendUpdate | JobKind::EditUpdate => Class::Update,
        JobKind::EditMarks | JobKind::MarkTopic | JobKind::CloseTopic | JobKind::DeleteTopic | JobKind::TakeButton { .. } => {
            Class::Cosmetic
        }
    }
}
