//! Where GitHub is, and as whom pagerd calls it.

use pager_answers::github::{Access, AppKey, Proof, USUAL_API};
use secrecy::SecretString;
use url::Url;

use super::is_private_enough;
use super::reader::Reader;

/// `github.*`
#[derive(Debug)]
pub struct GitHub {
    /// None without a token and without an App.
    pub access: Option<Access>,
}

impl GitHub {
    pub(super) fn read(reader: &mut Reader) -> Self {
        let api_url: Option<Url> = reader.parsed("github.api_url", "a URL like https://api.github.com");
        if api_url.as_ref().is_some_and(|url| !is_private_enough(url)) {
            let detail = "does not begin with https://, so that the token could be read on the way; put https:// in its place";
            reader.problem("github.api_url", detail);
        }
        let token = reader.secret("github.token");
        let app_id: Option<u64> = reader.parsed("github.app_id", "the numeric id of a GitHub App");
        let key = private_key(reader);
        let proof = match (token, app_id, key) {
            (Some(_), Some(_), _) => {
                reader.problem("github.app_id", "is set and github.token too; keep one of them");
                None
            }
            (Some(token), None, _) => Some(Proof::Token(token)),
            (None, Some(id), Some(key)) => Some(Proof::App { id, key }),
            (None, Some(_), None) => {
                reader.missing("github.private_key_file", "is missing; name the file with the App's private key");
                None
            }
            (None, None, _) => None,
        };
        let api_url = api_url.map_or_else(|| USUAL_API.to_owned(), |url| url.as_str().trim_end_matches('/').to_owned());
        Self { access: proof.map(|proof| Access { api_url, proof }) }
    }
}

fn private_key(reader: &mut Reader) -> Option<AppKey> {
    let path = reader.text("github.private_key_file")?;
    let pem = match std::fs::read_to_string(&path) {
        Ok(pem) => SecretString::from(pem),
        Err(error) => {
            reader.problem("github.private_key_file", &format!("names {path}, which cannot be read: {error}"));
            return None;
        }
    };
    let key = AppKey::from_pem(pem);
    key.map_err(|wrong| reader.problem("github.private_key_file", &format!("names {path}, which {wrong}"))).ok()
}
