//! SHA-256, as it is written everywhere.

use sha2::{Digest, Sha256};

/// 64 hex digits in lower case.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `sha256:` and 64 hex digits: what an approval is of.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    format!("sha256:{}", hex(bytes))
}
