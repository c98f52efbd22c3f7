//! What waits for somebody, and what they asked that nobody answered. A pull view: it is made anew each time and posts nothing.

use std::collections::HashMap;

use pager_questions::unanswered::{OVER_AFTER_MILLIS, Opened, unanswered};
use pager_questions::{Party, Record, Request, ThreadId, Time, Unanswered};

use crate::clock;
use crate::service::{Service, ServiceError};

/// The most of each kind.
const MOST: u32 = 1000;

/// What somebody should know.
#[derive(Debug)]
pub struct Status {
    /// Open questions that only they can settle, as their door lists them.
    pub awaiting_you: Vec<Record>,
    /// What they asked and nobody answered, oldest first.
    pub unanswered: Vec<Unanswered>,
}

impl Service {
    /// The status of one side.
    ///
    /// # Errors
    /// `Unusable`
    pub async fn status(&self, party: &Party) -> Result<Status, ServiceError> {
        let awaiting_you = match party {
            Party::Owner => self.store.open(MOST, None).await?.into_iter().map(|listed| listed.record).collect(),
            Party::Agent(agent) => self.store.put_to(agent, MOST).await?,
        };
        Ok(Status { awaiting_you, unanswered: self.unanswered(party).await? })
    }

    /// What this side asked and nobody answered, oldest first.
    ///
    /// # Errors
    /// `Unusable`
    pub async fn unanswered(&self, party: &Party) -> Result<Vec<Unanswered>, ServiceError> {
        let now = clock::now();
        let since = now.plus_millis(-OVER_AFTER_MILLIS);
        let mut threads = Vec::new();
        for request in self.store.unanswered_requests(Some(party), since, MOST).await? {
            let Request { id, title, at, deadline, .. } = request;
            threads.push(Thread { id: id.thread(), title, asked_at: at, deadline });
        }
        if let Party::Agent(agent) = party {
            for record in self.store.opened_by(agent, since, MOST).await? {
                let question = &record.question;
                let (id, title) = (question.id.thread(), question.title());
                threads.push(Thread { id, title, asked_at: question.asked_at, deadline: question.deadline });
            }
        }
        let after = self.policy.unanswered_after;
        // What is not late yet needs no look at what is asked about it, and what nobody answered none at its replies.
        threads.retain(|thread| unanswered(&thread.opened(&[]), now, after).is_some());
        threads.sort_by_key(|thread| thread.asked_at);
        let clarifies = self.clarifies(party, &threads).await?;
        let of = |thread: &Thread| clarifies.get(&thread.id).map_or(&[][..], Vec::as_slice);
        Ok(threads.iter().filter_map(|thread| unanswered(&thread.opened(of(thread)), now, after)).collect())
    }

    /// The summary of a request for its author, from what was read of its thread.
    pub fn unanswered_request(&self, request: &Request, answers: u64, about: &[Record]) -> Option<Unanswered> {
        let Request { id, title, at, deadline, .. } = request;
        let thread = Thread { id: id.thread(), title: title.clone(), asked_at: *at, deadline: *deadline };
        let clarifies = put_to(&request.party(), about.to_vec());
        unanswered(&Opened { answers, ..thread.opened(&clarifies) }, clock::now(), self.policy.unanswered_after)
    }

    /// What is asked of this side about each of these threads, read at once.
    async fn clarifies(&self, party: &Party, threads: &[Thread]) -> Result<HashMap<ThreadId, Vec<Record>>, ServiceError> {
        let mut clarifies: HashMap<ThreadId, Vec<Record>> = HashMap::new();
        if threads.is_empty() {
            return Ok(clarifies);
        }
        let ids: Vec<ThreadId> = threads.iter().map(|thread| thread.id.clone()).collect();
        for record in put_to(party, self.store.about_any(&ids).await?) {
            if let Some(about) = record.question.about.clone() {
                clarifies.entry(about).or_default().push(record);
            }
        }
        Ok(clarifies)
    }
}

/// What opened a thread.
struct Thread {
    id: ThreadId,
    title: String,
    asked_at: Time,
    deadline: Option<Time>,
}

impl Thread {
    /// As nobody answered it.
    fn opened<'a>(&'a self, clarifies: &'a [Record]) -> Opened<'a> {
        Opened { id: &self.id, title: &self.title, asked_at: self.asked_at, deadline: self.deadline, answers: 0, clarifies }
    }
}

/// Those that wait for this side.
fn put_to(party: &Party, mut about: Vec<Record>) -> Vec<Record> {
    about.retain(|record| record.question.put_to.as_ref() == party.agent());
    about
}
