//! Somebody with a session but without a browser: what browsers refuse to send can be sent from here.

use reqwest::header::{COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response};

use crate::world::{Address, World};

/// A session, and what its forms carry.
pub struct Plain {
    client: Client,
    address: Address,
    /// The session's cookie; None before a login.
    pub cookie: Option<String>,
    /// What each form of the session carries.
    pub csrf: String,
}

impl Plain {
    /// Nobody yet.
    pub fn new(world: &World) -> Self {
        let client = Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
        Self { client, address: world.address.clone(), cookie: None, csrf: String::new() }
    }

    /// Somebody who logged in with the owner's token.
    pub async fn logged_in(world: &World) -> Self {
        let mut plain = Self::new(world);
        let reply = plain.log_in(&world.owner_token).await;
        assert_eq!(reply.status(), 303);
        plain.take_cookie(&reply);
        plain.take_csrf().await;
        plain
    }

    /// Tries to log in with a token.
    pub async fn log_in(&self, token: &str) -> Response {
        self.post("/login").form(&[("token", token)]).send().await.unwrap()
    }

    /// Reads what the forms of the session carry off a page that always has one.
    pub async fn take_csrf(&mut self) {
        let page = self.get("/settings").await.text().await.unwrap();
        let (_, rest) = page.split_once("name=\"csrf\" value=\"").expect("the page has forms");
        self.csrf = rest.split_once('"').unwrap().0.to_owned();
    }

    /// Keeps the cookie of a reply.
    pub fn take_cookie(&mut self, reply: &Response) {
        let cookie = reply.headers()[SET_COOKIE].to_str().unwrap();
        self.cookie = Some(cookie.split_once(';').unwrap().0.to_owned());
    }

    /// A request as our own page would send it.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.address.url()));
        match &self.cookie {
            Some(cookie) => request.header(COOKIE, cookie),
            None => request,
        }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    /// POST from our own page.
    pub fn post(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path).header(ORIGIN, self.address.url())
    }

    /// The same from another page, or none.
    pub fn post_from(&self, origin: Option<&str>, path: &str) -> RequestBuilder {
        let request = self.request(Method::POST, path);
        match origin {
            Some(origin) => request.header(ORIGIN, origin),
            None => request,
        }
    }

    /// GET under another name of the host.
    pub async fn get_as(&self, host: &str, path: &str) -> Response {
        self.request(Method::GET, path).header(HOST, host).send().await.unwrap()
    }
}

/// Where a reply sends the browser.
pub fn location(reply: &Response) -> &str {
    reply.headers().get(LOCATION).map(|place| place.to_str().unwrap()).unwrap_or_default()
}
