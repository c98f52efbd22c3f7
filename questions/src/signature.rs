//! Ed25519 keys and signatures as text: `ed25519:` and padded base64. Making and keeping keys is the service's business.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use ed25519_dalek::{Signature, Signer};

const PREFIX: &str = "ed25519:";

/// Why a signature or key is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    /// Nothing is signed.
    #[error("it is not signed")]
    Missing,
    /// None of the trusted keys made it.
    #[error("its signature does not verify with any trusted key")]
    Wrong,
    /// The text is not `ed25519:` and base64 of the right length.
    #[error("it is not of the form ed25519:<base64>")]
    Malformed,
}

/// The service's secret half. Cannot be printed.
#[derive(Clone)]
pub struct SigningKey(ed25519_dalek::SigningKey);

impl SigningKey {
    /// From 32 secret bytes.
    pub fn from_seed(seed: [u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(&seed))
    }

    /// Signs; the result is text.
    pub fn sign(&self, bytes: &[u8]) -> String {
        format!("{PREFIX}{}", BASE64.encode(self.0.sign(bytes).to_bytes()))
    }

    /// The public half.
    pub fn verifying(&self) -> VerifyingKey {
        VerifyingKey(self.0.verifying_key())
    }
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SigningKey(…)")
    }
}

/// The public half: what a reader trusts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyingKey(ed25519_dalek::VerifyingKey);

impl VerifyingKey {
    /// Reads `ed25519:<base64 of 32 bytes>`.
    ///
    /// # Errors
    /// [`BadSignature::Malformed`].
    pub fn parse(text: &str) -> Result<Self, BadSignature> {
        let bytes: [u8; 32] = decode(text)?.try_into().map_err(|_| BadSignature::Malformed)?;
        ed25519_dalek::VerifyingKey::from_bytes(&bytes).map(Self).map_err(|_| BadSignature::Malformed)
    }

    /// Checks a signature that [`SigningKey::sign`] wrote.
    ///
    /// # Errors
    /// [`BadSignature`] when it is malformed or another key's.
    pub fn verify(&self, bytes: &[u8], signature: &str) -> Result<(), BadSignature> {
        let signature: [u8; 64] = decode(signature)?.try_into().map_err(|_| BadSignature::Malformed)?;
        self.0.verify_strict(bytes, &Signature::from_bytes(&signature)).map_err(|_| BadSignature::Wrong)
    }
}

impl std::fmt::Display for VerifyingKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{PREFIX}{}", BASE64.encode(self.0.as_bytes()))
    }
}

fn decode(text: &str) -> Result<Vec<u8>, BadSignature> {
    let encoded = text.strip_prefix(PREFIX).ok_or(BadSignature::Malformed)?;
    BASE64.decode(encoded).map_err(|_| BadSignature::Malformed)
}
