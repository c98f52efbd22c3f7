//! `/mute`: until then the sender holds updates, questions and reminders back, but for approvals. Everything is recorded, and outcomes, edits and replies still go.
//! The moment is kept in the store, so it outlives a restart; what is held is a job that is due at that moment.

use pager_bot::render::replies;
use pager_bot::{Class, Mute};
use pager_questions::apply::Event;
use pager_questions::{Delivery, DeliveryState, Purpose, Record, Time};

use super::sender::Outcome;
use super::{Door, kind_class, updates};
use crate::clock;
use crate::service::ServiceError;
use crate::store::{Cursor, Job, JobKind, JobState, Write};

/// Where the moment is kept, in milliseconds since 1970.
const NAME: &str = "telegram.muted_until";
/// How many open questions are looked through at a time.
const PAGE: u32 = 200;

/// What the sender knows of it.
#[derive(Default)]
pub(super) struct Muting {
    /// The moment that was kept when it looked last; None before.
    seen: Option<Option<Time>>,
}

impl Muting {
    /// Looks whether that changed; then what is held back is looked at anew.
    pub(super) async fn look(&mut self, door: &Door) -> Result<(), ServiceError> {
        let kept = kept(door).await?;
        if self.seen != Some(kept) {
            release(door).await?;
            self.seen = Some(kept);
        }
        Ok(())
    }

    /// Until when news is held back, when it is.
    pub(super) fn lasts(&self) -> Option<Time> {
        self.seen.flatten().filter(|until| *until > clock::now())
    }

    /// Holds this job back, if it has to be. What was begun before is finished, and what is over needs no quiet.
    pub(super) async fn holds(&self, door: &Door, job: &Job, record: &Record) -> Result<bool, ServiceError> {
        let Some(until) = self.lasts() else { return Ok(false) };
        let comes_through = record.is_over() || record.question.purpose == Purpose::Approval;
        if !is_news(job) || job.attempts > 0 || comes_through {
            return Ok(false);
        }
        let later = Write::Retry { job: job.id.clone(), due_at: until, attempts: 0 };
        let reason = Some(format!("muted until {}", until.for_people(&door.zone)));
        let delivery = Delivery { state: DeliveryState::Queued, reason, link: None };
        // What was shown and lacks only its document is shown all the same.
        if record.delivery.state == DeliveryState::Shown {
            door.service.store.commit(vec![later]).await?;
        } else {
            door.service.change(record.clone(), None, &Event::Deliver(delivery), &[later]).await?;
        }
        Ok(true)
    }
}

/// What the command does: the reply, and what is to be kept.
pub(super) async fn command(door: &Door, rest: &str) -> Result<(String, Option<Write>), ServiceError> {
    let keep = |until: Time| Some(Write::Keep { name: NAME.to_owned(), value: until.as_millis().to_string() });
    Ok(match Mute::parse(rest) {
        Ok(Mute::For(length)) => {
            let until = clock::now().plus_millis(i64::try_from(length.as_millis()).unwrap_or(i64::MAX));
            (replies::muted(until, &door.zone), keep(until))
        }
        Ok(Mute::Off) => (replies::unmuted(), keep(Time::from_millis(0))),
        Err(_) => {
            let until = kept(door).await?.filter(|until| *until > clock::now());
            (replies::how_to_mute(until, &door.zone), None)
        }
    })
}

/// What to do with an end or news while the question's message is still on its way: wait for it. A question that is held
/// back and has ended needs no quiet any more; one that waits is shown as it is by then.
pub(super) async fn meanwhile(door: &Door, record: &Record, soon: Time) -> Result<Outcome, ServiceError> {
    let held = held(door, record).await?;
    if held.is_empty() {
        return Ok(Outcome::Later(soon));
    }
    if !record.is_over() {
        return Ok(Outcome::done());
    }
    door.service.store.commit(held).await?;
    Ok(Outcome::Later(soon))
}

/// Makes everything due that was held back. What is still to be held is held again.
async fn release(door: &Door) -> Result<(), ServiceError> {
    let store = &door.service.store;
    let news = updates::hurried(door).await?;
    if !news.is_empty() {
        store.commit(news).await?;
    }
    let mut after: Option<Cursor> = None;
    loop {
        let page = store.open(PAGE, after.take()).await?;
        for listed in &page {
            let held = held(door, &listed.record).await?;
            if !held.is_empty() {
                store.commit(held).await?;
            }
        }
        match page.last() {
            Some(last) if page.len() == PAGE as usize => after = Some(last.cursor.clone()),
            _ => return Ok(()),
        }
    }
}

/// What makes the jobs of this question due that are held back.
async fn held(door: &Door, record: &Record) -> Result<Vec<Write>, ServiceError> {
    let now = clock::now();
    let jobs = door.service.store.jobs_of(&record.question.incarnation).await?;
    let is_held = |job: &Job| is_news(job) && job.state == JobState::Waiting && job.attempts == 0 && job.due_at > now;
    let due = |job: Job| Write::Retry { job: job.id, due_at: now, attempts: 0 };
    Ok(jobs.into_iter().filter(is_held).map(due).collect())
}

/// What comes without anybody having asked for it in this moment.
fn is_news(job: &Job) -> bool {
    kind_class(&job.kind) == Class::Question || job.kind == JobKind::Remind
}

async fn kept(door: &Door) -> Result<Option<Time>, ServiceError> {
    let kept = door.service.store.kept(NAME).await?;
    Ok(kept.and_then(|millis| millis.parse().ok()).map(Time::from_millis).filter(|until| until.as_millis() > 0))
}
