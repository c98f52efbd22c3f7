//! Logging in, with an owner token or a link that works once, and out again. A GET never spends a link.

use std::time::Instant;

use anyhow::Context;
use askama::Template;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};

use super::Site;
use super::forms::{BareForm, LoginForm, taken};
use super::pages::{Problem, page};
use super::session::{self, Visitor};
use crate::http::Shared;
use crate::store::{LoginLink, Store, StoreError, Write};
use crate::{clock, secrets};

/// How long a login link can be used.
const LINK_MILLIS: i64 = 24 * 3600 * 1000;

/// Makes a link that logs in once, as the owner of this token.
///
/// # Errors
/// When the token is not valid or the store cannot be used.
pub async fn new_link(store: &dyn Store, owner_token: &str, url: &str) -> anyhow::Result<String> {
    let token = store.token(&secrets::hash(owner_token)).await?.context("the owner token is not valid")?;
    Ok(link_for(store, token.id, url, LINK_MILLIS).await?)
}

/// Makes a link that logs in once within so many milliseconds, as the owner whose token has this id.
///
/// # Errors
/// When the store cannot be used.
pub async fn link_for(store: &dyn Store, token: String, url: &str, lasts_millis: i64) -> Result<String, StoreError> {
    let secret = secrets::new("");
    let link = LoginLink { hash: secrets::hash(&secret), token, expires_at: clock::now().plus_millis(lasts_millis) };
    store.commit(vec![Write::AddLoginLink(link)]).await?;
    Ok(format!("{url}/login/{secret}"))
}

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    problem: Option<&'static str>,
}

#[derive(Template)]
#[template(path = "link.html")]
struct LinkPage {
    secret: String,
}

const WRONG_TOKEN: &str =
    "This is not a valid token of an owner or a device. Check it, or make one with: pagerd token create --role owner --name NAME";
const SPENT_LINK: &str = "This login link was used before, or it is too old. Write /login to the bot or start `pagerd try` again for a new one, \
                          or log in with an owner token here.";
const TOO_MANY: &str = "Too many logins failed. Wait a minute, then try again.";

/// `GET /login`.
pub async fn form() -> Response {
    page(StatusCode::OK, &LoginPage { problem: None })
}

/// `POST /login`. A valid token works also while guessing is slowed down, or guessing could lock its owner out.
pub async fn by_token(
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    form: Result<Form<LoginForm>, FormRejection>,
) -> Result<Response, Problem> {
    let form = taken(form)?;
    let store = shared.service.store.as_ref();
    let found = store.token(&secrets::hash(form.token.trim())).await.map_err(|error| Problem::unavailable(&error))?;
    let Some(token) = found.filter(|token| session::is_let_in(token.role)) else {
        if let Some(refusal) = paused(&site) {
            return Ok(refusal);
        }
        site.attempts.failed(Instant::now());
        return Ok(page(StatusCode::UNAUTHORIZED, &LoginPage { problem: Some(WRONG_TOKEN) }));
    };
    let (session, cookie) = session::begin(&site, &token.id, &token.name);
    match store.commit([vec![Write::RequireToken(token.id)], session.into()].concat()).await {
        Ok(()) => Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response()),
        Err(StoreError::Revoked) => Ok(page(StatusCode::UNAUTHORIZED, &LoginPage { problem: Some(WRONG_TOKEN) })),
        Err(error) => Err(Problem::unavailable(&error)),
    }
}

/// `GET /login/{secret}`: one button. Robots that look at links change nothing.
pub async fn link(State(shared): State<Shared>, Path(secret): Path<String>) -> Result<Response, Problem> {
    let found = shared.service.store.login_link(&secrets::hash(&secret), clock::now()).await;
    Ok(match found.map_err(|error| Problem::unavailable(&error))? {
        Some(_) => page(StatusCode::OK, &LinkPage { secret }),
        None => page(StatusCode::GONE, &LoginPage { problem: Some(SPENT_LINK) }),
    })
}

/// `POST /login/{secret}`: spends the link. A valid one works also while guessing is slowed down, or guessing could lock its owner out.
pub async fn by_link(
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Path(secret): Path<String>,
) -> Result<Response, Problem> {
    let store = shared.service.store.as_ref();
    let hash = secrets::hash(&secret);
    let link = store.login_link(&hash, clock::now()).await.map_err(|error| Problem::unavailable(&error))?;
    let Some(link) = link else {
        if let Some(refusal) = paused(&site) {
            return Ok(refusal);
        }
        site.attempts.failed(Instant::now());
        return Ok(page(StatusCode::GONE, &LoginPage { problem: Some(SPENT_LINK) }));
    };
    let (session, cookie) = session::begin(&site, &link.token, "");
    match store.commit([vec![Write::RequireToken(link.token), Write::SpendLoginLink { hash }], session.into()].concat()).await {
        Ok(()) => Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response()),
        Err(StoreError::Conflict | StoreError::Revoked) => Ok(page(StatusCode::GONE, &LoginPage { problem: Some(SPENT_LINK) })),
        Err(error) => Err(Problem::unavailable(&error)),
    }
}

/// `POST /logout`.
pub async fn out(
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    visitor: Visitor,
    form: Result<Form<BareForm>, FormRejection>,
) -> Result<Response, Problem> {
    if !visitor.owns(&taken(form)?.csrf) {
        return Ok(Redirect::to("/").into_response());
    }
    let ended = shared.service.store.commit(vec![Write::EndSession { hash: visitor.session.hash }]).await;
    ended.map_err(|error| Problem::unavailable(&error))?;
    shared.service.revocations.logged_out();
    let headers = HeaderMap::from_iter([(header::SET_COOKIE, session::forget(&site))]);
    Ok((headers, Redirect::to("/login")).into_response())
}

fn paused(site: &Site) -> Option<Response> {
    let pause = site.attempts.pause(Instant::now())?;
    let mut refusal = page(StatusCode::TOO_MANY_REQUESTS, &LoginPage { problem: Some(TOO_MANY) });
    refusal.headers_mut().insert(header::RETRY_AFTER, (pause.as_secs() + 1).into());
    Some(refusal)
}
