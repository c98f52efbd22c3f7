//! Text and its entities as the server keeps them: cleaned, trimmed, checked.
//!
//! Stricter than the real server in one thing: entities that overlap without nesting, or that
//! it would drop silently, are refused, so that a renderer is held to clean ones. No parse mode
//! is known: a call that asks for one is refused.

use serde_json::Value;

use super::errors::{Refusal, bad};
use super::parameters::Parameters;

const MOST_BYTES: usize = 32_768;
const MOST_ENTITIES: usize = 100;
const KINDS: [&str; 20] = [
    "mention",
    "hashtag",
    "cashtag",
    "bot_command",
    "url",
    "email",
    "phone_number",
    "bold",
    "italic",
    "underline",
    "strikethrough",
    "spoiler",
    "blockquote",
    "expandable_blockquote",
    "code",
    "pre",
    "text_link",
    "text_mention",
    "custom_emoji",
    "date_time",
];

/// A text with its entities, offsets in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Formatted {
    pub(super) text: String,
    pub(super) entities: Vec<Value>,
}

/// A message's text: never empty, at most 4096 characters.
pub(super) fn message_text(call: &Parameters) -> Result<Formatted, Refusal> {
    if call.text("text").is_empty() {
        return Err(bad("message text is empty"));
    }
    let formatted = read(call, "text", "entities")?;
    if formatted.text.is_empty() {
        return Err(bad("text must be non-empty"));
    }
    if formatted.text.chars().count() > 4096 {
        return Err(bad("message is too long"));
    }
    Ok(formatted)
}

/// A caption: may be empty, at most 1024 characters.
pub(super) fn caption(call: &Parameters) -> Result<Formatted, Refusal> {
    let formatted = read(call, "caption", "caption_entities")?;
    if formatted.text.chars().count() > 1024 {
        return Err(bad("message caption is too long"));
    }
    Ok(formatted)
}

fn read(call: &Parameters, text: &str, entities: &str) -> Result<Formatted, Refusal> {
    if !matches!(call.text("parse_mode"), "" | "null" | "None") {
        return Err(bad("unsupported parse_mode"));
    }
    let text = call.text(text);
    if text.len() > MOST_BYTES {
        return Err(bad("text is too long"));
    }
    let unreadable = |why: &str| bad(format!("can't parse entities: {why}"));
    let mut spans = Vec::new();
    match call.json(entities).map_err(|_| unreadable("expected an Array"))? {
        None => {}
        Some(Value::Array(list)) => {
            for value in list.into_iter().take(MOST_ENTITIES) {
                spans.push(Span::read(value)?);
            }
        }
        Some(_) => return Err(unreadable("expected an Array")),
    }
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    check_bounds(text, &spans)?;
    check_nesting(&spans)?;
    Ok(clean(text, spans))
}

#[derive(Debug)]
struct Span {
    start: usize,
    end: usize,
    kind: String,
    value: Value,
}

impl Span {
    fn read(value: Value) -> Result<Self, Refusal> {
        let wrong = |why: String| bad(format!("can't parse MessageEntity: {why}"));
        let number = |name: &str| {
            value[name]
                .as_i64()
                .and_then(|number| usize::try_from(number).ok())
                .ok_or_else(|| wrong(format!("field \"{name}\" must be a non-negative number")))
        };
        let kind = value["type"].as_str().unwrap_or_default().to_owned();
        if !KINDS.contains(&kind.as_str()) {
            return Err(wrong(format!("unsupported type \"{kind}\" specified")));
        }
        for (of, field) in [("text_link", "url"), ("custom_emoji", "custom_emoji_id")] {
            if kind == of && value[field].as_str().is_none_or(str::is_empty) {
                return Err(wrong(format!("field \"{field}\" must be non-empty")));
            }
        }
        let (start, length) = (number("offset")?, number("length")?);
        if length == 0 {
            return Err(wrong("field \"length\" must be positive".into()));
        }
        Ok(Self { start, end: start + length, kind, value })
    }

    fn is_code(&self) -> bool {
        matches!(self.kind.as_str(), "code" | "pre")
    }

    fn is_quote(&self) -> bool {
        self.kind.ends_with("blockquote")
    }
}

/// Offsets must lie in the text and never inside a surrogate pair.
fn check_bounds(text: &str, spans: &[Span]) -> Result<(), Refusal> {
    let mut is_boundary = Vec::new();
    for character in text.chars() {
        is_boundary.push(true);
        is_boundary.extend(std::iter::repeat_n(false, character.len_utf16() - 1));
    }
    let length = is_boundary.len();
    is_boundary.push(true);
    for span in spans {
        let start = span.start;
        if span.end > length {
            return Err(bad(format!(
                "entity beginning at UTF-16 offset {start} ends after the end of the text at \
                 UTF-16 offset {length}"
            )));
        }
        if !is_boundary[start] {
            return Err(bad(format!("entity begins in a middle of a UTF-16 symbol at UTF-16 offset {start}")));
        }
        if !is_boundary[span.end] {
            return Err(bad(format!("entity beginning at UTF-16 offset {start} ends in a middle of a UTF-16 symbol")));
        }
    }
    Ok(())
}

/// Entities nest or lie apart; nothing nests with code, no quote in a quote.
fn check_nesting(spans: &[Span]) -> Result<(), Refusal> {
    for (index, outer) in spans.iter().enumerate() {
        for inner in &spans[index + 1..] {
            let apart = inner.start >= outer.end;
            let forbidden = inner.is_code() || outer.is_code() || (inner.is_quote() && outer.is_quote());
            let nested = inner.end <= outer.end && !forbidden;
            let code_in_quote = inner.end <= outer.end && outer.is_quote() && inner.is_code();
            if !apart && !nested && !code_in_quote {
                return Err(bad(format!(
                    "can't parse entities: {} at UTF-16 offset {} overlaps {} at UTF-16 offset {}",
                    inner.kind, inner.start, outer.kind, outer.start
                )));
            }
        }
    }
    Ok(())
}

/// What a character becomes: control characters a space, some that play with lines nothing.
fn cleaned(character: char) -> Option<char> {
    match character {
        '\r' | '\u{2028}'..='\u{202e}' | '\u{30a}' | '\u{333}' | '\u{33f}' => None,
        '\n' => Some('\n'),
        '\0'..='\u{1f}' => Some(' '),
        other => Some(other),
    }
}

fn clean(text: &str, spans: Vec<Span>) -> Formatted {
    let mut kept = String::new();
    let mut moved = Vec::new();
    let mut units = 0;
    for character in text.chars() {
        moved.extend(std::iter::repeat_n(units, character.len_utf16()));
        if let Some(character) = cleaned(character) {
            kept.push(character);
            units += character.len_utf16();
        }
    }
    moved.push(units);

    let blank = [' ', '\n'];
    let kept = kept.trim_end_matches(blank);
    let end = kept.encode_utf16().count();
    let first_entity = spans.first().map_or(end, |span| moved[span.start]);
    let cut = kept.chars().take_while(|character| blank.contains(character)).count().min(first_entity);
    let mut entities = Vec::new();
    for span in spans {
        let start = moved[span.start].clamp(cut, end) - cut;
        let end = moved[span.end].clamp(cut, end) - cut;
        if start < end {
            let mut value = span.value;
            value["offset"] = start.into();
            value["length"] = (end - start).into();
            entities.push(value);
        }
    }
    Formatted { text: kept[cut..].to_owned(), entities }
}
