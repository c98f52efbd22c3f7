//! An answer that is being saved, as its card shows it.

use jiff::tz::TimeZone;
use pager_questions::{Claim, Record, ends};

use crate::web::shown::Shown;

/// An answer that is being saved.
pub struct Saving {
    /// Who answered, and where.
    pub who: Shown,
    /// What they answered; of private words that there are some.
    pub said: Option<Shown>,
    /// It is not known whether the last try worked.
    pub is_uncertain: bool,
    /// Since when and why, once it takes long.
    pub delay: Option<Shown>,
}

impl Saving {
    /// The claim of this record.
    pub fn of(claim: &Claim, record: &Record, zone: &TimeZone) -> Self {
        let answer = &claim.answer;
        let place = answer.by.via.map(|via| format!(" {}", via.place())).unwrap_or_default();
        let said =
            if answer.private == Some(true) { Some(Shown::of(ends::PRIVATE)) } else { Shown::some(answer.answer.as_ref()) };
        Self {
            who: Shown::of(&format!("{}{place}", ends::who(&answer.by))),
            said,
            is_uncertain: claim.uncertain.is_some(),
            delay: Shown::some(ends::being_saved(record, zone).as_ref()),
        }
    }
}
