//! A request asks agents for work. An owner's text that answers no question is one.

use serde::{Deserialize, Serialize};

use crate::{By, Incarnation, Issue, QuestionId, Time, text};

/// The most characters of a title.
pub const MOST_IN_TITLE: usize = 200;

/// A request, as it is stored and as every door shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Request {
    /// `r-` and 16 hex digits.
    pub id: String,
    /// Who asks.
    pub from: By,
    /// One line of at most [`MOST_IN_TITLE`] characters.
    pub title: String,
    /// The whole text, exactly as it came.
    pub text: String,
    /// Which skills it is for; empty for an owner's text.
    pub tags: Vec<String>,
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
        let (id, text) = (format!("r-{number}"), text.to_owned());
        Some(Self { id, from, title, text, tags: Vec::new(), issue: None, about, at })
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
        assert_eq!(request.id, "r-0707070707070707");
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
        let expected = r#"{"id":"r-0707070707070707","from":{"kind":"owner","id":"telegram:4242","via":"telegram"},"title":"Hello","text":"Hello","tags":[],"issue":null,"about":null,"at":"1970-01-01T00:00:00.000Z"}"#;
        assert_eq!(serde_json::to_string(&request).expect("it is plain JSON"), expected);
    }
}
