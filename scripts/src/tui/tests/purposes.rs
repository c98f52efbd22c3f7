//! What a question of each purpose looks like.

use insta::assert_snapshot;
use serde_json::json;

use super::Stage;
use crate::tui::samples::with;

#[test]
fn a_decision() {
    let options = json!([
        {"id": "1", "label": "SQLite", "detail": "One file, no server; one writer at a time"},
        {"id": "2", "label": "PostgreSQL", "detail": "Several machines; somebody has to run it"},
    ]);
    let stage = Stage::with(vec![with(
        "store",
        json!({"purpose": "decision", "text": "Which store?", "options": options, "recommended": "1", "waiting_on": "the schema", "reversibility": "hard_to_reverse"}),
    )]);
    assert_snapshot!(stage.screen(), @"
    ask inbox · 1 open                                                        ● live
    ── Open · 1 of 1 · ! hard to reverse · ? unclassified ──────────────────────────
    ▸! Which store?                                         deployer           2 min
    ── Question ────────────────────────────────────────────────────────────────────
    Which store?
    deployer · decision · ! hard to reverse · 2 min ago (30 Nov 2026, 13:22)

    ( ) 1 ★ SQLite
          One file, no server; one writer at a time
    ( ) 2 PostgreSQL
          Several machines; somebody has to run it
    ★ is what the agent would take
    A decision takes no own words

    Waits: the schema
    Id: store







    1-2 choose  d decline  c cancel  u updates  h history  ? help  q quit
    ");
}

#[test]
fn an_approval() {
    let stage = Stage::with(vec![with(
        "merge",
        json!({
            "purpose": "approval", "text": "Merge PR 42?", "gate": "merge", "subject": "- old line\n+ new line\n", "waiting_on": "the release",
            "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "reversibility": null,
            "options": [{"id": "approve", "label": "Approve"}, {"id": "decline", "label": "Decline"}], "recommended": null,
        }),
    )]);
    assert_snapshot!(stage.screen(), @"
    ask inbox · 1 open                                                        ● live
    ── Open · 1 of 1 · ! hard to reverse · ? unclassified ──────────────────────────
    ▸? Merge PR 42?                                         deployer           2 min
    ── Question ────────────────────────────────────────────────────────────────────
    Merge PR 42?
    deployer · approval · ? unclassified · 2 min ago (30 Nov 2026, 13:22)

    Gate: merge
    Digest: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
    ┌─ exactly this:
    │ - old line
    │ + new line
    │
    └─ the end of it

    ( ) 1 Approve
    ( ) 2 Decline
    Own words settle it as not approved

    Waits: the release
    Id: merge


    1-2 choose  w words  d decline  c cancel  u updates  h history  ? help  q quit
    ");
}

#[test]
fn an_action_and_its_steps() {
    let stage = Stage::with(vec![with(
        "sign-in",
        json!({
            "purpose": "action", "text": "Sign in at the registrar", "steps": ["Open https://registrar.example and sign in with the key from the safe in the office", "Renew pager.example for two years"],
            "options": [{"id": "done", "label": "Done"}, {"id": "cant", "label": "Can't do"}], "recommended": null, "waiting_on": "the certificate",
            "delivery": {"state": "undeliverable", "reason": "the bot was removed from the chat", "link": null},
        }),
    )]);
    assert_snapshot!(stage.screen(), @"
    ask inbox · 1 open                                                        ● live
    ── Open · 1 of 1 · ! hard to reverse · ? unclassified ──────────────────────────
    ▸  Sign in at the registrar                             deployer           2 min
    ── Question ────────────────────────────────────────────────────────────────────
    Sign in at the registrar
    deployer · something only you can do · reversible · 2 min ago (30 Nov 2026,
    13:22)

     1. Open https://registrar.example and sign in with the key from the safe in the
        office
     2. Renew pager.example for two years

    ( ) 1 Done
    ( ) 2 Can't do
    Own words settle it as not done

    Waits: the certificate
    Id: sign-in
    Not delivered to the chat: the bot was removed from the chat




    1-2 choose  w words  d decline  c cancel  u updates  h history  ? help  q quit
    ");
}

#[test]
fn a_verification_and_one_of_several_in_a_set() {
    let stage = Stage::with(vec![with(
        "check",
        json!({
            "purpose": "verify", "text": "Does the login work on your phone?", "options": [{"id": "works", "label": "It works"}],
            "recommended": null, "group": "phone-checks", "default": null, "secret": true, "waiting_on": "the announcement",
        }),
    )]);
    assert_snapshot!(stage.screen(), @"
    ask inbox · 1 open                                                        ● live
    ── Open · 1 of 1 · ! hard to reverse · ? unclassified ──────────────────────────
    ▸  Does the login work on your phone?                   deployer           2 min
    ── Question ────────────────────────────────────────────────────────────────────
    Does the login work on your phone?
    deployer · asks you to verify · reversible · 2 min ago (30 Nov 2026, 13:22)

    ( ) 1 It works
    Own words mean that it does not work
    Your own words stay private: they are handed to the agent and kept nowhere

    Waits: the announcement
    Set: phone-checks
    Id: check









    1 choose  w words  d decline  c cancel  u updates  h history  ? help  q quit
    ");
}

#[test]
fn an_offer_has_its_deliverable_first_and_says_what_holds_when_nobody_picks() {
    let stage = Stage::with(vec![with(
        "r-17-offer",
        json!({
            "purpose": "offer", "about": "r-17", "recommended": null, "reversibility": null, "default": "deliverable",
            "text": "A partial offer for 'Build this parser': untested code\nMissing: a build and a test run\nWhy: no compiler in this run",
            "options": [
                {"id": "deliverable", "label": "untested code", "detail": "Partial, and marked as such. Missing: a build and a test run"},
                {"id": "out", "label": "no thanks"},
            ],
            "deadline": "2026-11-30T14:25:03.000Z", "source": {"agent": "builder"},
        }),
    )]);
    assert_snapshot!(stage.screen(), @"
    ask inbox · 1 open                                                        ● live
    ── Open · 1 of 1 · ! hard to reverse · ? unclassified ──────────────────────────
    ▸? A partial offer for 'Build this parser': untested…   builder            2 min
    ── Question ────────────────────────────────────────────────────────────────────
    A partial offer for 'Build this parser': untested code
    Missing: a build and a test run
    Why: no compiler in this run
    builder · partial offer · ? unclassified · 2 min ago (30 Nov 2026, 13:22)

    ( ) 1 untested code
          Partial, and marked as such. Missing: a build and a test run
    ( ) 2 no thanks
    The helper delivers nothing before this is settled

    Deadline: 30 Nov 2026, 14:25 (in 1 h), then holds: untested code
    About: r-17
    Id: r-17-offer






    1-2 choose  w words  d decline  c cancel  u updates  h history  ? help  q quit
    ");
}

#[test]
fn what_an_agent_settled_says_whose_it_was() {
    let question = with("r-17-offer", json!({"purpose": "offer", "about": "r-17", "put_to": "planner"}));
    assert_eq!((question.about.unwrap().line(), question.put_to.unwrap().line()), ("r-17".to_owned(), "planner".to_owned()));
}
