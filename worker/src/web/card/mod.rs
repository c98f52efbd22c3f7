//! A question that is not over, as its card shows it.

mod due;
mod saving;
mod words;

use jiff::tz::TimeZone;
use pager_questions::{Answer, Delivery, DeliveryState, Outcome, Purpose, Question, QuestionOption, Record, State, ends};

use super::about::About;
use super::links::Link;
use super::shown::Shown;
use crate::clock;
pub use due::Due;
use saving::Saving;
use words::Words;

/// One question that is not over.
pub struct Card {
    /// Its incarnation.
    pub key: String,
    /// The agent's name.
    pub agent: String,
    /// What it is for, where that is more than a question.
    pub purpose: Option<&'static str>,
    /// At most 30 characters of title.
    pub header: Option<Shown>,
    /// The question.
    pub text: Shown,
    /// The question on one line, for lists and news.
    pub title: Shown,
    /// Declared hard to reverse.
    pub is_hard: bool,
    /// Should have declared its reversibility and did not.
    pub is_unclassified: bool,
    /// The id of the set that it was asked in.
    pub group: Option<String>,
    /// It stands under the heading of its set.
    pub is_in_set: bool,
    /// What it is about; looked for by whoever shows it.
    pub about: Option<About>,
    /// The agent that settles it in place of the owner.
    pub put_to: Option<Shown>,
    /// What stands still.
    pub waiting_on: Option<Shown>,
    /// The category of the reserved action.
    pub gate: Option<Shown>,
    /// Exactly what is to be done.
    pub subject: Option<Shown>,
    /// Of the subject.
    pub digest: Option<Shown>,
    /// What the owner is to do, step by step.
    pub steps: Vec<Shown>,
    /// When its time is up.
    pub due: Option<Due>,
    /// What can be picked; none for a clarification.
    pub options: Vec<Choice>,
    /// Several may be picked.
    pub is_multi: bool,
    /// What was typed looks like a secret, and may be sent all the same.
    pub is_held: bool,
    /// The field for own words.
    pub words: Option<Words>,
    /// What the agent does when it is declined; None where an option is called that.
    pub declining: Option<&'static str>,
    /// Task, project, run and seat, each with its name.
    pub context: Vec<(&'static str, Shown)>,
    /// The matter in some tracker.
    pub issue: Option<Link>,
    /// When it was asked, in the owner's zone.
    pub asked: String,
    /// The same for machines.
    pub asked_at: String,
    /// The answer under way, when there is one.
    pub saving: Option<Saving>,
    /// Why the last answer was not saved.
    pub refused: Option<Shown>,
    /// That nobody waits any more.
    pub unattended: Option<Shown>,
    /// Why it does not stand in the chat, when it does not.
    pub delivery: Option<Shown>,
    /// It is answered, but the private words were lost before its agent had them: they are asked for once more.
    pub is_lost: bool,
    /// Why what was just sent does not count.
    pub trouble: Option<Shown>,
    /// What stands in the field, exactly as it was typed.
    pub typed: String,
}

/// One button, or one box to tick.
pub struct Choice {
    /// The option's id.
    pub id: String,
    /// What is on it.
    pub label: Shown,
    /// Its trade-off.
    pub detail: Option<Shown>,
    /// The agent recommends it.
    pub is_recommended: bool,
    /// The agent goes on with it when nobody answers.
    pub is_default: bool,
    /// It is ticked.
    pub is_picked: bool,
}

impl Card {
    /// A record that is not over; None when it is.
    pub fn of(record: &Record, zone: &TimeZone) -> Option<Self> {
        (!record.is_over()).then(|| Self::whole(record, zone))
    }

    /// Everything of a record that its card shows, also once it is over: then the options that were picked are ticked.
    pub fn whole(record: &Record, zone: &TimeZone) -> Self {
        let (saving, refused) = match &record.state {
            State::Open { refused } => (None, refused.as_ref().map(|note| Shown::of(&note.reason))),
            State::Answering(claim) => (Some(Saving::of(claim, record, zone)), None),
            State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => (None, None),
        };
        let question = &record.question;
        Self {
            key: question.incarnation.to_string(),
            agent: question.source.agent.to_string(),
            purpose: called(question.purpose),
            header: Shown::some(question.header.as_ref()),
            text: Shown::of(&question.text),
            title: Shown::of(&question.title()),
            is_hard: question.is_hard_to_reverse(),
            is_unclassified: question.reversibility.is_none() && question.purpose.shows_unclassified(),
            group: question.group.clone(),
            is_in_set: false,
            about: None,
            put_to: question.put_to.as_ref().map(|agent| Shown::of(agent.as_str())),
            waiting_on: Shown::some(question.waiting_on.as_ref()),
            gate: question.gate.as_ref().map(|gate| Shown::of(gate.as_str())),
            subject: Shown::some(question.subject.as_ref()),
            digest: Shown::some(question.digest.as_ref()),
            steps: question.steps.iter().map(|step| Shown::of(step)).collect(),
            due: Due::of(question, zone, clock::now()),
            options: choices(question, record.answer()),
            is_multi: question.multi,
            is_held: false,
            words: Words::of(question),
            declining: declining(question),
            context: context(question),
            issue: question.issue.as_ref().map(Link::to_issue),
            asked: question.asked_at.for_people(zone),
            asked_at: question.asked_at.to_string(),
            saving,
            refused,
            unattended: Shown::some(ends::unattended(record, zone).as_ref()),
            delivery: delivery(&record.delivery),
            is_lost: false,
            trouble: None,
            typed: String::new(),
        }
    }

    /// A question whose private words were lost: nothing but words can be given.
    pub fn of_lost(record: &Record, zone: &TimeZone) -> Self {
        let whole = Self::whole(record, zone);
        Self { is_lost: true, options: Vec::new(), is_multi: false, declining: None, due: None, group: None, ..whole }
    }

    /// The element of its heading: one below that of its set.
    pub fn level(&self) -> &'static str {
        if self.is_in_set { "h3" } else { "h2" }
    }

    /// Whether the question is more than a few lines.
    pub fn is_long(&self) -> bool {
        self.text.to_string().chars().count() > 240
    }

    /// What was just sent does not count: why, and what was typed and ticked. Private words are never sent back.
    pub fn refuse(&mut self, message: Shown, typed: String, picked: &[String]) {
        let is_private = self.words.is_some_and(|words| words.is_private);
        self.typed = if is_private { String::new() } else { typed };
        self.trouble = Some(message);
        for option in &mut self.options {
            option.is_picked = self.is_multi && picked.contains(&option.id);
        }
    }
}

/// What a purpose is called, where it asks for more than an answer.
pub fn called(purpose: Purpose) -> Option<&'static str> {
    match purpose {
        Purpose::Question | Purpose::Clarification => None,
        Purpose::Decision => Some("Decision"),
        Purpose::Approval => Some("Approval"),
        Purpose::Action => Some("For you to do"),
        Purpose::Verify => Some("To verify"),
        Purpose::Offer => Some("Offer"),
    }
}

/// Task, project, run and seat, each with its name.
fn context(question: &Question) -> Vec<(&'static str, Shown)> {
    let source = &question.source;
    let context = [("Project", &source.project), ("Task", &source.task), ("Run", &source.run), ("Seat", &source.seat_hint)];
    context.into_iter().filter_map(|(name, value)| Some((name, Shown::some(value.as_ref())?))).collect()
}

/// The options of a question; ticked are those that this answer picked.
fn choices(question: &Question, answer: Option<&Answer>) -> Vec<Choice> {
    let picked = answer.filter(|answer| answer.outcome == Outcome::Chosen).and_then(|answer| answer.choice.as_deref());
    let choice = |option: &QuestionOption| Choice {
        id: option.id.to_string(),
        label: Shown::of(&option.label),
        detail: Shown::some(option.detail.as_ref()),
        is_recommended: question.recommended.as_ref() == Some(&option.id),
        is_default: question.default.as_ref() == Some(&option.id),
        is_picked: picked.is_some_and(|picked| picked.split(',').any(|id| id == option.id.as_str())),
    };
    question.options.iter().map(choice).collect()
}

fn declining(question: &Question) -> Option<&'static str> {
    match question.purpose {
        // One of its options says so already.
        Purpose::Approval => None,
        Purpose::Action => Some("The agent is told that it is not done"),
        Purpose::Verify => Some("The agent is told that it is not verified"),
        Purpose::Question | Purpose::Clarification | Purpose::Decision | Purpose::Offer => {
            Some("The agent goes on by its own judgement")
        }
    }
}

/// One line about a question that the chat does not have, or may not have. Whatever is on its way as usual needs no word.
fn delivery(delivery: &Delivery) -> Option<Shown> {
    let reason = delivery.reason.as_deref();
    let line = match delivery.state {
        DeliveryState::Stored => return None,
        DeliveryState::Queued => format!("Not in Telegram yet: {}.", reason?),
        DeliveryState::Shown => format!("In Telegram, though {}.", reason?),
        DeliveryState::Uncertain => format!("Perhaps not in Telegram: {}.", reason.unwrap_or("no reply came")),
        DeliveryState::Undeliverable => format!("Not in Telegram: {}.", reason.unwrap_or("it was refused")),
    };
    Some(Shown::of(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_on_its_way_as_usual_gets_a_line_about_its_delivery() {
        let line = |state, reason: Option<&str>| {
            let delivery = Delivery { state, reason: reason.map(str::to_owned), link: None };
            super::delivery(&delivery).map(|line| line.to_string())
        };
        assert_eq!(line(DeliveryState::Stored, None), None);
        assert_eq!(line(DeliveryState::Queued, None), None);
        assert_eq!(line(DeliveryState::Shown, None), None);
        let told = |state| line(state, Some("why")).expect("a line");
        assert_eq!(told(DeliveryState::Queued), "Not in Telegram yet: why.");
        assert_eq!(told(DeliveryState::Uncertain), "Perhaps not in Telegram: why.");
        assert_eq!(told(DeliveryState::Undeliverable), "Not in Telegram: why.");
    }
}
