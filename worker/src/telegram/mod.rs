//! The Telegram door: updates in, questions and their ends out. What an update means and how a message looks is
//! `pager_bot`'s; what happens to a question is the service's; this carries between them and keeps track of calls.

mod chat;
mod commands;
mod copies;
mod handler;
mod inbox;
mod keyed;
mod login;
mod mute;
mod notes;
mod origin;
mod poller;
mod press;
mod receiver;
mod request;
mod reshow;
mod sender;
mod show;
mod text;
mod topic;
mod webhook;

use std::sync::Arc;

use axum::Router;
use jiff::tz::TimeZone;
use pager_bot::{ChatKind, Class, Seat, Telegram};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::configuration::{self, Receiving};
use crate::service::Service;
use crate::store::JobKind;

pub use login::revoke_former_owners;
pub use origin::Origin;
pub use poller::{LAST_CONFLICT, LAST_POLL};

/// Writing calls a minute in a private chat, which the setting for groups is not about: about one a second is taken.
const PRIVATE_BUDGET: u32 = 60;

/// What the tasks of this door share.
pub struct Door {
    /// The middle of pagerd.
    service: Arc<Service>,
    /// The Bot API.
    api: Telegram,
    /// Where the bot sits.
    seat: Seat,
    /// What kind of chat that is.
    kind: ChatKind,
    /// The icons of topics: of an open question and of an ended one.
    icons: Icons,
    /// In which the owner is told times.
    zone: TimeZone,
    /// Rung when updates were stored.
    received: Arc<Notify>,
    /// Writing calls a minute.
    budget_per_minute: u32,
}

/// Ids of topic icons, where the chat has them.
struct Icons {
    open: Option<String>,
    ended: Option<String>,
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

async fn run(service: Arc<Service>, settings: configuration::Telegram, zone: TimeZone, received: Arc<Notify>) {
    let receiving = settings.receiving.clone();
    let group_budget = settings.group_budget_per_minute;
    let ending = service.ending.clone();
    let seated = tokio::select! {
        seated = chat::sit_down(&service.health, &service.metrics, settings) => seated,
        () = ending.cancelled() => return,
    };
    let (api, seat, kind, icons) = seated;
    let is_private = seat.chat_id > 0;
    let budget_per_minute = if is_private { group_budget.max(PRIVATE_BUDGET) } else { group_budget };
    let door = Door { service, api, seat, kind, icons, zone, received, budget_per_minute };
    if let Err(error) = reshow::run(&door).await {
        tracing::error!(%error, "open questions that are shown nowhere could not be looked for");
    }
    // What is received and not handled yet is in the store; a call that is under way is finished.
    let coming_in = async {
        match &receiving {
            Receiving::Polling => poller::run(&door).await,
            Receiving::Webhook { url, secret } => webhook::run(&door, url, secret).await,
        }
    };
    let receiving = async {
        tokio::select! {
            ((), ()) = async { tokio::join!(coming_in, handler::run(&door)) } => {}
            () = ending.cancelled() => {}
        }
    };
    tokio::join!(receiving, sender::run(&door));
}

/// The rank of a job in the queue.
pub fn class(kind: &JobKind) -> i64 {
    match kind_class(kind) {
        Class::Outcome => 0,
        Class::Question => 1,
        Class::Note => 2,
        Class::Update => 3,
        Class::Cosmetic => 4,
    }
}

fn kind_class(kind: &JobKind) -> Class {
    match kind {
        JobKind::EditQuestion | JobKind::Thank { .. } => Class::Outcome,
        JobKind::CreateTopic | JobKind::SendQuestion { .. } | JobKind::SendDocument { .. } => Class::Question,
        JobKind::Reply { .. } | JobKind::See { .. } | JobKind::Say { .. } | JobKind::SendLogin { .. } => Class::Note,
        JobKind::MarkTopic => Class::Cosmetic,
    }
}
