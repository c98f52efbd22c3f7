//! Updates: publishing, listing, reading, dismissing.

use std::sync::Mutex;

use serde_json::{Value, json};

use crate::command::{against, run, start_with};
use crate::hub::Hub;
use crate::server::{Reply, Server, problem, reply};

const ID: &str = "u-9f3c2a715be04d18";

fn update(state: &str) -> Value {
    json!({"id": ID, "title": "Nightly", "body": "3 of 4", "at": "2026-11-30T13:22:15.004Z", "state": state, "of_later": 1})
}

#[test]
fn update_publishes_and_prints_what_a_script_goes_on_with() {
    let server = Server::start(|_| reply(201, &update("unread")));
    let arguments = [
        "update",
        "Nightly",
        "--body",
        "3 of 4",
        "--link",
        "The log=https://ci.example/1",
        "--media",
        "image/png:Load=https://ci.example/1.png",
        "--issue",
        "linear:ENG-7=https://linear.app/x",
        "--run",
        "r1",
        "--task",
        "t1",
        "--project",
        "p1",
        "--publication-id",
        "pub-1",
    ];
    let ended = run(&server, &arguments);
    assert_eq!(
        (ended.code, ended.output.as_str(), ended.words.as_str()),
        (0, "{\"id\":\"u-9f3c2a715be04d18\",\"at\":\"2026-11-30T13:22:15.004Z\",\"state\":\"unread\"}\n", "")
    );
    let request = server.next();
    assert_eq!(request.line, "POST /v1/updates");
    assert_eq!(
        request.body,
        json!({
            "title": "Nightly", "body": "3 of 4", "publication_id": "pub-1",
            "links": [{"label": "The log", "url": "https://ci.example/1"}],
            "media": [{"url": "https://ci.example/1.png", "mime_type": "image/png", "alt": "Load"}],
            "issue": {"tracker": "linear", "key": "ENG-7", "url": "https://linear.app/x"},
            "source": {"run": "r1", "task": "t1", "project": "p1"},
        })
    );
}

#[test]
fn the_news_come_from_standard_input_or_a_file() {
    let server = Server::start(|_| reply(200, &update("unread")));
    let url = format!("http://{}", server.address());
    assert_eq!(start_with(&url, &[], "Two\nlines\n", &["update", "N", "--body", "-"]).end().code, 0);
    assert_eq!(server.next().body["body"], "Two\nlines");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "From a file\n").unwrap();
    assert_eq!(run(&server, &["update", "N", "--body-file", file.path().to_str().unwrap()]).code, 0);
    assert_eq!(server.next().body["body"], "From a file");
}

#[test]
fn a_lost_reply_is_published_again_under_the_same_publication() {
    let tries = Mutex::new(0);
    let server = Server::start(move |_| {
        let mut tries = tries.lock().unwrap();
        *tries += 1;
        match *tries {
            1 => Reply::Close,
            2 => problem(503, "busy"),
            _ => reply(201, &update("unread")),
        }
    });
    assert_eq!(run(&server, &["update", "N", "--body", "b"]).code, 0);
    let publications: Vec<_> = server.rest().iter().map(|request| request.body["publication_id"].clone()).collect();
    assert_eq!(publications.len(), 3);
    assert!(publications[0].as_str().unwrap().starts_with("ask-"));
    assert!(publications.iter().all(|publication| *publication == publications[0]), "{publications:?}");
    let lost = against(|| problem(500, "broken"), &["update", "N", "--body", "b", "--publication-id", "pub-1"]);
    assert_eq!((lost.code, lost.output.as_str()), (1, ""));
    assert!(lost.words.contains("--publication-id pub-1"), "{lost:?}");
}

#[test]
fn each_refusal_of_an_update_has_its_code() {
    let check = |status: u16, code: &'static str, exit: i32| {
        let ended = against(move || problem(status, code), &["update", "N", "--body", "b"]);
        assert_eq!((ended.code, ended.output.as_str()), (exit, ""), "{code}: {ended:?}");
    };
    check(409, "draft_changed", 7);
    check(429, "capacity", 7);
    check(422, "invalid", 2);
    check(401, "unauthenticated", 1);
    for arguments in [&["update", "N"][..], &["update", "--body", "b"], &["update", "N", "--body", "b", "--link", "ci.example"]] {
        let ended = against(|| panic!("nothing is sent"), arguments);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
    }
}

#[test]
fn through_a_repository_an_update_is_sent_and_no_more_than_that_is_said() {
    let hub = Hub::start();
    let ended = hub.ask(&["update", "Nightly", "--body", "3 of 4", "--publication-id", "pub-1"]);
    let sent_at = hub.state().events[0]["client_payload"]["pager"]["sent_at"].clone();
    assert_eq!((ended.code, ended.json()), (0, json!({"id": null, "at": sent_at, "state": null})), "{ended:?}");
    assert!(ended.words.contains("whether it arrived is not told"), "{ended:?}");
    let event = hub.state().events[0].clone();
    let pager = &event["client_payload"]["pager"];
    assert_eq!(event["event_type"], "pager-update");
    assert_eq!(
        (&pager["title"], &pager["body"], &pager["publication_id"]),
        (&json!("Nightly"), &json!("3 of 4"), &json!("pub-1"))
    );
    let blank = hub.ask(&["update", " ", "--body", "b"]);
    assert_eq!((blank.code, blank.output.as_str()), (2, ""), "{blank:?}");
    assert!(blank.words.contains("title"), "{blank:?}");
    assert_eq!(hub.state().events.len(), 1);
}

#[test]
fn the_owner_lists_updates_page_by_page() {
    let page = json!({"items": [update("read")], "next": "abc"});
    let server = Server::start({
        let page = page.clone();
        move |_| reply(200, &page)
    });
    let ended = run(&server, &["updates"]);
    assert_eq!((ended.code, ended.json()), (0, page));
    assert_eq!(server.next().line, "GET /v1/updates?limit=50");
    for state in ["unread", "read", "dismissed", "all"] {
        assert_eq!(run(&server, &["updates", "--state", state]).code, 0);
        assert_eq!(server.next().line, format!("GET /v1/updates?limit=50&state={state}"));
    }
    assert_eq!(run(&server, &["updates", "--source", "control/ci", "--limit", "3", "--cursor", "a&b"]).code, 0);
    assert_eq!(server.next().line, "GET /v1/updates?limit=3&source=control%2Fci&cursor=a%26b");
    assert_eq!(run(&server, &["updates", "--state", "open"]).code, 2);
    assert_eq!(against(|| problem(403, "forbidden"), &["updates"]).code, 1);
}

#[test]
fn the_owner_reads_and_dismisses_an_update() {
    for (verb, state) in [("read", "read"), ("dismiss", "dismissed")] {
        let tries = Mutex::new(0);
        let server = Server::start(move |_| {
            let mut tries = tries.lock().unwrap();
            *tries += 1;
            if *tries == 1 { Reply::Close } else { reply(200, &update(state)) }
        });
        let ended = run(&server, &[verb, ID]);
        assert_eq!((ended.code, ended.json()), (0, update(state)), "{ended:?}");
        let request = server.next();
        assert_eq!((request.line, request.body), (format!("POST /v1/updates/{ID}/{verb}"), Value::Null));
        assert_eq!(against(|| problem(404, "not_found"), &[verb, ID]).code, 8);
        for id in ["rel-42", "u-1", "u-../../../../xxxx", "u-9F3C2A715BE04D18"] {
            assert_eq!(against(|| panic!("nothing is sent"), &[verb, id]).code, 2, "{id}");
        }
    }
}
