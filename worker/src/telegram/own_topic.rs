//! A topic for something that is no question: the updates of a source, the thread of a request. Making it, finding it after a try whose
//! outcome is unknown, making it anew, and opening it, each of the last two once for whatever met it. What goes into it is not its business.

use pager_bot::Failure;
use pager_questions::{Incarnation, text};

use super::{Door, rights, topic};
use crate::clock;
use crate::service::ServiceError;
use crate::store::{Job, Place, Write};

/// What one such topic is called, and under which names is kept what became of it.
pub(super) struct OwnTopic {
    /// Its place is kept under this key, beside the places of questions.
    pub key: Incarnation,
    /// Its name where an icon says what it is.
    pub name: String,
    /// Its name where the chat has no such icon.
    pub name_with_sign: String,
    /// What begins the names of whatever is kept about topics of this kind.
    pub kept_as: &'static str,
    /// What it belongs to, in those names.
    pub id: String,
    /// What it belongs to, in the reasons of failures, such as "source".
    pub belongs_to: &'static str,
}

/// A call that a topic refused because of the state it is in.
pub(super) struct Met<'a> {
    /// The job that made the call.
    pub job: &'a Job,
    /// What is done once only for whom.
    pub by: &'a str,
    /// The topic.
    pub thread: i64,
    /// Telegram's words.
    pub reason: &'a str,
}

impl OwnTopic {
    /// The topic as a place, without a message.
    pub fn place(&self, door: &Door, thread: i64) -> Place {
        Place { incarnation: self.key.clone(), chat: door.seat.chat_id, thread, message: 0 }
    }

    /// Makes it. Not idempotent.
    pub async fn make(&self, door: &Door, icon: Option<&str>) -> Result<i64, Failure> {
        let name = if icon.is_some() { &self.name } else { &self.name_with_sign };
        let thread = door.api.create_topic(door.seat.chat_id, name, icon).await?;
        rights::topics_are_on(door);
        Ok(thread)
    }

    /// The topic that a try with an unknown outcome made after all.
    pub async fn orphan(&self, door: &Door) -> Result<Option<i64>, ServiceError> {
        let deleted = door.service.store.kept(&self.deleted()).await?.and_then(|thread| thread.parse().ok());
        topic::orphan_named(door, |name| self.is_named(name), deleted).await
    }

    /// Is this a name of it, as Telegram gives it back?
    pub fn is_named(&self, name: &str) -> bool {
        [&self.name, &self.name_with_sign].iter().any(|own| text::one_line(own) == text::one_line(name))
    }

    /// Somebody deleted it: another one is made, once. `attempts` are those of the job that goes on.
    pub async fn anew(&self, door: &Door, met: &Met<'_>, attempts: u32) -> Result<Vec<Write>, ServiceError> {
        let mut writes = vec![Write::ForgetPlace(self.place(door, met.thread))];
        if self.was_made_anew_for(door, met.by).await? {
            let reason = format!("the topic of its {} was deleted a second time ({})", self.belongs_to, met.reason);
            writes.push(Write::FailJob { job: met.job.id.clone(), reason });
            return Ok(writes);
        }
        writes.push(Write::Keep { name: self.deleted(), value: met.thread.to_string() });
        writes.push(Write::Keep { name: self.anew_for(met.by), value: met.thread.to_string() });
        writes.push(Write::Retry { job: met.job.id.clone(), due_at: clock::now(), attempts });
        Ok(writes)
    }

    /// Did this meet a deleted topic?
    pub async fn was_made_anew_for(&self, door: &Door, by: &str) -> Result<bool, ServiceError> {
        Ok(door.service.store.kept(&self.anew_for(by)).await?.is_some())
    }

    /// It was closed by hand: it is opened, once, and the job done again.
    pub async fn opened(&self, door: &Door, met: &Met<'_>) -> Result<Vec<Write>, ServiceError> {
        let name = format!("{}-opened:{}", self.kept_as, met.by);
        let again = Write::Retry { job: met.job.id.clone(), due_at: clock::now(), attempts: met.job.attempts };
        let failure = match door.service.store.kept(&name).await? {
            Some(_) => met.reason.to_owned(),
            None => match door.api.reopen_topic(door.seat.chat_id, met.thread).await {
                Ok(()) => return Ok(vec![Write::Keep { name, value: met.thread.to_string() }, again]),
                Err(Failure::Permanent { reason, .. }) => reason,
                // The job meets the closed topic again, and this is tried again.
                Err(_) => return Ok(vec![again]),
            },
        };
        let reason = format!("the topic of its {} is closed and could not be opened ({failure})", self.belongs_to);
        Ok(vec![Write::FailJob { job: met.job.id.clone(), reason }])
    }

    fn deleted(&self) -> String {
        format!("{}-deleted:{}", self.kept_as, self.id)
    }

    fn anew_for(&self, by: &str) -> String {
        format!("{}-anew:{by}", self.kept_as)
    }
}
