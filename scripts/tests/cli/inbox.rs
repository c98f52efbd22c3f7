//! `ask inbox --json`.

use serde_json::{Value, json};

use crate::command::{against, run};
use crate::server::{Request, Server, problem, reply};

/// Three pages of two; the second begins with what had moved on from the first.
fn pages(request: &Request) -> (Value, Value) {
    let at = |cursor: &str| request.line.contains(&format!("cursor={cursor}"));
    let (ids, next) = if at("b") {
        (["q-4", "q-5"], Value::Null)
    } else if at("a") {
        (["q-2", "q-3"], json!("b"))
    } else {
        (["q-1", "q-2"], json!("a"))
    };
    (ids.iter().map(|id| json!({"id": id, "of_later": 1})).collect(), next)
}

fn server() -> Server {
    Server::start(|request| {
        let (items, next) = pages(request);
        reply(200, &json!({"items": items, "next": next}))
    })
}

fn ids(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

#[test]
fn all_pages_are_one_list_without_anything_twice() {
    let server = server();
    let ended = run(&server, &["inbox", "--json"]);
    assert_eq!(
        (ended.code, ids(&ended.json()), &ended.json()["next"]),
        (0, vec!["q-1", "q-2", "q-3", "q-4", "q-5"], &Value::Null)
    );
    assert_eq!(ended.json()["items"][0]["of_later"], 1);
    let lines: Vec<String> = server.rest().into_iter().map(|request| request.line).collect();
    assert_eq!(lines[0], "GET /v1/inbox/open?limit=1000");
    assert_eq!(lines[1], "GET /v1/inbox/open?limit=1000&cursor=a");
}

#[test]
fn with_a_limit_it_says_where_it_stopped() {
    let ended = run(&server(), &["inbox", "--json", "--limit", "2"]);
    assert_eq!((ids(&ended.json()), &ended.json()["next"]), (vec!["q-1", "q-2"], &json!("a")));
}

#[test]
fn a_list_that_does_not_end_or_is_none_is_an_error() {
    let ended = against(|| reply(200, &json!({"items": [], "next": "again"})), &["inbox", "--json"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert_eq!(against(|| reply(200, &json!({"next": null})), &["inbox", "--json"]).code, 1);
    assert_eq!(against(|| problem(403, "forbidden"), &["inbox", "--json"]).code, 1);
}
