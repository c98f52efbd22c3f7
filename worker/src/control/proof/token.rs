//! Tokens of a workflow: signed by the issuer with RS256, and nothing else.

use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use pager_questions::Time;
use tokio::time::Instant;

use super::Unproved;
use super::claims::Claims;
use super::jwks::Jwks;
use super::keys::{Keys, NoKey};
use crate::configuration::control::Oidc;

/// The tokens of one workflow.
pub(super) struct Tokens {
    pinned: Oidc,
    keys: Keys,
}

impl Tokens {
    pub(super) fn of(pinned: Oidc) -> anyhow::Result<Self> {
        let keys = Keys::of(Jwks::of(&pinned)?);
        Ok(Self { pinned, keys })
    }

    /// What of the token counts once. `digest` is the SHA-256 of the raw body, hex.
    pub(super) async fn check(&self, token: &str, digest: &str, now: Time) -> Result<String, Unproved> {
        let header = decode_header(token).map_err(|_| Unproved::refused("what it brings is no token of this kind"))?;
        if header.alg != Algorithm::RS256 {
            return Err(Unproved::refused("the token is not signed with RS256"));
        }
        let id = header.kid.ok_or_else(|| Unproved::refused("the token names no key"))?;
        let key = self.keys.key(&id, Instant::now()).await.map_err(|error| match error {
            NoKey::Unknown => Unproved::refused("the token names a key that the issuer does not have"),
            NoKey::TooEarly => Unproved::Uncertain("the token names a key that the issuer did not have a minute ago".to_owned()),
            NoKey::Unreachable(reason) => Unproved::Uncertain(reason),
        })?;
        let mut only_the_signature = Validation::new(Algorithm::RS256);
        // Times and names are compared by `Claims`: with our clock, and each with its own reason.
        only_the_signature.validate_exp = false;
        only_the_signature.validate_aud = false;
        only_the_signature.required_spec_claims.clear();
        let decoded = decode::<Claims>(token, &key, &only_the_signature).map_err(|error| match error.kind() {
            jsonwebtoken::errors::ErrorKind::InvalidSignature => Unproved::refused("the token's signature does not hold"),
            _ => Unproved::refused("a claim of the token is missing or has another shape; aud is one text"),
        })?;
        let id = decoded.claims.check(&self.pinned, digest, now)?;
        Ok(format!("jti:{id}"))
    }
}
