//! Finds what an agent is to be woken for, and stores it: out of what happened to it since it keeps a runner, and out of open requests.

use pager_questions::wake::Reason;
use pager_questions::{Author, Incarnation, Party, ReplyId, Time, WakeId};

use super::{MOST, Wanted, asker, name_of};
use crate::clock;
use crate::service::{Service, ServiceError};
use crate::store::{CauseKind, OfInterest, Runner, StoredWake, WakeCause, WakeState, Write};

impl Service {
    /// Stores whatever is new for this runner. The first call makes the agent one that keeps a runner.
    pub(super) async fn find_wakes(&self, wanted: &Wanted) -> Result<(), ServiceError> {
        let now = clock::now();
        let young = now.plus_millis(-wanted.catchup);
        let agent = &wanted.agent;
        let since = match self.store.runner(agent).await? {
            Some(runner) => runner.since,
            None => {
                let runner = Runner { agent: agent.clone(), since: young };
                self.store.commit(vec![Write::RegisterRunner(runner)]).await?;
                young
            }
        };
        loop {
            let causes = self.store.wake_causes(agent, young, MOST).await?;
            let Some(last) = causes.last() else { break };
            let mut writes = Vec::with_capacity(causes.len() + 1);
            for cause in &causes {
                let wake = self.caused(agent, cause, young).await?;
                writes.extend(wake.map(|wake| Write::AddWake(Box::new(wake))));
            }
            writes.push(Write::SettleCauses { agent: agent.clone(), since: young, up_to: last.number });
            self.store.commit(writes).await?;
        }
        self.find_requests(wanted, since.max(young), now).await
    }

    /// The wake that follows from this; None where none does, or what happened is too old.
    async fn caused(&self, agent: &Author, cause: &WakeCause, young: Time) -> Result<Option<StoredWake>, ServiceError> {
        let is_young = cause.at > young;
        let found = match cause.kind {
            CauseKind::Ended => match self.record_named(&cause.subject).await? {
                Some(record) => WakeId::of_end(&record)
                    .filter(|id| is_young || id.reason() == Reason::Deadline)
                    .map(|id| (id, asker(&record))),
                None => None,
            },
            _ if !is_young => None,
            CauseKind::LatePick => {
                let record = self.record_named(&cause.subject).await?;
                record.map(|record| (WakeId::of_late_pick(&record.question.incarnation), asker(&record)))
            }
            CauseKind::Awaiting => {
                let record = self.record_named(&cause.subject).await?;
                record.map(|record| {
                    let helper = record.question.source.agent.to_string();
                    (WakeId::of_awaiting(&record.question.incarnation), Some(helper))
                })
            }
            CauseKind::Reply => match ReplyId::parse(&cause.subject) {
                Ok(id) => {
                    let reply = self.store.reply(&id).await?;
                    reply.map(|reply| (WakeId::of_reply(&id), name_of(Party::of(&reply.author).as_ref())))
                }
                Err(_) => None,
            },
        };
        Ok(found.map(|(id, author)| StoredWake::listed(agent, id, author, cause.at)))
    }

    async fn find_requests(&self, wanted: &Wanted, since: Time, until: Time) -> Result<(), ServiceError> {
        let of_interest = OfInterest {
            agent: wanted.agent.clone(),
            skills: wanted.skills.clone(),
            since,
            until,
            reason: Reason::Request,
            limit: MOST,
        };
        let requests = self.store.requests_of_interest(&of_interest).await?;
        let listed = requests.iter().map(|request| {
            let author = name_of(Some(&request.party()));
            Write::AddWake(Box::new(StoredWake::listed(&wanted.agent, WakeId::of_request(&request.id), author, request.at)))
        });
        let writes: Vec<Write> = listed.collect();
        if writes.is_empty() { Ok(()) } else { Ok(self.store.commit(writes).await?) }
    }

    /// The record of an incarnation that stands in a store as text.
    pub(super) async fn record_named(&self, incarnation: &str) -> Result<Option<pager_questions::Record>, ServiceError> {
        match Incarnation::parse(incarnation) {
            Ok(incarnation) => Ok(self.store.record_of(&incarnation).await?),
            Err(_) => Ok(None),
        }
    }
}

impl StoredWake {
    /// One that nobody was woken for.
    pub(super) fn listed(agent: &Author, id: WakeId, author: Option<String>, at: Time) -> Self {
        let agent = agent.clone();
        Self { agent, id, author, at, state: WakeState::Waiting, mark: None, lease_until: None, times: 0 }
    }
}
