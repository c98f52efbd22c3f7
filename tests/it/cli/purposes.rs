//! Every purpose from the question to the exit code, with the service's own answers.

use serde_json::{Value, json};

use crate::world::World;

const WAITS: [&str; 2] = ["--waiting-on", "the deploy"];

/// An id, how it is asked and settled, and the exit codes of asking and of reading the answer.
type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str], i32, i32);

#[tokio::test]
async fn the_exit_code_is_a_success_only_for_what_was_asked() {
    let world = World::start().await;
    let approval = [&["--purpose", "approval", "--gate", "merge"], &WAITS[..]].concat();
    let action = [&["--purpose", "action", "--step", "Log in"], &WAITS[..]].concat();
    let verify = [&["--purpose", "verify"], &WAITS[..]].concat();
    let decision = [
        &["--purpose", "decision", "-o", "A", "-o", "B", "--detail", "1=a", "--detail", "2=b", "--recommend", "1"][..],
        &["--reversibility", "hard_to_reverse"],
        &WAITS[..],
    ]
    .concat();
    let cases: [Case<'_>; 9] = [
        ("rel-1", &approval, &["--option", "approve"], 3, 0),
        ("rel-2", &approval, &["--option", "decline"], 3, 4),
        ("rel-3", &approval, &["--words", "approve"], 3, 4),
        ("rel-4", &action, &["--option", "done"], 3, 0),
        ("rel-5", &action, &["--option", "cant"], 3, 4),
        ("rel-6", &action, &["--words", "done"], 3, 4),
        ("rel-7", &verify, &["--option", "works"], 3, 0),
        ("rel-8", &verify, &["--words", "It works"], 3, 4),
        ("rel-9", &decision, &["--option", "2"], 0, 0),
    ];
    for (id, flags, settles, asked, settled) in cases {
        let ended = world.ask(&[&["new", "Go on?", "--id", id], flags].concat()).await;
        assert_eq!((ended.code, &ended.json()["id"]), (Some(asked), &json!(id)), "{ended:?}");
        let decided = world.ask_as_owner(&[&["decide", id], settles].concat()).await;
        assert_eq!(decided.code, Some(0), "{decided:?}");
        for verb in ["answer", "wait"] {
            let ended = world.ask(&[verb, id]).await;
            assert_eq!((ended.code, ended.json()), (Some(settled), decided.json()), "{verb} {id}: {ended:?}");
        }
    }
}

#[tokio::test]
async fn a_declined_or_cancelled_approval_is_none() {
    let world = World::start().await;
    for (id, verb) in [("rel-1", "decline"), ("rel-2", "cancel")] {
        let flags = ["new", "Merge?", "--purpose", "approval", "--gate", "merge", "--wait", "1h", "--id", id];
        let asking = world.start_ask(&[&flags, &WAITS[..]].concat());
        world.record_when(id, "it is asked", |record| record["state"] == "open").await;
        assert_eq!(world.ask_as_owner(&[verb, id]).await.code, Some(0));
        assert_eq!(asking.end().await.code, Some(4), "{verb}");
    }
}

#[tokio::test]
async fn several_options_come_back_as_they_were_given() {
    let world = World::start().await;
    let new = ["new", "Which?", "-o", "a=A", "-o", "b=B", "-o", "c=C", "--multi", "--id", "rel-1"];
    assert_eq!(world.ask(&new).await.code, Some(0));
    let decided = world.ask_as_owner(&["decide", "rel-1", "--option", "a,c"]).await;
    let answer = world.ask(&["answer", "rel-1"]).await;
    assert_eq!((answer.code, answer.json()), (Some(0), decided.json()), "{answer:?}");
    assert_eq!((&answer.json()["choice"], &answer.json()["answer"]), (&json!("a,c"), &json!("A, C")));
}

#[tokio::test]
async fn what_the_service_would_not_ask_is_two_and_names_the_field() {
    let world = World::start().await;
    let check = async |arguments: &[&str], field: &str| {
        let ended = world.ask(&[&["new", "Go on?"], arguments].concat()).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.words.contains(field), "{ended:?}");
    };
    let digest = format!("sha256:{}", "0".repeat(64));
    check(&["-o", "A", "-o", "B", "--deadline", "30d"], "deadline").await;
    check(&["-o", "A", "-o", "B", "--deadline", "1h", "--default", "3"], "default").await;
    check(&["-o", "A", "-o", "B", "--step", "x", "--purpose", "question"], "steps").await;
    let approval = [&["--purpose", "approval", "--subject", "/etc/hostname", "--digest", &digest], &WAITS[..]].concat();
    check(&approval, "digest").await;
}

#[tokio::test]
async fn the_subject_of_an_approval_is_sent_byte_by_byte() {
    let world = World::start().await;
    let path = world.folder().join("plan");
    std::fs::write(&path, "rm -r build\n\n").unwrap();
    let flags = ["new", "Do it?", "--purpose", "approval", "--gate", "merge", "--id", "rel-1", "--subject"];
    let ended = world.ask(&[&flags[..], &[path.to_str().unwrap()], &WAITS].concat()).await;
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let record: Value = world.record("rel-1").await;
    // printf 'rm -r build\n\n' | sha256sum
    let digest = "sha256:c782f8ba14f262c287bb6858e34306d38323a14317cabf3e00db3814f9287219";
    assert_eq!((&record["subject"], &record["digest"]), (&json!("rm -r build\n\n"), &json!(digest)));
}

#[tokio::test]
async fn the_owner_lists_what_waits() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let flags = ["new", "Drop it?", "-o", "A", "-o", "B", "--reversibility", "hard_to_reverse", "--id", "rel-2"];
    assert_eq!(world.ask(&flags).await.code, Some(0));
    let listed = world.ask_as_owner(&["inbox", "--json"]).await;
    let ids: Vec<Value> = listed.json()["items"].as_array().unwrap().iter().map(|record| record["id"].clone()).collect();
    assert_eq!((listed.code, ids), (Some(0), vec![json!("rel-2"), json!("rel-1")]));
    assert_eq!(world.ask(&["inbox", "--json"]).await.code, Some(1), "an agent has no inbox");
}
