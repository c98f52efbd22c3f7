//! Text with entities: pieces are added, offsets are counted in UTF-16 units on the way, cuts fall between characters.

use teloxide::types::{MessageEntity, MessageEntityKind};

/// How many UTF-16 units a text takes.
pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The longest beginning of a text that takes at most this many UTF-16 units.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    let mut left = most;
    for (index, character) in text.char_indices() {
        match left.checked_sub(character.len_utf16()) {
            Some(rest) => left = rest,
            None => return &text[..index],
        }
    }
    text
}

/// A text under construction.
#[derive(Debug, Clone, Default)]
pub(super) struct Builder {
    pub(super) text: String,
    pub(super) entities: Vec<MessageEntity>,
    units: usize,
}

impl Builder {
    /// How many UTF-16 units it takes so far.
    pub(super) fn units(&self) -> usize {
        self.units
    }

    pub(super) fn add(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self.units += units(text);
        self
    }

    /// Adds a piece with a form; white space around it stays outside, where Telegram would put it anyway.
    pub(super) fn add_as(&mut self, kind: MessageEntityKind, text: &str) -> &mut Self {
        let inner = text.trim();
        let before = &text[..text.len() - text.trim_start().len()];
        let offset = self.units + units(before);
        if !inner.is_empty() {
            self.entities.push(MessageEntity { kind, offset, length: units(inner) });
        }
        self.add(text)
    }

    pub(super) fn bold(&mut self, text: &str) -> &mut Self {
        self.add_as(MessageEntityKind::Bold, text)
    }

    pub(super) fn italic(&mut self, text: &str) -> &mut Self {
        self.add_as(MessageEntityKind::Italic, text)
    }

    /// Adds all of another one.
    pub(super) fn append(&mut self, other: &Self) -> &mut Self {
        let moved = other.entities.iter().map(|entity| MessageEntity { offset: entity.offset + self.units, ..entity.clone() });
        self.entities.extend(moved);
        self.text.push_str(&other.text);
        self.units += other.units;
        self
    }

    /// Its beginning of at most this many units, entities cut with it.
    pub(super) fn cut(&self, most: usize) -> Self {
        let text = beginning(&self.text, most).trim_end().to_owned();
        let end = units(&text);
        let within = |entity: &MessageEntity| {
            let length = (entity.offset + entity.length).min(end).saturating_sub(entity.offset);
            (length > 0).then(|| MessageEntity { length, ..entity.clone() })
        };
        Self { entities: self.entities.iter().filter_map(within).collect(), units: end, text }
    }
}
