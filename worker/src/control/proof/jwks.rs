//! Fetches the issuer's keys, from the address that is set or the one that its discovery document names.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use jsonwebtoken::DecodingKey;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, KeyAlgorithm, PublicKeyUse};
use reqwest::redirect::Policy;
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::keys::{KeyMap, KeySource};
use crate::configuration::control::Oidc;
use crate::configuration::is_private_enough;

/// For each of the two calls.
const WITHIN: Duration = Duration::from_secs(5);
/// The most bytes of either document.
const MOST_BYTES: usize = 256 * 1024;

/// The keys of one issuer, over HTTP.
pub(super) struct Jwks {
    client: reqwest::Client,
    issuer: String,
    url: Option<Url>,
}

#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: Url,
}

#[derive(Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl Jwks {
    pub(super) fn of(oidc: &Oidc) -> anyhow::Result<Self> {
        // Following a redirect could lead over plain HTTP, or to an address inside.
        let client = reqwest::Client::builder().timeout(WITHIN).redirect(Policy::none()).build();
        let client = client.context("control.oidc: the HTTP client could not be made")?;
        Ok(Self { client, issuer: oidc.issuer.clone(), url: oidc.jwks_url.clone() })
    }

    async fn discovered(&self) -> Result<Url, String> {
        let url = format!("{}/.well-known/openid-configuration", self.issuer);
        let url: Url = url.parse().map_err(|_| format!("{url} is no address"))?;
        let found: Discovery = self.read(&url).await?;
        if found.issuer != self.issuer {
            return Err(format!("{url} is the document of another issuer"));
        }
        if !is_private_enough(&found.jwks_uri) {
            return Err(format!("{url} names an address of keys that does not begin with https://"));
        }
        Ok(found.jwks_uri)
    }

    async fn read<T: for<'de> Deserialize<'de>>(&self, url: &Url) -> Result<T, String> {
        let told = |error: reqwest::Error| format!("{url} could not be read: {}", error.without_url());
        let mut response = self.client.get(url.clone()).send().await.map_err(told)?;
        if !response.status().is_success() {
            return Err(format!("{url} answers {}", response.status()));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(told)? {
            if bytes.len() + chunk.len() > MOST_BYTES {
                return Err(format!("{url} has more than {MOST_BYTES} bytes"));
            }
            bytes.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&bytes).map_err(|error| format!("{url} has another shape: {error}"))
    }
}

#[async_trait]
impl KeySource for Jwks {
    async fn fetch(&self) -> Result<KeyMap, String> {
        let url = match &self.url {
            Some(url) => url.clone(),
            None => self.discovered().await?,
        };
        let document: Document = self.read(&url).await?;
        Ok(document.keys.into_iter().filter_map(key).collect())
    }
}

/// A key that signs with RS256; keys of other kinds may stand beside it.
fn key(value: Value) -> Option<(String, Arc<DecodingKey>)> {
    let jwk: Jwk = serde_json::from_value(value).ok()?;
    let is_for_signing = jwk.common.public_key_use.as_ref().is_none_or(|purpose| *purpose == PublicKeyUse::Signature);
    let is_rs256 = jwk.common.key_algorithm.is_none_or(|algorithm| algorithm == KeyAlgorithm::RS256);
    let is_rsa = matches!(jwk.algorithm, AlgorithmParameters::RSA(_));
    if !(is_for_signing && is_rs256 && is_rsa) {
        return None;
    }
    let key = DecodingKey::from_jwk(&jwk).ok()?;
    Some((jwk.common.key_id?, Arc::new(key)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_keys_that_sign_with_rs256_are_taken() {
        let with = |more: Value| {
            let mut jwk = json!({"kty": "RSA", "kid": "one", "n": "AQAB", "e": "AQAB"});
            jwk.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            key(jwk).is_some()
        };
        assert!(with(json!({})) && with(json!({"alg": "RS256", "use": "sig", "x5t": "abc"})));
        assert!(!with(json!({"alg": "RS512"})) && !with(json!({"use": "enc"})) && !with(json!({"kid": null})));
        assert!(key(json!({"kty": "oct", "kid": "one", "k": "c2VjcmV0"})).is_none());
        assert!(key(json!({"kty": "new", "kid": "one"})).is_none());
    }
}
