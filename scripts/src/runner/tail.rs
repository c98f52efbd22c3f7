//! The end of what a command wrote, on both its outputs in the order that it came. Secrets are left out.

use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

/// What is shown of it, in bytes.
const SHOWN: usize = 4 * 1024;
/// What is held, so that a secret is whole where it is left out.
const HELD: usize = 64 * 1024;

/// Shared by the readers.
#[derive(Debug, Default, Clone)]
pub struct Tail(Arc<Mutex<Vec<u8>>>);

impl Tail {
    /// Reads until there is no more.
    pub fn read(&self, mut pipe: impl Read) {
        let mut bytes = [0; 8 * 1024];
        while let Ok(length @ 1..) = pipe.read(&mut bytes) {
            self.push(&bytes[..length]);
        }
    }

    fn push(&self, bytes: &[u8]) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.extend_from_slice(bytes);
        let over = held.len().saturating_sub(HELD);
        if over > HELD / 2 || held.len() > 2 * HELD {
            held.drain(..over);
        }
    }

    /// At most 4 KB, without these.
    pub fn text(&self, secret: &str) -> String {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from_utf8_lossy(&held).into_owned();
        if !secret.is_empty() {
            text = text.replace(secret, "[token]");
        }
        let mut start = text.len().saturating_sub(SHOWN);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        text.split_off(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_nothing_else() {
        let tail = Tail::default();
        for number in 0..100_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        let text = tail.text("");
        assert!(text.ends_with("line 99999\n") && text.len() == SHOWN, "{}", text.len());
    }

    #[test]
    fn a_cut_falls_between_characters() {
        let tail = Tail::default();
        tail.push("é".repeat(SHOWN).as_bytes());
        tail.push(b"x");
        assert!(tail.text("").chars().all(|character| character == 'é' || character == 'x'));
    }

    #[test]
    fn a_token_that_the_command_wrote_is_left_out_wherever_the_cut_falls() {
        let tail = Tail::default();
        for _ in 0..1000 {
            tail.push(b"a s3cret-token b\n");
        }
        let text = tail.text("s3cret-token");
        assert!(!text.contains("s3cret") && text.contains("a [token] b"), "{text}");
    }
}
