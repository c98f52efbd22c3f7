//! The same reins over HTTP for the program of its own: `POST /_fake/<act>` with a JSON object,
//! `GET /_fake/state` to look.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State as Held};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::chat::Standing;
use super::faults::Fault;
use super::people::{self, Pick};
use super::rule;
use super::state::{BOT, Call, FORUM, OWNER, Outcome, State};
use super::wait::Shared;
use super::writing::Written;

/// Everything that can be done over HTTP; the name in snake case is the last part of the path.
#[derive(Debug, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
enum Act {
    /// `{"message": 5, "button": "Yes"}` or `"button": 0`, or forged: `"data": "…"`.
    Press {
        chat: Option<i64>,
        user: Option<i64>,
        message: i64,
        button: Option<Value>,
        data: Option<String>,
    },
    /// The fields of a [`Written`].
    Write(Map<String, Value>),
    Edit {
        chat: Option<i64>,
        message: i64,
        text: String,
    },
    DeleteMessage {
        chat: Option<i64>,
        message: i64,
    },
    OpenTopic {
        name: String,
    },
    CloseTopic {
        thread: i64,
    },
    ReopenTopic {
        thread: i64,
    },
    DeleteTopic {
        thread: i64,
    },
    /// `standing`: `administrator`, `demoted`, `member`, `left`, `kicked`, `blocked`.
    Bot {
        chat: Option<i64>,
        standing: String,
    },
    Topics {
        chat: Option<i64>,
        on: bool,
    },
    Migrate {
        chat: i64,
    },
    /// `{"method": "sendMessage", "fault": {"hang": {}}, "times": 2}`; without fields a string:
    /// `"fault": "reset_after"`.
    Fault {
        method: String,
        fault: Fault,
        times: Option<usize>,
    },
    ClearFaults {},
    Release {},
    Down {
        on: bool,
    },
    Age {
        seconds: i64,
    },
    /// Writing calls in 60 seconds to one group; `null` for no bound.
    Budget {
        calls: Option<usize>,
    },
    /// A raw update.
    Update {
        update: Value,
    },
    Replay {
        update_id: i64,
    },
}

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/_fake/state", get(state)).route("/_fake/calls", get(calls)).route("/_fake/{act}", post(act))
}

type Reply = (StatusCode, Json<Value>);

async fn act(Held(shared): Held<Arc<Shared>>, Path(name): Path<String>, body: Bytes) -> Reply {
    let wrong = |why: String| (StatusCode::BAD_REQUEST, Json(json!({ "error": why })));
    let body = if body.is_empty() { Bytes::from_static(b"{}") } else { body };
    let mut fields: Map<String, Value> = match serde_json::from_slice(&body) {
        Ok(fields) => fields,
        Err(error) => return wrong(format!("the body is no JSON object: {error}")),
    };
    fields.insert("act".into(), name.into());
    let act: Act = match serde_json::from_value(Value::Object(fields)) {
        Ok(act) => act,
        Err(error) => return wrong(error.to_string()),
    };
    match shared.change(|state| carry_out(state, act)) {
        Ok(result) => (StatusCode::OK, Json(result)),
        Err(error) => wrong(error.to_string()),
    }
}

fn carry_out(state: &mut State, act: Act) -> anyhow::Result<Value> {
    let mut result = json!({ "done": true });
    match act {
        Act::Press { chat, user, message, button, data } => {
            let (chat, user) = (chat.unwrap_or(FORUM), user.unwrap_or(OWNER));
            let data = match (data, button) {
                (Some(data), _) => data,
                (None, Some(button)) => people::data_of(state, chat, message, &pick(&button)?)?,
                (None, None) => anyhow::bail!("say which \"button\" or what \"data\""),
            };
            let id = people::press_data(state, chat, user, message, &data);
            result["callback_query_id"] = id.into();
        }
        Act::Write(fields) => {
            let written: Written = serde_json::from_value(Value::Object(fields))?;
            result["messages"] = json!(people::write_long(state, &written)?);
        }
        Act::Edit { chat, message, text } => {
            people::edit(state, chat.unwrap_or(FORUM), message, &text)?;
        }
        Act::DeleteMessage { chat, message } => {
            if let Some(chat) = state.chats.get_mut(&chat.unwrap_or(FORUM)) {
                chat.messages.remove(&message);
            }
        }
        Act::OpenTopic { name } => {
            result["thread"] = state.open_topic(FORUM, OWNER, &name, 7_322_096, "").into();
        }
        Act::CloseTopic { thread } => state.set_topic_closed(FORUM, thread, OWNER, true),
        Act::ReopenTopic { thread } => state.set_topic_closed(FORUM, thread, OWNER, false),
        Act::DeleteTopic { thread } => state.remove_topic(FORUM, thread),
        Act::Bot { chat, standing } => {
            let standing = read_standing(&standing)?;
            rule::set_standing(state, chat.unwrap_or(FORUM), BOT, standing, OWNER);
        }
        Act::Topics { chat, on } => {
            if let Some(chat) = state.chats.get_mut(&chat.unwrap_or(FORUM)) {
                chat.is_forum = on;
            }
        }
        Act::Migrate { chat } => result["chat"] = rule::migrate(state, chat).into(),
        Act::Fault { method, fault, times } => {
            state.faults.add(&method, &fault, times.unwrap_or(1));
        }
        Act::ClearFaults {} => state.faults.clear(),
        Act::Release {} => state.faults.releases += 1,
        Act::Down { on } => state.is_down = on,
        Act::Age { seconds } => state.age(seconds * 1000),
        Act::Budget { calls } => state.rules.group_budget = calls,
        Act::Update { update } => {
            result["update_id"] = state.deliver_raw(BOT, update, false).into();
        }
        Act::Replay { update_id } => people::replay(state, update_id)?,
    }
    Ok(result)
}

fn pick(button: &Value) -> anyhow::Result<Pick> {
    match (button.as_str(), button.as_u64()) {
        (Some(label), _) => Ok(Pick::from(label)),
        (None, Some(index)) => Ok(Pick::Index(usize::try_from(index)?)),
        _ => anyhow::bail!("\"button\" is a label or a number from 0"),
    }
}

fn read_standing(name: &str) -> anyhow::Result<Standing> {
    Ok(match name {
        "administrator" => Standing::administrator(),
        "demoted" => Standing::Administrator { can_manage_topics: false, can_delete_messages: false },
        "member" => Standing::Member,
        "left" => Standing::Left,
        "kicked" => Standing::Kicked,
        "blocked" => Standing::Blocked,
        _ => anyhow::bail!("\"standing\" is administrator, demoted, member, left, kicked or blocked"),
    })
}

async fn state(Held(shared): Held<Arc<Shared>>) -> Json<Value> {
    Json(shared.look(|state| {
        let chats = state.chats.values().map(|chat| {
            let topics: Vec<_> = chat
                .topics
                .values()
                .map(|topic| {
                    json!({
                        "thread": topic.thread, "name": topic.name, "icon": topic.icon,
                        "is_closed": topic.is_closed, "is_deleted": topic.is_deleted,
                    })
                })
                .collect();
            let messages: Vec<_> = chat
                .messages
                .values()
                .map(|message| {
                    let mut value = state.message_value(chat.id, message.id);
                    value["reactions"] = json!(message.reactions);
                    value
                })
                .collect();
            json!({ "chat": chat.value(), "topics": topics, "messages": messages })
        });
        let presses = state.callbacks.iter().map(|query| {
            json!({
                "id": query.id, "from": query.from, "message": query.message, "data": query.data,
                "toast": query.answer.as_ref().map(|answer| &answer.text),
            })
        });
        json!({
            "chats": chats.collect::<Vec<_>>(), "presses": presses.collect::<Vec<_>>(),
        })
    }))
}

async fn calls(Held(shared): Held<Arc<Shared>>) -> Json<Value> {
    Json(shared.look(|state| state.calls.iter().map(call_value).collect()))
}

fn call_value(call: &Call) -> Value {
    let mut value = json!({
        "method": call.method, "parameters": call.parameters, "at_ms": call.at_ms,
    });
    match &call.outcome {
        Outcome::Open => value["outcome"] = "open".into(),
        Outcome::Abandoned => value["outcome"] = "abandoned".into(),
        Outcome::Done(result) => value["result"] = result.clone(),
        Outcome::Refused(refusal) => value["refused"] = refusal.body(),
        Outcome::Spoilt { applied } => value["spoilt"] = json!({ "applied": applied }),
    }
    value
}
