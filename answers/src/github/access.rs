//! Where GitHub is, and as whom it is called.

use std::fmt;

use octocrab::Octocrab;
use secrecy::SecretString;

/// GitHub's own API.
pub const USUAL_API: &str = "https://api.github.com";

/// The settings `github.*`.
#[derive(Clone, Debug)]
pub struct Access {
    /// `https://api.github.com`, or `https://<host>/api/v3` of a GitHub Enterprise Server; without a slash at its end.
    pub api_url: String,
    /// As whom.
    pub proof: Proof,
}

/// What a call proves itself with.
#[derive(Clone)]
pub enum Proof {
    /// A personal access token, or any other bearer token.
    Token(SecretString),
    /// A GitHub App: its installation's tokens are made from the key and renewed.
    App {
        /// The App's id.
        id: u64,
        /// Its private key.
        key: AppKey,
    },
}

/// The private key of a GitHub App. Cannot be printed.
#[derive(Clone)]
pub struct AppKey(SecretString);

impl AppKey {
    /// Takes the PEM text that GitHub handed out.
    ///
    /// # Errors
    /// What is wrong with it, without a byte of it.
    pub fn from_pem(pem: SecretString) -> Result<Self, String> {
        use secrecy::ExposeSecret;
        Octocrab::builder().app_from_rsa_pem(octocrab::models::AppId(0), pem.expose_secret()).map_err(|_| {
            "is not the private key of a GitHub App, which begins with -----BEGIN RSA PRIVATE KEY-----".to_owned()
        })?;
        Ok(Self(pem))
    }

    pub(super) fn pem(&self) -> &SecretString {
        &self.0
    }
}

impl fmt::Debug for Proof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(_) => formatter.write_str("Token"),
            Self::App { id, .. } => write!(formatter, "App({id})"),
        }
    }
}
