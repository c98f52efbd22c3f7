//! What waits for somebody, and what they asked that nobody answered. A pull view: it is made anew each time and posts nothing.

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
        let mut found: Vec<(Time, Unanswered)> = Vec::new();
        for request in self.store.unanswered_requests(Some(party), since, MOST).await? {
            let thread = request.id.thread();
            let opened = opened(&thread, &request.title, request.at, request.deadline);
            let summary = self.summary(party, opened, now).await?;
            found.extend(summary.map(|summary| (request.at, summary)));
        }
        if let Party::Agent(agent) = party {
            for record in self.store.opened_by(agent, since, MOST).await? {
                let question = &record.question;
                let (thread, title) = (question.id.thread(), question.title());
                let opened = opened(&thread, &title, question.asked_at, question.deadline);
                let summary = self.summary(party, opened, now).await?;
                found.extend(summary.map(|summary| (question.asked_at, summary)));
            }
        }
        found.sort_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, summary)| summary).collect())
    }

    /// The summary of a request for its author, from what was read of its thread.
    pub fn unanswered_request(&self, request: &Request, answers: u64, about: &[Record]) -> Option<Unanswered> {
        let thread = request.id.thread();
        let clarifies = put_to(&request.party(), about.to_vec());
        let opened = Opened { answers, clarifies: &clarifies, ..opened(&thread, &request.title, request.at, request.deadline) };
        unanswered(&opened, clock::now(), self.policy.unanswered_after)
    }

    /// The summary of what nobody answered yet: no reply in its thread need be read.
    async fn summary(&self, party: &Party, opened: Opened<'_>, now: Time) -> Result<Option<Unanswered>, ServiceError> {
        // What is not late yet needs no look into its thread.
        if unanswered(&opened, now, self.policy.unanswered_after).is_none() {
            return Ok(None);
        }
        let clarifies = put_to(party, self.store.about(opened.id).await?);
        Ok(unanswered(&Opened { clarifies: &clarifies, ..opened }, now, self.policy.unanswered_after))
    }
}

fn opened<'a>(id: &'a ThreadId, title: &'a str, asked_at: Time, deadline: Option<Time>) -> Opened<'a> {
    Opened { id, title, asked_at, deadline, answers: 0, clarifies: &[] }
}

/// Those that wait for this side.
fn put_to(party: &Party, mut about: Vec<Record>) -> Vec<Record> {
    about.retain(|record| record.question.put_to.as_ref() == party.agent());
    about
}
