//! What pagerd sends, as far as the terminal shows it. A reader: fields, purposes and states that it does not know are
//! no error, and every text is a [`Shown`].

use pager_questions::{Incarnation, OptionId, Purpose, QuestionId, Time, Via};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::shown::Shown;

/// A question with what became of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Question {
    /// Names it, and stands in paths.
    pub id: QuestionId,
    /// Names this very record.
    pub incarnation: Incarnation,
    /// `question`, `decision`, …
    #[serde(default, deserialize_with = "or_default")]
    pub purpose: String,
    /// What is asked.
    pub text: Shown,
    /// What there is to choose from.
    #[serde(default, deserialize_with = "or_default")]
    pub options: Vec<Choice>,
    /// The option that the agent would take.
    pub recommended: Option<OptionId>,
    /// Whether several may be chosen.
    #[serde(default, deserialize_with = "or_default")]
    pub multi: bool,
    /// A title above the text.
    pub header: Option<Shown>,
    /// The set that it was asked in.
    pub group: Option<Shown>,
    /// `reversible` or `hard_to_reverse`.
    pub reversibility: Option<String>,
    /// What stands still.
    pub waiting_on: Option<Shown>,
    /// When it ends by itself.
    pub deadline: Option<Time>,
    /// What holds after the deadline.
    pub default: Option<OptionId>,
    /// The category of an approval.
    pub gate: Option<Shown>,
    /// Exactly what is to be approved.
    pub subject: Option<Shown>,
    /// `sha256:…` of the subject.
    pub digest: Option<Shown>,
    /// What exactly is to be done.
    #[serde(default, deserialize_with = "or_default")]
    pub steps: Vec<Shown>,
    /// Whether the words stay private.
    #[serde(default, deserialize_with = "or_default")]
    pub secret: bool,
    /// Where it belongs.
    pub issue: Option<Issue>,
    /// The request, or the question, that it is about.
    pub about: Option<Shown>,
    /// The agent that settles it, since it is about that agent's request.
    pub put_to: Option<Shown>,
    /// Who asks.
    pub source: Source,
    /// When.
    pub asked_at: Time,
    /// `open`, `answering`, or how it ended.
    pub state: String,
    /// How far it got to where it is shown.
    pub delivery: Option<Delivery>,
    /// How the saving of an answer goes.
    pub save: Option<Save>,
    /// Grows with each change.
    #[serde(default, deserialize_with = "or_default")]
    pub revision: u64,
    /// Who ended it.
    pub resolved_by: Option<By>,
    /// When.
    pub resolved_at: Option<Time>,
    /// Why.
    pub reason: Option<Shown>,
    /// What was answered.
    pub answer: Option<Answer>,
}

/// An option.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Choice {
    /// Names it.
    pub id: OptionId,
    /// What it says.
    pub label: Shown,
    /// What it costs, or means.
    pub detail: Option<Shown>,
}

/// A link to follow.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Issue {
    /// Like `github`.
    pub tracker: Option<Shown>,
    /// Like `#12`.
    pub key: Option<Shown>,
    /// Where it leads.
    pub url: Shown,
}

/// Who asks; everything but the agent is their own word.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Source {
    pub agent: Shown,
    pub run: Option<Shown>,
    pub task: Option<Shown>,
    pub project: Option<Shown>,
    pub seat_hint: Option<Shown>,
}

/// How far it got.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Delivery {
    pub state: String,
    pub reason: Option<Shown>,
    pub link: Option<Shown>,
}

/// How the saving goes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Save {
    pub state: String,
    pub since: Option<Time>,
    pub reason: Option<Shown>,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Answer {
    /// `chosen`, `own_words`, …
    pub outcome: String,
    /// The ids of what was chosen, joined by commas.
    pub choice: Option<String>,
    /// The label or the words.
    pub answer: Option<Shown>,
    /// Whether the words are kept from here.
    #[serde(default, deserialize_with = "or_default")]
    pub private: bool,
    /// The option that holds, since nobody answered.
    pub default: Option<OptionId>,
    /// When.
    pub at: Option<Time>,
    /// By whom.
    pub by: By,
    /// Why it was cancelled.
    pub reason: Option<Shown>,
}

/// A party and its door.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct By {
    /// `owner`, `deadline`, …
    pub kind: String,
    /// Like `telegram:4242`.
    pub id: Option<Shown>,
    /// Like `web`.
    pub via: Option<Shown>,
}

/// News for the owner.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Update {
    pub id: UpdateId,
    pub title: Shown,
    pub body: Shown,
    #[serde(default, deserialize_with = "or_default")]
    pub links: Vec<Link>,
    #[serde(default, deserialize_with = "or_default")]
    pub media: Vec<Medium>,
    pub issue: Option<Issue>,
    pub source: Source,
    pub at: Time,
    pub state: String,
}

/// Names an update, and stands in paths.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct UpdateId(String);

impl UpdateId {
    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for UpdateId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !text.is_empty() && text.bytes().all(is_plain) { Ok(Self(text)) } else { Err("not the id of an update") }
    }
}

/// A link of an update.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Link {
    pub label: Shown,
    pub url: Shown,
}

/// A picture or a recording of an update; it is never fetched.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Medium {
    pub url: Shown,
    pub mime_type: Option<Shown>,
    pub alt: Option<Shown>,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<Item> {
    /// Those that could be read.
    pub items: Vec<Item>,
    /// How many could not.
    pub unreadable: usize,
    /// Where the next page begins.
    pub next: Option<String>,
}

impl<Item: for<'de> Deserialize<'de>> Page<Item> {
    /// Reads one; None when it is no list. An item that cannot be read is counted and hides no other.
    pub fn read(body: &str) -> Option<Self> {
        let mut page: Value = serde_json::from_str(body).ok()?;
        let Value::Array(found) = page.get_mut("items")?.take() else { return None };
        let all = found.len();
        let items: Vec<Item> = found.into_iter().filter_map(|item| serde_json::from_value(item).ok()).collect();
        let next = page.get("next").and_then(Value::as_str).map(str::to_owned);
        Some(Self { unreadable: all - items.len(), items, next })
    }
}

impl Question {
    /// Does it wait for the owner?
    pub fn is_open(&self) -> bool {
        self.state == "open"
    }

    /// Has it come to an end?
    pub fn has_ended(&self) -> bool {
        !matches!(self.state.as_str(), "open" | "answering")
    }

    /// What it is for; None for a purpose that this version does not know.
    pub fn known_purpose(&self) -> Option<Purpose> {
        Purpose::parse(&self.purpose)
    }

    /// Is it marked as hard to reverse?
    pub fn is_hard(&self) -> bool {
        self.reversibility.as_deref() == Some("hard_to_reverse")
    }

    /// The label of an option, or its id where there is none such.
    pub fn label(&self, id: &OptionId) -> String {
        let known = self.options.iter().find(|option| option.id == *id);
        known.map_or_else(|| id.to_string(), |option| option.label.line())
    }

    /// One line that says what it is about.
    pub fn title(&self) -> String {
        match &self.header {
            Some(header) => format!("{}: {}", header.line(), self.text.line()),
            None => self.text.line(),
        }
    }
}

impl By {
    /// For people: `telegram:4242 in Telegram`.
    pub fn words(&self) -> String {
        let who = match (&self.id, self.kind.as_str()) {
            (Some(id), _) => id.line(),
            (None, "deadline") => "the deadline".to_owned(),
            (None, _) => "the service".to_owned(),
        };
        match self.via.as_ref().map(Shown::line) {
            Some(via) => match serde_json::from_value::<Via>(Value::String(via.clone())) {
                Ok(known) => format!("{who} {}", known.place()),
                Err(_) => format!("{who} by way of {via}"),
            },
            None => who,
        }
    }
}

fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::super::samples;
    use super::*;

    #[test]
    fn a_question_of_a_kind_that_is_not_known_is_shown_all_the_same() {
        let mut record = samples::record("rel-1");
        record["purpose"] = "riddle".into();
        record["of_later"] = serde_json::json!({"x": 1});
        record["resolved_by"] = serde_json::json!({"kind": "oracle", "id": "x:1", "via": "dream"});
        let question: Question = serde_json::from_value(record).unwrap();
        assert_eq!(question.purpose, "riddle");
        assert_eq!(question.resolved_by.unwrap().words(), "x:1 by way of dream");
    }

    #[test]
    fn what_cannot_be_read_is_counted_and_hides_nothing_else() {
        let body = serde_json::json!({"items": [samples::record("rel-1"), {"id": "../../x"}], "next": "c"}).to_string();
        let page = Page::<Question>::read(&body).unwrap();
        assert_eq!((page.items.len(), page.unreadable, page.next.as_deref()), (1, 1, Some("c")));
        assert_eq!(Page::<Question>::read("<html>"), None);
        assert_eq!(Page::<Question>::read("{}"), None);
    }

    #[test]
    fn a_party_is_named_with_its_door() {
        let check = |by: serde_json::Value, words: &str| {
            assert_eq!(serde_json::from_value::<By>(by).unwrap().words(), words);
        };
        check(serde_json::json!({"kind": "owner", "id": "telegram:4242", "via": "telegram"}), "telegram:4242 in Telegram");
        check(serde_json::json!({"kind": "deadline", "id": null, "via": null}), "the deadline");
        check(serde_json::json!({"kind": "service", "id": null, "via": null}), "the service");
    }
}
