//! The page for people without Telegram: every topic as a column of messages with their real
//! buttons, as the owner or as a stranger.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Query, State as Held};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::chat::{Chat, Topic};
use super::message::Message;
use super::page_text::{escaped, formatted};
use super::people;
use super::state::{FORUM, OWNER, STRANGER, State};
use super::topics::icon_emoji;
use super::wait::Shared;
use super::writing::Written;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

#[derive(Debug, Deserialize)]
struct Seen {
    #[serde(rename = "as")]
    user: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct Pressed {
    user: i64,
    message: i64,
    data: String,
}

#[derive(Debug, Deserialize)]
struct Typed {
    user: i64,
    thread: i64,
    text: String,
}

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", get(page))
        .route("/page/version", get(version))
        .route("/page/press", post(press))
        .route("/page/write", post(write))
}

async fn page(Held(shared): Held<Arc<Shared>>, Query(seen): Query<Seen>) -> Html<String> {
    let user = seen.user.unwrap_or(OWNER);
    Html(shared.look(|state| whole_page(state, user)))
}

/// Rises with what the page shows and not with polls.
async fn version(Held(shared): Held<Arc<Shared>>) -> String {
    shared.look(version_of)
}

async fn press(Held(shared): Held<Arc<Shared>>, Form(pressed): Form<Pressed>) -> Redirect {
    let Pressed { user, message, data } = pressed;
    shared.change(|state| people::press_data(state, FORUM, user, message, &data));
    back(user)
}

async fn write(Held(shared): Held<Arc<Shared>>, Form(typed): Form<Typed>) -> Response {
    let Typed { user, thread, text } = typed;
    if text.trim().is_empty() {
        return back(user).into_response();
    }
    let mut written = Written::text(text.replace("\r\n", "\n")).by(user);
    written.thread = Some(thread).filter(|thread| *thread != 0);
    match shared.change(|state| people::write_long(state, &written)) {
        Ok(_) => back(user).into_response(),
        Err(error) => (StatusCode::CONFLICT, error.to_string()).into_response(),
    }
}

fn back(user: i64) -> Redirect {
    Redirect::to(&format!("/?as={user}"))
}

fn version_of(state: &State) -> String {
    let forum = &state.chats[&FORUM];
    let reactions: usize = forum.messages.values().map(|message| message.reactions.len()).sum();
    let edits: i64 = forum.messages.values().filter_map(|message| message.edited).sum();
    let answered = state.callbacks.iter().filter(|query| query.answer.is_some()).count();
    let buttons: usize = forum.messages.values().map(|message| message.buttons().count()).sum();
    let closed = forum.topics.values().filter(|topic| topic.is_closed || topic.is_deleted).count();
    format!("{}-{}-{reactions}-{edits}-{answered}-{buttons}-{closed}", forum.last_message, forum.messages.len())
}

fn whole_page(state: &State, user: i64) -> String {
    let forum = &state.chats[&FORUM];
    let mut columns = column(state, forum, None, user);
    for topic in forum.topics.values().rev().filter(|topic| !topic.is_deleted) {
        columns.push_str(&column(state, forum, Some(topic), user));
    }
    let person = |id: i64, name: &str| {
        let current = if id == user { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"/?as={id}\"{current}>{name}</a>")
    };
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head><body data-version=\"{version}\"><header>\
         <h1>{title}</h1><p>You are</p>{owner}{stranger}\
         <p>Everything here is made up and gone when the program ends.</p></header>\
         <main>{columns}</main><script>{SCRIPT}</script></body></html>",
        title = escaped(&forum.title),
        version = version_of(state),
        owner = person(OWNER, "Olga Owner"),
        stranger = person(STRANGER, "Sam Stranger"),
    )
}

fn column(state: &State, forum: &Chat, topic: Option<&Topic>, user: i64) -> String {
    let thread = topic.map(|topic| topic.thread);
    let heading = match topic {
        None => "# General".to_owned(),
        Some(topic) => {
            let closed = if topic.is_closed { " <small>closed</small>" } else { "" };
            format!("{} {}{closed}", icon_emoji(&topic.icon), escaped(&topic.name))
        }
    };
    let mut talk = String::new();
    for message in forum.messages.values().filter(|message| message.thread == thread) {
        talk.push_str(&bubble(state, message, user));
    }
    format!(
        "<section><h2>{heading}</h2><div class=\"talk\">{talk}</div>\
         <form class=\"write\" method=\"post\" action=\"/page/write\">\
         <input type=\"hidden\" name=\"user\" value=\"{user}\">\
         <input type=\"hidden\" name=\"thread\" value=\"{thread}\">\
         <textarea name=\"text\" aria-label=\"Message\" placeholder=\"Message\"></textarea>\
         <button>Send</button></form></section>",
        thread = thread.unwrap_or_default(),
    )
}

fn bubble(state: &State, message: &Message, user: i64) -> String {
    let name = state.users.get(&message.from).map(|user| user.full_name()).unwrap_or_default();
    let name = escaped(&name);
    if message.is_service() {
        let what = message.extra.keys().next().map_or("", String::as_str);
        let what = what.trim_start_matches("forum_topic_");
        return format!("<div class=\"service\">{name}: topic {}</div>", escaped(what));
    }
    let mut html = String::new();
    if let Some(document) = &message.document {
        let _ = writeln!(html, "📎 {} ({} bytes)", escaped(&document.name), document.content.len());
    }
    html.push_str(&formatted(message.words(), &message.entities));
    let when = jiff::Timestamp::from_second(message.date).map(|when| when.strftime("%H:%M UTC").to_string()).unwrap_or_default();
    let edited = if message.edited.is_some() { " edited" } else { "" };
    let mine = if message.from == user { " mine" } else { "" };
    let mut under = String::new();
    for row in &message.keyboard {
        under.push_str("<div class=\"row\">");
        for button in row {
            under.push_str(&button_form(button, message.id, user));
        }
        under.push_str("</div>");
    }
    let presses = state.callbacks.iter().rev().filter(|query| query.message == message.id);
    if let Some(answer) = presses
        .clone()
        .find(|query| query.from == user)
        .and_then(|query| query.answer.as_ref().filter(|answer| !answer.text.is_empty()))
    {
        let _ = write!(under, "<div class=\"toast\">💭 {}</div>", escaped(&answer.text));
    }
    format!(
        "<div class=\"message{mine}\"><div class=\"bubble\"><span class=\"who\">{name}</span>\
         {html} <span class=\"when\">{when}{edited} {}</span></div>{under}</div>",
        escaped(&message.reactions.concat())
    )
}

fn button_form(button: &super::keyboard::Button, message: i64, user: i64) -> String {
    let label = escaped(&button.text);
    match &button.callback_data {
        Some(data) => format!(
            "<form method=\"post\" action=\"/page/press\" style=\"flex:1;display:flex\">\
             <input type=\"hidden\" name=\"user\" value=\"{user}\">\
             <input type=\"hidden\" name=\"message\" value=\"{message}\">\
             <input type=\"hidden\" name=\"data\" value=\"{}\">\
             <button>{label}</button></form>",
            escaped(data)
        ),
        None => format!("<button disabled>{label}</button>"),
    }
}
