//! Effects as rows of the outbox. Saving an answer has no row: the claim in the record is its row.

use pager_questions::apply::Effect;
use pager_questions::{Incarnation, Record};

use super::Service;
use crate::store::{Job, JobKind, JobState, Write};
use crate::telegram::{Origin, class, class_about};
use crate::{clock, hub};

impl Service {
    /// The rows that an effect of this record needs.
    pub(super) fn jobs(&self, effect: &Effect, record: &Record) -> Vec<Write> {
        if *effect == Effect::Wake {
            let dispatched = self.outlet.dispatches(record);
            return dispatched.then(|| Write::AddDispatch(hub::wake_up(record))).into_iter().collect();
        }
        // What is put to an agent is shown in no chat.
        if !self.has_telegram || record.question.put_to.is_some() {
            return Vec::new();
        }
        let id = effect.id(record);
        let kinds = match effect {
            // A wake-up goes to the control repository instead.
            Effect::Save { .. } | Effect::Wake => vec![],
            Effect::Show => vec![JobKind::CreateTopic],
            Effect::Refresh => vec![JobKind::EditQuestion],
            Effect::Remind => vec![JobKind::Remind],
            Effect::Close => vec![JobKind::EditQuestion, JobKind::MarkTopic],
            Effect::Thank { origin } => {
                let text = Origin::parse(origin);
                text.map(|Origin { chat, message }| JobKind::Thank { chat, message }).into_iter().collect()
            }
            Effect::Regret { origin, reason } => {
                let to = origin.as_deref().and_then(Origin::parse).map(|origin| origin.message);
                vec![JobKind::Reply { thread: None, to, text: pager_bot::render::replies::not_saved(reason) }]
            }
        };
        let jobs = kinds.into_iter().enumerate().map(|(index, kind)| job(format!("{id}-{index}"), record, kind));
        jobs.map(Write::AddJob).collect()
    }
}

/// A row that waits, due at once.
pub fn job(id: String, record: &Record, kind: JobKind) -> Job {
    let class = class_about(&kind, record);
    let incarnation = Some(record.question.incarnation.clone());
    Job { id, incarnation, kind, class, state: JobState::Waiting, due_at: clock::now(), attempts: 0 }
}

/// The same about whatever has this key.
pub fn job_about(id: String, key: Incarnation, kind: JobKind) -> Job {
    Job { incarnation: Some(key), ..job_about_none(id, kind) }
}

/// A row about no question, due at once.
pub fn job_about_none(id: String, kind: JobKind) -> Job {
    let class = class(&kind);
    Job { id, incarnation: None, kind, class, state: JobState::Waiting, due_at: clock::now(), attempts: 0 }
}
