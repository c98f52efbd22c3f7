//! A question that is not over, as its card shows it.

use jiff::tz::TimeZone;
use pager_questions::{Claim, Delivery, DeliveryState, Record, State, ends};
use url::Url;

use super::shown::Shown;

/// One question that is not over.
pub struct Card {
    /// Its incarnation.
    pub key: String,
    /// The agent's name.
    pub agent: String,
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
    /// What stands still.
    pub waiting_on: Option<Shown>,
    /// What can be pressed; none for a clarification.
    pub options: Vec<Choice>,
    /// Task, project, run and seat, each with its name.
    pub context: Vec<(&'static str, Shown)>,
    /// The matter in some tracker.
    pub issue: Option<IssueLink>,
    /// When it was asked, in the owner's zone.
    pub asked: String,
    /// The same for machines.
    pub asked_at: String,
    /// The answer under way, when there is one.
    pub saving: Option<Saving>,
    /// Why the last answer was not saved.
    pub refused: Option<Shown>,
    /// Why it does not stand in the chat, when it does not.
    pub delivery: Option<Shown>,
    /// Why what was just sent does not count.
    pub trouble: Option<Shown>,
    /// What was typed looks like a secret, and may be sent all the same.
    pub is_held: bool,
    /// What stands in the field, exactly as it was typed.
    pub typed: String,
}

/// One button.
pub struct Choice {
    /// The option's id.
    pub id: String,
    /// What is on it.
    pub label: Shown,
    /// Its trade-off.
    pub detail: Option<Shown>,
    /// The agent recommends it.
    pub is_recommended: bool,
}

/// A link to follow, when it is one that can be followed.
pub struct IssueLink {
    /// The tracker and the key.
    pub text: Shown,
    /// http or https.
    pub url: Option<String>,
}

/// An answer that is being saved.
pub struct Saving {
    /// Who answered, and where.
    pub who: Shown,
    /// What they answered.
    pub said: Option<Shown>,
    /// It is not known whether the last try worked.
    pub is_uncertain: bool,
    /// Since when and why, once it takes long.
    pub delay: Option<Shown>,
}

impl Card {
    /// A record that is not over; None when it is.
    pub fn of(record: &Record, zone: &TimeZone) -> Option<Self> {
        let (saving, refused) = match &record.state {
            State::Open { refused } => (None, refused.as_ref().map(|note| Shown::of(&note.reason))),
            State::Answering(claim) => (Some(Saving::of(claim, ends::being_saved(record, zone))), None),
            State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => return None,
        };
        let question = &record.question;
        let source = &question.source;
        let context = [("Project", &source.project), ("Task", &source.task), ("Run", &source.run), ("Seat", &source.seat_hint)];
        let choice = |option: &pager_questions::QuestionOption| Choice {
            id: option.id.to_string(),
            label: Shown::of(&option.label),
            detail: Shown::some(option.detail.as_ref()),
            is_recommended: question.recommended.as_ref() == Some(&option.id),
        };
        Some(Self {
            key: question.incarnation.to_string(),
            agent: source.agent.to_string(),
            header: Shown::some(question.header.as_ref()),
            text: Shown::of(&question.text),
            title: Shown::of(&question.title()),
            is_hard: question.is_hard_to_reverse(),
            is_unclassified: question.reversibility.is_none() && question.purpose.shows_unclassified(),
            waiting_on: Shown::some(question.waiting_on.as_ref()),
            options: question.options.iter().map(choice).collect(),
            context: context.into_iter().filter_map(|(name, value)| Some((name, Shown::some(value.as_ref())?))).collect(),
            issue: question.issue.as_ref().map(|issue| IssueLink {
                text: Shown::of(&format!("{} {}", issue.tracker, issue.key)),
                url: followable(&issue.url),
            }),
            asked: question.asked_at.for_people(zone),
            asked_at: question.asked_at.to_string(),
            saving,
            refused,
            delivery: delivery(&record.delivery),
            trouble: None,
            is_held: false,
            typed: String::new(),
        })
    }

    /// Whether the question is more than a few lines.
    pub fn is_long(&self) -> bool {
        self.text.to_string().chars().count() > 240
    }

    /// The name of the field for own words.
    pub fn field(&self) -> &'static str {
        if self.options.is_empty() { "Your answer" } else { "Or in your own words" }
    }
}

impl Saving {
    fn of(claim: &Claim, delay: Option<String>) -> Self {
        let answer = &claim.answer;
        let place = answer.by.via.map(|via| format!(" {}", via.place())).unwrap_or_default();
        Self {
            who: Shown::of(&format!("{}{place}", ends::who(&answer.by))),
            said: Shown::some(answer.answer.as_ref()),
            is_uncertain: claim.uncertain.is_some(),
            delay: Shown::some(delay.as_ref()),
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

fn followable(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
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

    #[test]
    fn only_web_addresses_become_links() {
        assert_eq!(followable("https://tracker.example/1?a=b\"c"), Some("https://tracker.example/1?a=b%22c".to_owned()));
        for hostile in ["javascript:alert(1)", "data:text/html,x", "//evil.example", " file:///etc/passwd", "vbscript:x"] {
            assert_eq!(followable(hostile), None, "{hostile}");
        }
    }
}
