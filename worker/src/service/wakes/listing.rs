//! Lists what a runner can be woken for. What became pointless before anybody was woken is dropped; what was marked as often as it may
//! be is given up.

use pager_questions::wake::{self, About, Reason};
use pager_questions::{Record, RecordView, Reply, Request, State, Time, resume};

use super::{MOST, MOST_TIMES, Wake, Wakes, Wanted};
use crate::clock;
use crate::service::{Service, ServiceError};
use crate::store::{StoreError, StoredWake, WakeState, Write};

/// What a stored wake is about, as it is when it is listed.
enum Matter {
    /// This.
    Stands(Box<Wake>),
    /// Nothing that could be told at this moment.
    NotNow,
    /// Nothing any more.
    Pointless,
}

impl Service {
    /// What there is for this runner, oldest first. Listing marks nothing.
    ///
    /// # Errors
    /// `Unusable`
    pub async fn wakes(&self, wanted: &Wanted) -> Result<Wakes, ServiceError> {
        self.find_wakes(wanted).await?;
        let now = clock::now();
        let mut found = Wakes::default();
        for stored in self.store.waiting_wakes(&wanted.agent, MOST).await? {
            if let Some(lease) = stored.lease_until.filter(|lease| *lease > now) {
                found.next_lease = Some(found.next_lease.map_or(lease, |next: Time| next.min(lease)));
                continue;
            }
            if stored.times >= MOST_TIMES {
                self.give_up(stored).await?;
                continue;
            }
            match self.matter(wanted, &stored).await? {
                Matter::Stands(wake) => found.items.push(*wake),
                Matter::NotNow => {}
                Matter::Pointless => self.end_wake(stored, WakeState::Dropped).await.map(|_| ())?,
            }
        }
        Ok(found)
    }

    async fn give_up(&self, stored: StoredWake) -> Result<(), ServiceError> {
        let (agent, id, reason) = (stored.agent.clone(), stored.id.clone(), stored.id.reason().as_str());
        if self.end_wake(stored, WakeState::GivenUp).await? {
            tracing::warn!(%agent, wake = %id, "a wake was marked {MOST_TIMES} times and never acknowledged; it is given up");
            self.metrics.wake_given_up(reason);
        }
        Ok(())
    }

    /// False when it has another mark by now.
    async fn end_wake(&self, stored: StoredWake, state: WakeState) -> Result<bool, ServiceError> {
        let from = stored.mark.clone();
        let wake = Box::new(StoredWake { state, mark: None, lease_until: None, ..stored });
        match self.store.commit(vec![Write::ChangeWake { wake, from }]).await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn matter(&self, wanted: &Wanted, stored: &StoredWake) -> Result<Matter, ServiceError> {
        let is_marked = stored.times > 0;
        match stored.id.about() {
            About::Record(incarnation) => match self.store.record_of(incarnation).await? {
                Some(record) => self.about_record(stored, record).await,
                None => Ok(Matter::Pointless),
            },
            About::Reply(id) => {
                let Some(reply) = self.store.reply(id).await? else { return Ok(Matter::Pointless) };
                let Some(request) = self.store.request(&reply.request).await? else { return Ok(Matter::Pointless) };
                let told = (wake::of_reply(), wake::reply_message(&reply, &request));
                Ok(stands(stored, told, (None, Some(request), Some(reply))))
            }
            About::Request(id) => {
                let Some(request) = self.store.request(id).await? else { return Ok(Matter::Pointless) };
                if !is_marked && !self.store.is_still_of_interest(&stored.agent, id).await? {
                    return Ok(Matter::Pointless);
                }
                // Another runner of this agent, or this one before its tags were changed, may have listed it.
                if !request.is_of_interest(&wanted.skills) {
                    return Ok(Matter::NotNow);
                }
                let told = (wake::of_request(), wake::request_message(&request));
                Ok(stands(stored, told, (None, Some(request), None)))
            }
        }
    }

    async fn about_record(&self, stored: &StoredWake, record: Record) -> Result<Matter, ServiceError> {
        let request = match &record.question.about {
            Some(about) => self.store.request(&about.request()).await?,
            None => None,
        };
        match stored.id.reason() {
            Reason::Awaiting => match record.state {
                State::Open { .. } => {
                    let message = wake::awaiting_message(&record.question, request.as_ref());
                    let told = (wake::of_awaiting(&record.question), message);
                    Ok(stands(stored, told, (Some(record), request, None)))
                }
                State::Answering(_) => Ok(Matter::NotNow),
                _ => Ok(Matter::Pointless),
            },
            Reason::LatePick => {
                let origin = crate::service::late_pick_origin(&record.question.incarnation);
                let Some(reply) = self.store.reply_from(&origin).await? else { return Ok(Matter::Pointless) };
                let told = (wake::of_late_pick(), wake::late_pick_message(&record.question, &reply));
                Ok(stands(stored, told, (Some(record), request, Some(reply))))
            }
            _ => match wake::of_end(&record).zip(resume::resume_message(&record)) {
                Some(told) => Ok(stands(stored, told, (Some(record), request, None))),
                None => Ok(Matter::Pointless),
            },
        }
    }
}

type Objects = (Option<Record>, Option<Request>, Option<Reply>);

fn stands(stored: &StoredWake, told: (String, String), objects: Objects) -> Matter {
    let (text, message) = told;
    let (record, request, reply) = objects;
    Matter::Stands(Box::new(Wake {
        id: stored.id.clone(),
        reason: stored.id.reason(),
        text,
        author: stored.author.clone(),
        at: stored.at,
        message,
        repeated: stored.times > 0,
        record: record.as_ref().map(RecordView::from),
        request,
        reply,
    }))
}
