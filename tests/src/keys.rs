//! RSA keys for the fakes and their tests, made once in a process.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rsa::RsaPrivateKey;
use rsa::pkcs1::EncodeRsaPrivateKey as _;
use rsa::pkcs8::{EncodePublicKey as _, LineEnding};
use rsa::rand_core::OsRng;
use rsa::traits::PublicKeyParts as _;
use serde_json::{Value, json};

/// An RSA key of 2048 bits.
#[derive(Clone)]
pub struct Key {
    private_pem: String,
    public_pem: String,
    modulus: String,
    exponent: String,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Key")
    }
}

impl Key {
    /// One of a few keys of this process: the same number is the same key.
    ///
    /// # Panics
    /// For a number above 2.
    pub fn number(number: usize) -> &'static Self {
        static KEYS: [OnceLock<Key>; 3] = [const { OnceLock::new() }; 3];
        KEYS[number].get_or_init(Self::make)
    }

    fn make() -> Self {
        let key = RsaPrivateKey::new(&mut OsRng, 2048).expect("2048 bits are a fine size");
        let private_pem = key.to_pkcs1_pem(LineEnding::LF).expect("a key can be written").to_string();
        let public = key.to_public_key();
        let public_pem = public.to_public_key_pem(LineEnding::LF).expect("a key can be written");
        let encoded = |number: &rsa::BigUint| URL_SAFE_NO_PAD.encode(number.to_bytes_be());
        Self { private_pem, public_pem, modulus: encoded(public.n()), exponent: encoded(public.e()) }
    }

    /// `-----BEGIN RSA PRIVATE KEY-----`, as GitHub hands it out for an App.
    pub fn private_pem(&self) -> &str {
        &self.private_pem
    }

    /// The public half.
    pub fn public_pem(&self) -> &str {
        &self.public_pem
    }

    /// The public half as a member of a JWKS.
    pub fn jwk(&self, kid: &str) -> Value {
        json!({ "kty": "RSA", "alg": "RS256", "use": "sig", "kid": kid, "n": self.modulus, "e": self.exponent })
    }
}
