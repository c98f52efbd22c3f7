//! Which requests are let in at all: `Host` is one of ours (a foreign name that resolves to us is no door), and what
//! changes something comes from our own pages.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use url::Url;

use super::Site;
use super::pages::Problem;

/// Why a request is not let in.
#[derive(Debug, PartialEq, Eq)]
pub enum Stranger {
    /// It names a host that is not ours.
    Host,
    /// It comes from a foreign page, or does not say from where.
    Origin,
}

/// Lets our own requests in.
pub async fn admit(State(site): State<Site>, request: Request, next: Next) -> Response {
    match check(&site, request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(Stranger::Host) => Problem {
            status: StatusCode::MISDIRECTED_REQUEST,
            title: "This is not a name of this service",
            detail:
                "The address bar names a host that pagerd does not answer to. Open it under a name that it knows, or add this \
                     name to server.hosts."
                    .to_owned(),
        }
        .into_response(),
        Err(Stranger::Origin) => Problem {
            status: StatusCode::FORBIDDEN,
            title: "Refused: this came from another page",
            detail: "Nothing was changed. Open the inbox itself and press there.".to_owned(),
        }
        .into_response(),
    }
}

fn check(site: &Site, method: &Method, headers: &HeaderMap) -> Result<(), Stranger> {
    let host = text(headers, "host").filter(|_| is_our_host(site, headers)).ok_or(Stranger::Host)?;
    if matches!(*method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    let origin = text(headers, header::ORIGIN.as_str()).and_then(|origin| Url::parse(origin).ok()).ok_or(Stranger::Origin)?;
    // Compared under the origin's own scheme: a proxy may speak TLS to the browser and not to us.
    let own = Url::parse(&format!("{}://{host}", origin.scheme())).map_err(|_| Stranger::Origin)?;
    let is_own = origin.origin() == own.origin() || site.origin.as_ref() == Some(&origin.origin());
    let is_web = matches!(origin.scheme(), "http" | "https");
    let fetch_agrees = text(headers, "sec-fetch-site").is_none_or(|site| site == "same-origin");
    if is_web && is_own && fetch_agrees { Ok(()) } else { Err(Stranger::Origin) }
}

/// Does it name a host that is ours?
pub fn is_our_host(site: &Site, headers: &HeaderMap) -> bool {
    text(headers, "host").is_some_and(|host| site.hosts.contains(&bare_host(host)))
}

/// A host in lower case, without port and brackets.
pub fn bare_host(host: &str) -> String {
    let host = host.trim();
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        // More than one colon without brackets is an IPv6 address as somebody wrote it into a setting.
        None if host.matches(':').count() == 1 => host.split(':').next().unwrap_or_default(),
        None => host,
    };
    name.to_ascii_lowercase()
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    // Twice is a trick, not a browser.
    if values.next().is_some() { None } else { first.to_str().ok() }
}

#[cfg(test)]
#[expect(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::configuration::Server;
    use axum::http::HeaderValue;
    use jiff::tz::TimeZone;

    fn site(public: Option<&str>) -> Site {
        let listen = "127.0.0.1:7117".parse().unwrap();
        let server = Server { listen, public_url: public.map(|url| url.parse().unwrap()), hosts: vec!["Pager.Home".to_owned()] };
        Site::new(&server, listen, TimeZone::UTC)
    }

    fn asked(public: Option<&str>, method: Method, sent: &[(&'static str, &'static str)]) -> Result<(), Stranger> {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(*name, HeaderValue::from_static(value));
        }
        check(&site(public), &method, &headers)
    }

    #[test]
    fn only_our_own_names_are_let_in() {
        for host in ["localhost", "127.0.0.1:7117", "LOCALHOST:1", "[::1]:7117", "pager.home", "pager.example:443"] {
            let sent = [("host", host)];
            assert_eq!(asked(Some("https://pager.example/"), Method::GET, &sent), Ok(()), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "evil.example:7117", "[::2]", "localhost."]
        {
            assert_eq!(asked(None, Method::GET, &[("host", host)]), Err(Stranger::Host), "{host}");
        }
        assert_eq!(asked(None, Method::GET, &[]), Err(Stranger::Host));
        assert_eq!(asked(None, Method::GET, &[("host", "localhost"), ("host", "evil.example")]), Err(Stranger::Host));
    }

    #[test]
    fn a_post_comes_from_our_own_page() {
        let post = |origin: &'static str| asked(None, Method::POST, &[("host", "127.0.0.1:7117"), ("origin", origin)]);
        assert_eq!(post("http://127.0.0.1:7117"), Ok(()));
        // The same host on another port is another site's page.
        for origin in [
            "http://127.0.0.1:8080",
            "http://127.0.0.1",
            "http://evil.example",
            "http://localhost:7117",
            "null",
            "",
            "file://127.0.0.1:7117",
        ] {
            assert_eq!(post(origin), Err(Stranger::Origin), "{origin}");
        }
        assert_eq!(asked(None, Method::POST, &[("host", "127.0.0.1:7117")]), Err(Stranger::Origin));
    }

    #[test]
    fn what_the_browser_says_of_the_sender_counts_too() {
        let post = |said: &'static str| {
            let sent = [("host", "localhost:7117"), ("origin", "http://localhost:7117"), ("sec-fetch-site", said)];
            asked(None, Method::POST, &sent)
        };
        assert_eq!(post("same-origin"), Ok(()));
        for said in ["cross-site", "same-site", "none"] {
            assert_eq!(post(said), Err(Stranger::Origin), "{said}");
        }
    }

    #[test]
    fn behind_a_proxy_the_public_address_is_our_own() {
        let public = Some("https://pager.example/");
        for host in ["pager.example", "127.0.0.1:7117"] {
            let sent = [("host", host), ("origin", "https://pager.example")];
            assert_eq!(asked(public, Method::POST, &sent), Ok(()), "{host}");
        }
        let sent = [("host", "127.0.0.1:7117"), ("origin", "https://pager.example.evil.example")];
        assert_eq!(asked(public, Method::POST, &sent), Err(Stranger::Origin));
    }

    #[test]
    fn a_get_needs_no_origin() {
        assert_eq!(asked(None, Method::GET, &[("host", "localhost"), ("origin", "http://evil.example")]), Ok(()));
        assert_eq!(asked(None, Method::HEAD, &[("host", "localhost")]), Ok(()));
    }
}
