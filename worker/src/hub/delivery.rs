//! The id of a delivery: a UUID made of what it is about, so that every try and every replay has the same one.

use sha2::{Digest, Sha256};

/// The id for these parts, in their order.
pub(super) fn id(parts: &[&str]) -> String {
    // No part holds a line end, so no two lists make the same text.
    let digest = Sha256::digest(format!("pager\n{}", parts.join("\n")));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    // Version 8, which is for digests of one's own, and the variant of all UUIDs.
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_matter_has_the_same_id_and_another_has_another() {
        let one = id(&["answered", "rel-42", "9f3c2a715be04d18", "answered"]);
        assert_eq!(one, id(&["answered", "rel-42", "9f3c2a715be04d18", "answered"]));
        assert_ne!(one, id(&["answered", "rel-42", "9f3c2a715be04d18", "declined"]));
        assert_ne!(id(&["a", "bc"]), id(&["ab", "c"]));
    }

    #[test]
    fn it_has_the_shape_of_a_uuid() {
        let made = id(&["text", "r-0707070707070707"]);
        let lengths: Vec<usize> = made.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert!(made.bytes().all(|byte| byte == b'-' || matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{made}");
        assert_eq!(&made[14..15], "8");
        assert!("89ab".contains(&made[19..20]));
    }
}
