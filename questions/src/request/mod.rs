//! A request asks agents for work, and opens a thread that they reply to. An owner's text that answers no question is one.

mod draft;

use serde::{Deserialize, Serialize};

use crate::{By, Incarnation, Issue, Party, QuestionId, RequestId, Time, text};

pub use draft::{RequestDraft, fingerprint, is_tag};

/// The most characters of a title.
pub const MOST_IN_TITLE: usize = 200;
/// The most characters of a text.
pub const MOST_IN_TEXT: usize = 4096;

/// A request, as it is stored and as every door shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Request {
    /// Of one name space with the ids of questions.
    pub id: RequestId,
    /// Who asks.
    pub from: By,
    /// One line of at most [`MOST_IN_TITLE`] characters.
    pub title: String,
    /// The whole text, exactly as it came.
    pub text: String,
    /// Which skills it is for; empty for an owner's text.
    pub tags: Vec<String>,
    /// From when on it counts as unanswered.
    #[serde(default)]
    pub deadline: Option<Time>,
    /// The issue it belongs to.
    pub issue: Option<Issue>,
    /// The question it was written about: the one whose topic it stands in.
    pub about: Option<QuestionId>,
    /// When it was written.
    pub at: Time,
}

impl Request {
    /// An owner's text as a request; None when nothing of it can be seen. `number` is random and names it.
    pub fn of_words(number: &Incarnation, from: By, text: &str, about: Option<QuestionId>, at: Time) -> Option<Self> {
        let title = title(text)?;
        let (id, text) = (RequestId::of(number), text.to_owned());
        Some(Self { id, from, title, text, tags: Vec::new(), deadline: None, issue: None, about, at })
    }

    /// Who asks for it. What nobody's side made is the owner's: it is in their hands.
    pub fn party(&self) -> Party {
        Party::of(&self.from).unwrap_or(Party::Owner)
    }

    /// The agent that settles what helpers ask about it; None when that is the owner. An agent that is reached only through the
    /// control repository has no door to settle anything at: there its maintainer does.
    pub fn settled_by_agent(&self) -> Option<crate::Author> {
        self.party().agent().filter(|author| !author.is_through_control()).cloned()
    }

    /// Is it for somebody with these skills? What names no skill is for everybody, and so is everything for who names none.
    pub fn is_of_interest(&self, skills: &[String]) -> bool {
        self.tags.is_empty() || skills.is_empty() || self.tags.iter().any(|tag| skills.contains(tag))
    }
}

/// The first line that shows something, on one line, cut to [`MOST_IN_TITLE`] characters with ….
fn title(text: &str) -> Option<String> {
    let line = text::one_line(text.lines().find(|line| !text::is_blank(line))?);
    if line.chars().count() <= MOST_IN_TITLE {
        return Some(line);
    }
    Some(line.chars().take(MOST_IN_TITLE - 1).chain(['…']).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Request> {
        let number = Incarnation::from_random([7; 8]);
        Request::of_words(&number, By::telegram(4242), text, None, Time::from_millis(0))
    }

    #[test]
    fn its_title_is_the_first_line_and_its_text_is_whole() {
        let request = of("\n  Build\tthis parser \nIn Rust, please.\n").expect("there are words");
        assert_eq!(
            (request.title.as_str(), request.text.as_str()),
            ("Build this parser", "\n  Build\tthis parser \nIn Rust, please.\n")
        );
        assert_eq!(request.id.as_str(), "r-0707070707070707");
    }

    #[test]
    fn a_title_has_at_most_200_characters_with_the_mark_of_a_cut() {
        let title = |length: usize| of(&"ä".repeat(length)).expect("there are words").title;
        assert_eq!(title(200), "ä".repeat(200));
        assert_eq!(title(201), format!("{}…", "ä".repeat(199)));
    }

    #[test]
    fn what_shows_nothing_asks_for_nothing() {
        assert_eq!(of(" \n\u{200b}\u{3164}"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn it_is_written_with_these_keys_in_this_order() {
        let request = of("Hello").expect("there are words");
        let expected = r#"{"id":"r-0707070707070707","from":{"kind":"owner","id":"telegram:4242","via":"telegram"},"title":"Hello","text":"Hello","tags":[],"deadline":null,"issue":null,"about":null,"at":"1970-01-01T00:00:00.000Z"}"#;
        assert_eq!(serde_json::to_string(&request).expect("it is plain JSON"), expected);
    }
}
