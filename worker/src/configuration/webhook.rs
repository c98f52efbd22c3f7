//! How updates come in: asked for, or sent to an address of ours that nobody else may use.

use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::reader::Reader;
use super::server::Server;

/// The most characters of a secret.
const MOST_IN_SECRET: usize = 256;
/// Where Telegram itself is; anything else is a server of one's own, or a fake.
const TELEGRAM: &str = "api.telegram.org";
/// The ports to which Telegram delivers.
const PORTS: [u16; 4] = [443, 80, 88, 8443];
/// Under the public address.
const PATH: &str = "/telegram/webhook";

/// How updates come in.
#[derive(Debug, Clone)]
pub enum Receiving {
    /// pagerd asks for them.
    Polling,
    /// Telegram sends them.
    Webhook {
        /// Where to.
        url: Url,
        /// What Telegram proves itself with: 1 to 256 of A-Z a-z 0-9 _ -
        secret: SecretString,
    },
}

impl Receiving {
    /// Reads `telegram.mode` and what belongs to it; None when something is wrong. Without a bot nothing more is asked for.
    pub(super) fn read(reader: &mut Reader, server: &Server, api_url: &Url, has_bot: bool) -> Option<Self> {
        let has_secret = reader.has("telegram.webhook_secret") || reader.has("telegram.webhook_secret_file");
        let secret = reader.secret("telegram.webhook_secret");
        let is_valid = secret.as_ref().is_none_or(|secret| is_valid(secret.expose_secret()));
        if !is_valid {
            reader.problem("telegram.webhook_secret", "is not 1 to 256 of A-Z, a-z, 0-9, _ and -; choose another");
        }
        match reader.text("telegram.mode").as_deref() {
            None | Some("polling") => return Some(Self::Polling),
            Some("webhook") => {}
            Some(_) => {
                reader.problem("telegram.mode", "is neither polling nor webhook; set one of them, or take it out");
                return None;
            }
        }
        if has_bot && !has_secret {
            let detail = "is missing; webhook mode needs a secret of 1 to 256 of A-Z, a-z, 0-9, _ and -";
            reader.missing("telegram.webhook_secret", detail);
        }
        let url = url(reader, server, api_url, has_bot)?;
        Some(Self::Webhook { url, secret: secret.filter(|_| is_valid)? })
    }
}

fn is_valid(secret: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=MOST_IN_SECRET).contains(&secret.len()) && secret.bytes().all(is_allowed)
}

fn url(reader: &mut Reader, server: &Server, api_url: &Url, has_bot: bool) -> Option<Url> {
    const KEY: &str = "server.public_url";
    let Some(public) = &server.public_url else {
        if has_bot {
            reader.missing(KEY, "is missing; webhook mode needs the https address under which Telegram reaches pagerd");
        }
        return None;
    };
    if api_url.host_str() == Some(TELEGRAM) && public.scheme() != "https" {
        reader.problem(
            KEY,
            "is not https; Telegram delivers to nothing else. Put a proxy with TLS in front, or set telegram.mode to polling",
        );
        return None;
    }
    if api_url.host_str() == Some(TELEGRAM) && public.port_or_known_default().is_none_or(|port| !PORTS.contains(&port)) {
        reader.problem(KEY, "has a port to which Telegram does not deliver; use 443, 80, 88 or 8443");
        return None;
    }
    let mut url = public.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.set_path(&format!("{}{PATH}", public.path().trim_end_matches('/')));
    Some(url)
}
