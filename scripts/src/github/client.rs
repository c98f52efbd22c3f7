//! One request to GitHub. Follows a redirect within GitHub's own address only, as those of renamed repositories are: a
//! token must not travel elsewhere. Repeats nothing.

use std::io::Read;

use pager_questions::Time;
use secrecy::{ExposeSecret, SecretString};

use super::failure;
use crate::client::agent;
use crate::distant::{LARGEST_ANSWER, Trouble};

/// More of a body is not read: no answer is larger, and what a repository is told in needs less.
const MOST: u64 = 4 * LARGEST_ANSWER as u64;
const REDIRECTS: u8 = 3;
/// The headers that mean something here.
const HEADERS: [&str; 8] = [
    "date",
    "location",
    "retry-after",
    "x-accepted-github-permissions",
    "x-github-request-id",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
];

/// One request.
pub struct Call<'a> {
    /// Below the API's address.
    pub path: String,
    /// The media type that is asked for.
    pub accept: &'static str,
    /// Only when the commit is not this any more.
    pub unless: Option<&'a str>,
    /// JSON to post; without it, it is read.
    pub post: Option<String>,
}

impl Call<'_> {
    /// A reading request.
    pub fn get(path: String) -> Self {
        Self { path, accept: "application/vnd.github+json", unless: None, post: None }
    }
}

/// What came back, whatever its status.
#[derive(Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// Those that mean something here, by their names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// There was more of it than is read.
    pub is_cut: bool,
}

impl Reply {
    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// GitHub's clock.
    pub fn date(&self) -> Option<Time> {
        date(self.header("date")?)
    }

    /// What is left of the quota, and all of it.
    pub fn quota(&self) -> Option<(u64, u64)> {
        let number = |name| self.header(name)?.parse().ok();
        Some((number("x-ratelimit-remaining")?, number("x-ratelimit-limit")?))
    }
}

/// A way to the API.
pub struct Client {
    agent: ureq::Agent,
    api: String,
}

impl Client {
    /// Prepares one; connects to nothing.
    pub fn new(api: &str) -> Self {
        Self { agent: agent(api), api: api.to_owned() }
    }

    /// Sends one request and reads the reply.
    ///
    /// # Errors
    /// [`Trouble::Passing`] when there is none; [`Trouble::Refused`] for a redirect that is not followed.
    pub fn send(&self, token: &SecretString, call: &Call<'_>) -> Result<Reply, Trouble> {
        let mut url = format!("{}{}", self.api, call.path);
        for _ in 0..REDIRECTS {
            let reply = self
                .exchange(&url, token, call)
                .map_err(|error| Trouble::Passing(format!("{} cannot be reached: {error}", self.api)))?;
            if !matches!(reply.status, 301 | 302 | 307 | 308) {
                return Ok(reply);
            }
            // 301 and 302 turn a POST into a GET; GitHub moves what is posted by 307.
            let may_follow = call.post.is_none() || matches!(reply.status, 307 | 308);
            match reply.header("location").filter(|place| may_follow && is_below(place, &self.api)) {
                Some(place) => url = place.to_owned(),
                None => return Err(failure::trouble(&reply, "")),
            }
        }
        Err(Trouble::Passing(format!("{} redirects without end", self.api)))
    }

    fn exchange(&self, url: &str, token: &SecretString, call: &Call<'_>) -> Result<Reply, ureq::Error> {
        let mut response = match &call.post {
            None => dress(self.agent.get(url), token, call).call()?,
            Some(body) => dress(self.agent.post(url), token, call).content_type("application/json").send(body)?,
        };
        let header = |name: &&'static str| {
            let value = response.headers().get(*name)?.to_str().ok()?;
            Some((*name, value.to_owned()))
        };
        let headers = HEADERS.iter().filter_map(header).collect();
        let mut body = Vec::new();
        response.body_mut().as_reader().take(MOST + 1).read_to_end(&mut body)?;
        let is_cut = body.len() as u64 > MOST;
        Ok(Reply { status: response.status().as_u16(), headers, body, is_cut })
    }
}

fn dress<B>(request: ureq::RequestBuilder<B>, token: &SecretString, call: &Call<'_>) -> ureq::RequestBuilder<B> {
    let request = request
        .header("authorization", format!("Bearer {}", token.expose_secret()))
        .header("accept", call.accept)
        .header("x-github-api-version", "2022-11-28");
    match call.unless {
        Some(commit) => request.header("if-none-match", format!("\"{commit}\"")),
        None => request,
    }
}

/// Does a redirect stay at the API, port and scheme included?
fn is_below(place: &str, api: &str) -> bool {
    let origin = |url: &str| {
        let uri = url.parse::<ureq::http::Uri>().ok()?;
        Some((uri.scheme_str()?.to_owned(), uri.authority()?.as_str().to_lowercase()))
    };
    matches!((origin(place), origin(api)), (Some(place), Some(api)) if place == api)
}

/// Reads `Mon, 30 Nov 2026 13:25:03 GMT`.
fn date(text: &str) -> Option<Time> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let [_, day, month, year, time, "GMT"] = text.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    let month = MONTHS.iter().position(|known| *known == month)? + 1;
    Time::parse(&format!("{year}-{month:02}-{day:0>2}T{time}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_github_is_read_from_its_header() {
        let read = |text: &str| date(text).map(|time| time.to_string());
        assert_eq!(read("Mon, 30 Nov 2026 13:25:03 GMT").as_deref(), Some("2026-11-30T13:25:03.000Z"));
        assert_eq!(read("Thu, 01 Jan 1970 00:00:00 GMT").as_deref(), Some("1970-01-01T00:00:00.000Z"));
        assert_eq!(read("yesterday"), None);
    }

    #[test]
    fn a_redirect_is_followed_within_the_api_alone() {
        let api = "https://api.github.com";
        assert!(is_below("https://api.github.com/repositories/7/contents/x", api));
        for place in [
            "https://api.github.com.evil.example/x",
            "http://api.github.com/x",
            "https://api.github.com:444/x",
            "/x",
            "https://api.github.com@evil.example/x",
        ] {
            assert!(!is_below(place, api), "{place}");
        }
    }
}
