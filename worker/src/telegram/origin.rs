//! Where an answer came from, as a record keeps it: opaque there, read again here.

/// An owner's text that became an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The chat.
    pub chat: i64,
    /// The text's message id.
    pub message: i64,
}

impl Origin {
    /// As a record keeps it.
    pub fn write(self) -> String {
        format!("telegram:{}:{}", self.chat, self.message)
    }

    /// From what a record kept; None for another door's.
    pub fn parse(text: &str) -> Option<Self> {
        let (chat, message) = text.strip_prefix("telegram:")?.split_once(':')?;
        Some(Self { chat: chat.parse().ok()?, message: message.parse().ok()? })
    }
}
