//! `ask withdraw` and `ask new --wait` in GitHub mode: an answer that was faster is never missed.

use rustix::process::Signal;
use serde_json::json;

use crate::command::answer;
use crate::hub::{ASKED_AT, Hub};
use crate::server::reply;

const FILE: &str = "answers/rel-42.json";
const WITHDRAW: [&str; 6] = ["withdraw", "rel-42", "--reason", "the tests settled it", "--timeout", "0s"];
const NEW: [&str; 8] = ["new", "Release?", "-o", "yes=Yes", "-o", "no=No", "--id", "rel-42"];

fn fresh() -> String {
    let mut answer = answer("chosen");
    answer["at"] = ASKED_AT.into();
    answer.to_string()
}

#[test]
fn answered_before_it_is_nine_and_nothing_is_sent() {
    let hub = Hub::start();
    hub.state().commit(FILE, answer("declined").to_string());
    let ended = hub.ask(&WITHDRAW);
    assert_eq!((ended.code, ended.json()), (9, answer("declined")), "{ended:?}");
    assert!(hub.state().events.is_empty());
}

#[test]
fn answered_in_between_it_is_nine_too() {
    let hub = Hub::start();
    hub.state().then = Some(Box::new(|state| state.commit(FILE, answer("chosen").to_string())));
    let ended = hub.ask(&WITHDRAW);
    assert_eq!((ended.code, ended.json()), (9, answer("chosen")), "{ended:?}");
    assert_eq!(hub.state().events.len(), 1);
}

#[test]
fn with_nothing_seen_it_says_that_the_event_was_sent() {
    let hub = Hub::start();
    let ended = hub.ask(&WITHDRAW);
    assert_eq!((ended.code, ended.json()), (0, json!({"id": "rel-42", "state": "withdrawal_sent"})), "{ended:?}");
    assert!(ended.words.contains("whether it arrived is not told"), "{ended:?}");
    let event = hub.state().events[0].clone();
    let uuid = event["client_payload"]["pager"]["event"].clone();
    assert!(uuid.is_string());
    assert_eq!(
        event,
        json!({"event_type": "pager-withdraw", "client_payload": {"pager": {
            "id": "rel-42", "reason": "the tests settled it", "event": uuid, "sent_at": ASKED_AT,
        }}})
    );
}

#[test]
fn it_watches_for_as_long_as_it_is_told() {
    let hub = Hub::start();
    let withdrawing = hub.start_ask(&[], &["--look-every", "5", "withdraw", "rel-42", "--timeout", "5m"]);
    hub.until("POST");
    for _ in 0..10 {
        hub.until("GET /repos/ada/answers/commits");
    }
    hub.state().commit(FILE, answer("own_words").to_string());
    let ended = withdrawing.end();
    assert_eq!((ended.code, ended.json()), (9, answer("own_words")), "{ended:?}");
}

#[test]
fn interrupted_while_it_watches_it_says_that_the_event_was_sent() {
    let hub = Hub::start();
    let withdrawing = hub.start_ask(&[], &["withdraw", "rel-42"]);
    hub.until("POST");
    hub.until("GET /repos/ada/answers/commits");
    withdrawing.signal(Signal::TERM);
    let ended = withdrawing.end();
    assert_eq!((ended.code, ended.output.as_str()), (143, ""), "{ended:?}");
    assert!(ended.words.contains("interrupted; the withdrawal of rel-42 was sent"), "{ended:?}");
}

#[test]
fn asked_and_answered_the_output_is_the_answer_alone() {
    let hub = Hub::start();
    hub.state().then = Some(Box::new(|state| state.commit(FILE, fresh())));
    let ended = hub.ask(&[&NEW[..], &["--wait", "1h"]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(ended.json().to_string(), fresh());
}

#[test]
fn giving_up_it_withdraws() {
    let hub = Hub::start();
    let ended = hub.ask(&[&NEW[..], &["--wait", "1s"]].concat());
    assert_eq!((ended.code, ended.json()), (5, json!({"id": "rel-42", "state": "withdrawal_sent"})), "{ended:?}");
    let events = hub.state().events.clone();
    assert_eq!(events[1]["event_type"], "pager-withdraw");
    assert_eq!(events[1]["client_payload"]["pager"]["reason"], "the agent gave up waiting");
}

#[test]
fn on_a_signal_it_withdraws_and_an_answer_that_was_faster_wins() {
    for is_answered in [false, true] {
        let hub = Hub::start();
        let asking = hub.start_ask(&[], &[&["--look-every", "300"][..], &NEW, &["--wait", "1h"]].concat());
        hub.until("POST");
        hub.until("GET /repos/ada/answers/commits");
        if is_answered {
            hub.state().then = Some(Box::new(|state| state.commit(FILE, fresh())));
        }
        asking.signal(Signal::TERM);
        let ended = asking.end();
        assert_eq!(ended.code, if is_answered { 0 } else { 5 }, "{ended:?}");
        assert_eq!(hub.state().events.len(), 2);
    }
}

#[test]
fn with_keep_the_question_stays() {
    let hub = Hub::start();
    let ended = hub.ask(&[&NEW[..], &["--wait", "1s", "--keep"]].concat());
    assert_eq!((ended.code, ended.json()), (3, json!({"id": "rel-42", "state": null})), "{ended:?}");
    assert_eq!(hub.state().events.len(), 1);
}

#[test]
fn a_wait_that_goes_wrong_leaves_no_question_behind() {
    let hub = Hub::start();
    hub.state().then = Some(Box::new(|state| {
        for _ in 0..9 {
            state.faults.push_back(("GET /repos/ada/answers/commits", reply(401, &json!({"message": "Bad credentials"}))));
        }
    }));
    let ended = hub.ask(&[&NEW[..], &["--wait", "1h"]].concat());
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("its withdrawal was sent"), "{ended:?}");
    assert_eq!(hub.state().events[1]["event_type"], "pager-withdraw");
}

#[test]
fn a_wait_that_goes_wrong_looks_for_an_answer_before_it_withdraws() {
    let hub = Hub::start();
    hub.state().then = Some(Box::new(|state| {
        for _ in 0..3 {
            state.faults.push_back(("GET /repos/ada/answers/commits", reply(401, &json!({"message": "Bad credentials"}))));
        }
        state.commit(FILE, fresh());
    }));
    let ended = hub.ask(&[&NEW[..], &["--wait", "1h"]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(ended.json().to_string(), fresh());
    assert_eq!(hub.state().events.len(), 1);
}
