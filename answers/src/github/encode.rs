//! Percent-encoding for one part of a path.

use std::fmt::Write;

/// The text as one part of a path. A slash in it becomes `%2F`: GitHub's description has the path of a file and the name
/// of a branch as one parameter each.
pub fn segment(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slash_and_all_that_means_something_in_an_address_is_encoded() {
        assert_eq!(segment("answers/rel-42.json"), "answers%2Frel-42.json");
        assert_eq!(segment("ä #?%&+/.."), "%C3%A4%20%23%3F%25%26%2B%2F..");
    }
}
