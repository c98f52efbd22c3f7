//! Who looks at the page: a session cookie, looked up at every request together with the token it was made from.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use pager_questions::{By, Kind, Via};
use subtle::ConstantTimeEq;

use super::Site;
use super::pages::Problem;
use crate::http::Shared;
use crate::service::Actor;
use crate::store::{Role, Session, Store, StoreError, Write};
use crate::{clock, secrets};

/// How long a browser stays logged in, in seconds.
const LASTS_SECONDS: i64 = 30 * 24 * 3600;

/// An owner who is logged in. Whoever is not is sent to the login.
pub struct Visitor {
    /// Their session.
    pub session: Session,
    /// Of the token that it was made from: an owner, or a device of one.
    pub role: Role,
}

impl Visitor {
    /// As they act. The token is looked at again when the act is stored.
    pub fn actor(&self) -> Actor {
        let kind = if self.is_owner() { Kind::Owner } else { Kind::Device };
        let by = By::token(kind, &self.session.name, Via::Web);
        Actor { by, token: Some(self.session.token.clone()) }
    }

    /// May they do everything? A device has no say in tokens.
    pub fn is_owner(&self) -> bool {
        self.role == Role::Owner
    }

    /// Does a form come from a page of this very session?
    pub fn owns(&self, csrf: &str) -> bool {
        self.session.csrf.as_bytes().ct_eq(csrf.as_bytes()).into()
    }
}

impl FromRequestParts<Shared> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Response> {
        let site = parts.extensions.get::<Site>().expect("every route of the page has its site");
        match visitor(site, shared.service.store.as_ref(), &parts.headers).await {
            Ok(Some(visitor)) => Ok(visitor),
            Ok(None) => Err(Redirect::to("/login").into_response()),
            Err(error) => Err(Problem::unavailable(&error).into_response()),
        }
    }
}

async fn visitor(site: &Site, store: &dyn Store, headers: &HeaderMap) -> Result<Option<Visitor>, StoreError> {
    let Some(session) = find(site, store, headers).await? else { return Ok(None) };
    let token = store.token_by_id(&session.token).await?;
    let role = token.map(|token| token.role).filter(|role| is_let_in(*role));
    Ok(role.map(|role| Visitor { session, role }))
}

/// May a token of this role log in?
pub fn is_let_in(role: Role) -> bool {
    match role {
        Role::Owner | Role::Device => true,
        Role::Observer | Role::Agent => false,
    }
}

/// The session of a request, if it has one that is valid.
pub async fn find(site: &Site, store: &dyn Store, headers: &HeaderMap) -> Result<Option<Session>, StoreError> {
    match cookie(headers, &site.cookie) {
        Some(secret) => store.session(&secrets::hash(secret), clock::now()).await,
        None => Ok(None),
    }
}

/// A new session of this token: what is stored, and what the browser gets. Sessions and links that are over are forgotten then.
pub fn begin(site: &Site, token: &str, name: &str) -> ([Write; 2], HeaderValue) {
    let secret = secrets::new("");
    let session = Session {
        hash: secrets::hash(&secret),
        token: token.to_owned(),
        name: name.to_owned(),
        csrf: secrets::new(""),
        expires_at: clock::now().plus_millis(LASTS_SECONDS * 1000),
    };
    let writes = [Write::AddSession(session), Write::ForgetLogins { before: clock::now() }];
    (writes, set_cookie(site, &secret, LASTS_SECONDS))
}

/// What makes the browser forget its session.
pub fn forget(site: &Site) -> HeaderValue {
    set_cookie(site, "", 0)
}

fn set_cookie(site: &Site, value: &str, seconds: i64) -> HeaderValue {
    let secure = if site.is_secure { "; Secure" } else { "" };
    let text = format!("{}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}", site.cookie);
    HeaderValue::try_from(text).expect("a name and a secret are plain ASCII")
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value)
}

#[cfg(test)]
#[expect(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::configuration::Server;
    use jiff::tz::TimeZone;

    fn site(public: Option<&str>) -> Site {
        let listen = "127.0.0.1:7117".parse().unwrap();
        let server = Server { listen, public_url: public.map(|url| url.parse().unwrap()), hosts: Vec::new() };
        Site::new(&server, listen, TimeZone::UTC)
    }

    #[test]
    fn the_cookie_is_for_this_site_and_no_script() {
        let plain = set_cookie(&site(None), "x", 5);
        assert_eq!(plain, "pager-7117=x; Path=/; HttpOnly; SameSite=Strict; Max-Age=5");
        let behind_tls = set_cookie(&site(Some("https://pager.example")), "x", 5);
        assert_eq!(behind_tls, "__Host-pager=x; Path=/; HttpOnly; SameSite=Strict; Max-Age=5; Secure");
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; xpager-7117=no; pager-7117=; pager-7117=yes; c"));
        assert_eq!(cookie(&headers, "pager-7117"), Some("yes"));
        assert_eq!(cookie(&headers, "pager"), None);
    }

    #[test]
    fn a_form_of_another_session_is_not_ones_own() {
        let session = Session {
            hash: String::new(),
            token: String::new(),
            name: String::new(),
            csrf: "right".to_owned(),
            expires_at: clock::now(),
        };
        let visitor = Visitor { session, role: Role::Device };
        assert!(!visitor.is_owner() && visitor.actor().by.kind == Kind::Device);
        assert!(visitor.owns("right"));
        assert!(!visitor.owns("wrong") && !visitor.owns("") && !visitor.owns("right "));
    }
}
