//! How text is measured, folded and shown. One function each, for every door: two doors never count differently.

/// Unicode scalar values after trimming: the number that every limit is about.
pub fn length(text: &str) -> usize {
    text.trim().chars().count()
}

/// Nothing is left after white space and code points that do not render are taken away.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(shows_nothing)
}

/// White space, and code points that do not render by themselves.
pub(crate) fn shows_nothing(character: char) -> bool {
    character.is_whitespace() || character.is_control() || is_unseen(character) || is_emoji_style(character)
}

/// The text on one line: every run of white space becomes one space.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most `most` characters of the text on one line, cut between words where it can be, with … when it was cut.
pub fn title(text: &str, most: usize) -> String {
    let line = one_line(text);
    if line.chars().count() <= most {
        return line;
    }
    let head: String = line.chars().take(most.saturating_sub(1)).collect();
    let next_is_space = line.chars().nth(most.saturating_sub(1)) == Some(' ');
    let cut = match head.rfind(' ') {
        Some(space) if !next_is_space && space > 0 => &head[..space],
        _ => &head,
    };
    format!("{}…", cut.trim_end())
}

/// The text with everything that could hide or turn something shown as an escape, `\u{202e}`.
///
/// Line ends and tabs stay. A zero-width joiner stays inside an emoji, where it renders.
pub fn reveal(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut shown = String::with_capacity(text.len());
    for (index, &character) in characters.iter().enumerate() {
        let hides = match character {
            '\n' | '\t' => false,
            '\u{200d}' => !joins_emoji(&characters, index),
            _ => character.is_control() || is_unseen(character),
        };
        if hides {
            shown.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Zero-width, bidi controls, tags, fillers: code points that take no room or turn what stands around them.
fn is_unseen(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Says whether what stands before is drawn as text or as an emoji; by itself it shows nothing.
fn is_emoji_style(character: char) -> bool {
    matches!(character, '\u{fe0e}' | '\u{fe0f}')
}

fn joins_emoji(characters: &[char], index: usize) -> bool {
    let pictorial = |character: &char| {
        u32::from(*character) >= 0x2190
            && !(character.is_alphanumeric() || character.is_whitespace())
            && !(is_unseen(*character) || is_emoji_style(*character))
    };
    let after_emoji = match &characters[..index] {
        [.., before, '\u{fe0f}'] | [.., before] => pictorial(before),
        [] => false,
    };
    after_emoji && characters.get(index + 1).is_some_and(pictorial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_is_what_shows_nothing() {
        for text in ["", " \n\t", "\u{200b}\u{202e}", "\u{feff} \u{2066}", "\u{3164}", "\u{fe0f}"] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in [".", "\u{200b}a", "👍"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn length_counts_scalars_after_trimming() {
        assert_eq!(length("  ab\u{e4}👨‍👩‍👧 \n"), 8);
    }

    #[test]
    fn a_title_is_one_line_cut_at_a_word() {
        assert_eq!(title("Release\n 2.4   now?", 64), "Release 2.4 now?");
        assert_eq!(title("one two three", 9), "one two…");
        assert_eq!(title("one two three", 8), "one two…");
        assert_eq!(title("abcdefghij", 5), "abcd…");
    }

    #[test]
    fn hidden_characters_are_shown_and_emoji_stay_whole() {
        assert_eq!(reveal("a\u{202e}b\u{200b}\r"), "a\\u{202e}b\\u{200b}\\u{d}");
        assert_eq!(reveal("👨‍👩‍👧 ❤️ é\n"), "👨‍👩‍👧 ❤️ é\n");
        assert_eq!(reveal("❤️‍🔥 🤷🏽‍♀️"), "❤️‍🔥 🤷🏽‍♀️");
        assert_eq!(reveal("a\u{200d}b"), "a\\u{200d}b");
    }

    #[test]
    fn a_joiner_between_other_hidden_characters_is_shown_too() {
        assert_eq!(reveal("\u{feff}\u{200d}\u{feff}"), "\\u{feff}\\u{200d}\\u{feff}");
        assert_eq!(reveal("a\u{fe0f}\u{200d}\u{3000}"), "a\u{fe0f}\\u{200d}\u{3000}");
    }
}
