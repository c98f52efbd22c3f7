//! A token taken apart, so that a test can change any part of it before it is signed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};

use crate::keys::Key;

/// A token in the making.
#[derive(Debug, Clone)]
pub struct Odd {
    header: Value,
    claims: Value,
    key: &'static Key,
}

impl Odd {
    pub(super) fn new(claims: Value, key: &'static Key, kid: &str) -> Self {
        Self { header: json!({ "typ": "JWT", "alg": "RS256", "kid": kid }), claims, key }
    }

    /// With another value of a claim, or one more.
    #[must_use]
    pub fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.claims[name] = value.into();
        self
    }

    /// Without a claim.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        if let Some(claims) = self.claims.as_object_mut() {
            claims.remove(name);
        }
        self
    }

    /// With another member of the header: `alg` decides how it is signed (`RS256`, `RS512`, `HS256` with the public key as its
    /// secret, `none`); null removes a member.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        match (value.is_null(), self.header.as_object_mut()) {
            (true, Some(header)) => {
                header.remove(name);
            }
            _ => self.header[name] = value,
        }
        self
    }

    /// Signed by another key than the one that its header names.
    #[must_use]
    pub fn signed_by(self, key: &'static Key) -> Self {
        Self { key, ..self }
    }

    /// A claim as it stands.
    pub fn claim_of(&self, name: &str) -> Value {
        self.claims[name].clone()
    }

    /// The token. An `alg` that is none of those above is signed as RS256.
    ///
    /// # Panics
    /// When the key cannot sign, which no test can bring about.
    pub fn token(&self) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&self.header), part(&self.claims));
        let rsa = || EncodingKey::from_rsa_pem(self.key.private_pem().as_bytes()).expect("it is a key");
        let (key, algorithm) = match self.header["alg"].as_str() {
            Some("none") => return format!("{signed}."),
            Some("HS256") => (EncodingKey::from_secret(self.key.public_pem().as_bytes()), Algorithm::HS256),
            Some("RS512") => (rsa(), Algorithm::RS512),
            _ => (rsa(), Algorithm::RS256),
        };
        let signature = jsonwebtoken::crypto::sign(signed.as_bytes(), &key, algorithm).expect("it can be signed");
        format!("{signed}.{signature}")
    }
}
