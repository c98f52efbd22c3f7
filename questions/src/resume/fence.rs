//! Fences around what others wrote. Whatever looks like one of our own tags in there is defused, in any case and spacing, also
//! with hidden characters or wide letters between.

use crate::text;

/// Around words, labels and details.
pub(crate) const TASK_DATA: &str = "task-data";
/// Around what an agent goes on with when nobody answered.
pub(crate) const DEFAULT: &str = "default";
/// Around the name of whoever decided.
const DECIDER_NAME: &str = "decider-name";
/// Words that mean something behind `<` or `</`, and the one behind `[`.
const TAGS: [&str; 3] = [TASK_DATA, DECIDER_NAME, DEFAULT];
const TRUSTED: [&str; 1] = ["pager"];
/// The most characters of a name.
const MOST_IN_NAME: usize = 64;

/// The text in a fence of this tag.
pub(crate) fn fenced(tag: &str, text: &str) -> String {
    format!("<{tag}>\n{}\n</{tag}>", defused(text))
}

/// A name in its fence: without brackets and anything that does not render, on one line, cut.
pub(crate) fn name(name: &str) -> String {
    let is_bracket = |character: char| matches!(folded(character), '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>');
    let kept: String = name
        .chars()
        .map(|character| if character.is_whitespace() { ' ' } else { character })
        .filter(|character| !is_bracket(*character) && (*character == ' ' || !text::shows_nothing(*character)))
        .collect();
    let line: String = text::one_line(&kept).chars().take(MOST_IN_NAME).collect();
    fenced(DECIDER_NAME, &line)
}

/// The text with the bracket of everything that looks like a tag of ours written out.
pub(crate) fn defused(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (index, character) in text.char_indices() {
        let rest = &text[index + character.len_utf8()..];
        match folded(character) {
            '<' if begins_with(rest, &TAGS, true) => safe.push_str("&lt;"),
            '[' if begins_with(rest, &TRUSTED, false) => safe.push_str("&#91;"),
            _ => safe.push(character),
        }
    }
    safe
}

/// Does it begin with one of these words, past everything that shows nothing, and past a slash where one may stand?
fn begins_with(text: &str, words: &[&str], may_close: bool) -> bool {
    let mut seen = text.chars().filter(|character| !text::shows_nothing(*character)).map(folded).peekable();
    if may_close {
        while seen.next_if_eq(&'/').is_some() {}
    }
    let longest = words.iter().map(|word| word.len()).max().unwrap_or_default();
    let beginning: String = seen.take(longest).collect();
    words.iter().any(|word| beginning.starts_with(word))
}

/// A character as it is compared: wide forms and look-alikes of what tags are made of as the plain one, in lower case.
fn folded(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => {
            let plain = u32::from(character) - 0xff01 + 0x21;
            char::from_u32(plain).unwrap_or(character).to_ascii_lowercase()
        }
        '\u{2039}' | '\u{2329}' | '\u{27e8}' | '\u{3008}' | '\u{fe64}' => '<',
        '\u{203a}' | '\u{232a}' | '\u{27e9}' | '\u{3009}' | '\u{fe65}' => '>',
        '\u{2044}' | '\u{2215}' | '\\' => '/',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '_' => '-',
        '\u{212a}' => 'k',
        other => other.to_ascii_lowercase(),
    }
}
