//! `ask` in GitHub mode while GitHub limits, fails, or shows the repository no more. None of it is ever an answer.

use serde_json::json;

use crate::command::answer;
use crate::hub::{Hub, not_found};
use crate::server::{Reply, reply};

const FILE: &str = "answers/rel-42.json";
const HEAD: &str = "GET /repos/ada/answers/commits";
const CONTENTS: &str = "GET /repos/ada/answers/contents/answers";

fn limited(status: u16, headers: &[(&'static str, &str)]) -> Reply {
    let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Reply::Send(status, headers, json!({"message": "You have exceeded a secondary rate limit."}).to_string())
}

#[test]
fn a_wait_outlives_limits_with_and_without_headers_and_failures() {
    let hub = Hub::start();
    let waiting = hub.start_ask(&[], &["--look-every", "5", "wait", "rel-42", "--timeout", "0"]);
    hub.until(HEAD);
    hub.fail(HEAD, limited(403, &[]));
    hub.fail(HEAD, limited(429, &[("retry-after", "0")]));
    hub.fail(HEAD, limited(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1700000000")]));
    hub.fail(HEAD, reply(500, &json!({"message": "Server Error"})));
    hub.fail(HEAD, Reply::Close);
    hub.fail(HEAD, Reply::Send(200, Vec::new(), "<html>not a commit".to_owned()));
    hub.fail(HEAD, not_found());
    hub.fail(HEAD, not_found());
    while !hub.state().faults.is_empty() {
        hub.until(HEAD);
    }
    hub.state().commit(FILE, answer("chosen").to_string());
    let ended = waiting.end();
    assert_eq!((ended.code, ended.json()), (0, answer("chosen")), "{ended:?}");
    assert_eq!(ended.words.matches("trying again").count(), 1, "{ended:?}");
}

#[test]
fn told_to_hold_off_it_does_not_look_again_before() {
    let hub = Hub::start();
    hub.fail(HEAD, limited(429, &[("retry-after", "3600")]));
    let ended = hub.ask(&["wait", "rel-42", "--timeout", "1s"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("limits requests") && ended.words.contains("1h"), "{ended:?}");
    assert!(hub.state().faults.is_empty());
    let paid = hub.state().paid.clone();
    assert!(paid.is_empty(), "{paid:?}");
}

#[test]
fn limited_after_it_had_looked_it_is_no_answer_yet() {
    let hub = Hub::start();
    let waiting = hub.start_ask(&[], &["--look-every", "20", "wait", "rel-42", "--timeout", "1s"]);
    hub.until("GET /repos/ada/answers/contents/archive");
    hub.fail(HEAD, limited(403, &[("retry-after", "3600")]));
    let ended = waiting.end();
    assert_eq!((ended.code, ended.json()), (3, json!({"id": "rel-42", "state": null})), "{ended:?}");
    assert!(ended.words.contains("limits requests"), "{ended:?}");
}

#[test]
fn access_that_is_lost_in_the_middle_ends_the_wait_with_its_causes() {
    let hub = Hub::start();
    let waiting = hub.start_ask(&[], &["--look-every", "20", "wait", "rel-42", "--timeout", "0"]);
    hub.until("GET /repos/ada/answers/contents/archive");
    for _ in 0..9 {
        hub.fail(HEAD, not_found());
    }
    let ended = waiting.end();
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("expired or was revoked"), "{ended:?}");
    assert_eq!(hub.state().faults.len(), 6);
}

#[test]
fn a_long_limit_is_told_instead_of_waited_for_where_nobody_waits() {
    let hub = Hub::start();
    hub.fail(HEAD, limited(403, &[("retry-after", "3600")]));
    let ended = hub.ask(&["answer", "rel-42"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("try again in 1h"), "{ended:?}");
}

#[test]
fn a_short_limit_of_dispatching_is_waited_for() {
    let hub = Hub::start();
    hub.fail("POST", limited(403, &[("retry-after", "0")]));
    hub.fail("POST", limited(429, &[]));
    assert_eq!(hub.ask(&["new", "R?", "-o", "A", "-o", "B"]).code, 0);
    assert_eq!(hub.state().events.len(), 1);
}

#[test]
fn with_plenty_of_quota_it_looks_more_often() {
    let looks = |left: &str| {
        let hub = Hub::start();
        hub.state().headers = vec![("x-ratelimit-limit", "5000".to_owned()), ("x-ratelimit-remaining", left.to_owned())];
        let ended = hub.ask(&["wait", "rel-42", "--timeout", "2s"]);
        assert_eq!(ended.code, 3, "{ended:?}");
        hub.state().unchanged
    };
    let (many, few) = (looks("4000"), looks("1000"));
    assert!(many > few, "{many} {few}");
}

#[test]
fn a_copy_that_lags_behind_hides_no_answer_for_good() {
    let lagging = || reply(404, &json!({"message": "No commit found for the ref 5d2cb0f1d3a1a3a9a1f0b7c2b4ab8c7e6f1d2c3b"}));
    let hub = Hub::start();
    let waiting = hub.start_ask(&[], &["--look-every", "5", "wait", "rel-42", "--timeout", "0"]);
    hub.until("GET /repos/ada/answers/contents/archive");
    {
        let mut state = hub.state();
        state.faults.extend([(CONTENTS, lagging()), (CONTENTS, lagging())]);
        state.commit(FILE, answer("chosen").to_string());
    }
    let ended = waiting.end();
    assert_eq!((ended.code, ended.json()), (0, answer("chosen")), "{ended:?}");
    hub.fail(CONTENTS, lagging());
    assert_eq!(hub.ask(&["answer", "rel-42"]).json(), answer("chosen"));
}
