//! How text is shown: titles fit, nothing hides, ids are ids.

use pager_questions::{Incarnation, Question, QuestionId, text};
use proptest::prelude::*;

use crate::samples;

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => any::<char>(),
        3 => prop::char::range('a', 'e'),
        2 => Just(' '),
        3 => prop::sample::select(vec![
            '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2060}', '\u{2066}',
            '\u{2069}', '\u{feff}', '\u{ad}', '\u{61c}', '\u{e0041}', '\u{2028}', '\u{85}', '\r', '\n', '\u{3000}',
            '\u{fe0f}', '👩', '🔬', '❤',
        ]),
    ];
    prop::collection::vec(piece, 0..120).prop_map(String::from_iter)
}

fn takes_no_room(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_title_fits_and_is_one_line(text in hostile(), most in 1usize..80) {
        let title = text::title(&text, most);
        prop_assert!(title.chars().count() <= most, "{title:?}");
        prop_assert_eq!(text::one_line(&title), title.as_str());
        let short = text::one_line(&text);
        prop_assert_eq!(short.chars().count() <= most, title == short, "cut without need, or not cut");
    }

    #[test]
    fn the_title_of_any_question_fits_and_hides_nothing(text in hostile()) {
        let title = Question { text, ..samples::question() }.title();
        prop_assert!(title.chars().count() <= 64);
        prop_assert!(!title.chars().any(|character| character.is_control() || takes_no_room(character)), "{title:?}");
    }

    #[test]
    fn nothing_that_hides_or_turns_text_stays_unseen(text in hostile()) {
        let shown: Vec<char> = text::reveal(&text).chars().collect();
        for (index, &character) in shown.iter().enumerate() {
            prop_assert!(!takes_no_room(character), "{:?}", shown);
            prop_assert!(!character.is_control() || matches!(character, '\n' | '\t'), "{:?}", shown);
            if character == '\u{200d}' {
                let joined = |at: Option<&char>| at.is_some_and(|c| !c.is_ascii() && !c.is_whitespace() && *c != '\u{200d}');
                prop_assert!(joined(index.checked_sub(1).and_then(|at| shown.get(at))) && joined(shown.get(index + 1)), "{:?}", shown);
            }
        }
    }

    #[test]
    fn only_what_hides_is_rewritten(text in "[ -~äöü€漢字👍]{0,40}") {
        prop_assert_eq!(text::reveal(&text), text);
    }

    #[test]
    fn made_ids_are_ids(bytes in any::<[u8; 10]>(), eight in any::<[u8; 8]>()) {
        let id = QuestionId::from_random(bytes);
        prop_assert_eq!(QuestionId::parse(id.as_str()), Ok(id));
        let incarnation = Incarnation::from_random(eight);
        prop_assert_eq!(Incarnation::parse(incarnation.as_str()), Ok(incarnation));
    }

    #[test]
    fn what_is_taken_as_an_id_is_one_plain_file_name(text in hostile()) {
        if let Ok(id) = QuestionId::parse(&text) {
            prop_assert!(id.as_str().bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
            prop_assert!(!id.as_str().is_empty() && id.as_str().len() <= 64 && !id.as_str().starts_with('-'));
        }
    }
}

#[test]
fn ids_are_checked_when_they_are_read_from_json_too() {
    assert!(serde_json::from_str::<QuestionId>("\"rel-42\"").is_ok());
    for hostile in ["\"../x\"", "\"Rel\"", "\"\"", "7", "null"] {
        assert!(serde_json::from_str::<QuestionId>(hostile).is_err(), "{hostile}");
    }
}
