//! Cutting texts into lines of a screen. Width is what a terminal draws: two columns for wide characters and emoji, none
//! for what combines.

use ratatui::text::Span;

/// A part that is drawn as one, with its columns.
fn parts(line: &str) -> Vec<(String, usize)> {
    let span = Span::raw(line);
    span.styled_graphemes(ratatui::style::Style::default()).map(|part| (part.symbol.to_owned(), columns(part.symbol))).collect()
}

/// How many columns a text takes on one line.
pub fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// The text in lines of at most `width` columns, cut between words where it can be. Spaces that are not at a cut stay.
pub fn words(text: &str, width: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| cut(line, width.max(2), true)).collect()
}

/// The text in lines of at most `width` columns, cut wherever they are full: nothing is left out.
pub fn exactly(text: &str, width: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| cut(line, width.max(2), false)).collect()
}

/// At most `width` columns of a text on one line, with … where it was cut.
pub fn fit(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let room = width.saturating_sub(1);
    let mut head = String::new();
    for (part, columns) in parts(text) {
        if taken + columns > room {
            break;
        }
        taken += columns;
        head.push_str(&part);
    }
    if width == 0 { String::new() } else { format!("{}…", head.trim_end()) }
}

/// The text with spaces to `width` columns, cut where it is longer.
pub fn pad(text: &str, width: usize) -> String {
    let fitting = fit(text, width);
    let missing = width.saturating_sub(columns(&fitting));
    format!("{fitting}{}", " ".repeat(missing))
}

fn cut(line: &str, width: usize, between_words: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current: Vec<(String, usize)> = Vec::new();
    let mut taken = 0;
    for part in parts(line) {
        taken += part.1;
        if taken <= width {
            current.push(part);
            continue;
        }
        let space = current.iter().rposition(|(part, _)| part == " ");
        let is_indent = |at: usize| current[..at].iter().all(|(part, _)| part == " ");
        match space.filter(|at| between_words && part.0 != " " && !is_indent(*at)) {
            Some(at) => {
                let rest = current.split_off(at + 1);
                lines.push(text(&current));
                current = rest;
                current.push(part);
            }
            None if between_words && part.0 == " " => {
                lines.push(text(&current));
                current.clear();
            }
            None => {
                lines.push(text(&current));
                current = vec![part];
            }
        }
        taken = current.iter().map(|(_, columns)| columns).sum();
    }
    lines.push(text(&current));
    lines
}

fn text(parts: &[(String, usize)]) -> String {
    parts.iter().map(|(part, _)| part.as_str()).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_between_words_and_a_long_word_where_it_is_full() {
        assert_eq!(words("one two three", 8), ["one two", "three"]);
        assert_eq!(words("one two", 7), ["one two"]);
        assert_eq!(words("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
        assert_eq!(words("a\n\nb", 9), ["a", "", "b"]);
        assert_eq!(words("    indented text", 10), ["    indent", "ed text"]);
    }

    #[test]
    fn nothing_is_left_out_of_what_is_cut_exactly() {
        assert_eq!(exactly("rm  -rf /srv", 4), ["rm", "-rf", "/srv"]);
        assert_eq!(exactly("+ added line", 5), ["+ add", "ed li", "ne"]);
    }

    #[test]
    fn wide_characters_take_two_columns_and_combining_ones_none() {
        assert_eq!((columns("日本"), columns("👨‍👩‍👧"), columns("e\u{301}")), (4, 2, 1));
        assert_eq!(words("日本語", 4), ["日本", "語"]);
        assert_eq!(words("日本語", 5), ["日本", "語"]);
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(pad("日本", 6), "日本  ");
    }

    #[test]
    fn no_line_is_wider_than_the_room_it_has() {
        let texts = ["a 日本語 mixed 👩‍🚀 text with  spaces", "ééé éé", "👍👍👍👍", "x"];
        for width in 2..20 {
            for text in texts {
                for line in words(text, width).iter().chain(&exactly(text, width)) {
                    assert!(columns(line) <= width, "{line:?} in {width}");
                }
                assert!(columns(&fit(text, width)) <= width);
                assert_eq!(columns(&pad(text, width)), width);
            }
        }
    }
}
