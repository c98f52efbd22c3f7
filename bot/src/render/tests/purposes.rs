//! Each purpose as it looks: what it shows, how it is answered, how it ends.

use super::*;

/// The part from this heading on.
fn from(look: &str, heading: &str) -> String {
    look[look.find(heading).unwrap()..].to_owned()
}

fn decision() -> Record {
    asked(json!({
        "purpose": "decision", "text": "Which database?", "recommended": "1", "waiting_on": "The schema.",
        "options": [
            {"label": "SQLite", "detail": "One file, one writer."}, {"label": "PostgreSQL", "detail": "A server to run."},
        ],
    }))
}

fn action() -> Record {
    asked(json!({
        "purpose": "action", "text": "Please pay the invoice.", "waiting_on": "The domain.",
        "steps": ["Open the shop\u{202e}.", "Pay 12 €."],
    }))
}

fn verify() -> Record {
    asked(json!({"purpose": "verify", "text": "Does the page load?", "waiting_on": "The release."}))
}

fn multi() -> Record {
    asked(json!({
        "text": "Which targets?", "multi": true, "group": "set-\u{200b}7", "recommended": "2",
        "options": [{"label": "Linux"}, {"label": "macOS"}, {"label": "Windows"}, {"label": "BSD"}],
    }))
}

#[test]
fn a_decision_shows_its_trade_offs_and_takes_no_words() {
    insta::assert_snapshot!(look(&question(&decision(), ChatKind::Forum, &zone())), @"
    Which database?

    *1.* SQLite  *★ recommended*
    One file, one writer.

    *2.* PostgreSQL
    A server to run.

    *What waits:* The schema.

    *Asked by* ci
    30 Nov 2026, 14:22

    *Unclassified*: the agent did not say whether it can be undone.

    _Press a button: a decision takes no words of your own. /decline leaves it to the agent._
    [ ★ SQLite ] a:9f3c2a715be04d18:0
    [ PostgreSQL ] a:9f3c2a715be04d18:1
    ");
    let flat = look(&question(&decision(), ChatKind::Flat, &zone()));
    insta::assert_snapshot!(from(&flat, "_Press"), @"
    _Press a button: a decision takes no words of your own. To leave it to the agent:_
    /decline 9f3c2a
    [ ★ SQLite ] a:9f3c2a715be04d18:0
    [ PostgreSQL ] a:9f3c2a715be04d18:1
    ");
}

#[test]
fn an_action_shows_its_steps_with_numbers() {
    insta::assert_snapshot!(look(&question(&action(), ChatKind::Forum, &zone())), @r"
    Please pay the invoice.

    *Steps*
    *1.* Open the shop\u{202e}.
    *2.* Pay 12 €.

    *What waits:* The domain.

    *Asked by* ci
    30 Nov 2026, 14:22

    _Press a button. A text in this topic is an answer, too: it means not done._
    [ Done ] a:9f3c2a715be04d18:0
    [ Can't do ] a:9f3c2a715be04d18:1
    ");
}

#[test]
fn a_verification_has_one_button_and_says_what_words_mean() {
    insta::assert_snapshot!(look(&question(&verify(), ChatKind::Forum, &zone())), @"
    Does the page load?

    *What waits:* The release.

    *Asked by* ci
    30 Nov 2026, 14:22

    _Press a button. A text in this topic is an answer, too: it means not verified._
    [ It works ] a:9f3c2a715be04d18:0
    ");
    let flat = look(&question(&verify(), ChatKind::Flat, &zone()));
    insta::assert_snapshot!(from(&flat, "_Press"), @"
    _Press a button. Words of your own mean not verified:_
    /answer 9f3c2a and your words
    [ It works ] a:9f3c2a715be04d18:0
    ");
}

#[test]
fn where_several_may_be_picked_there_are_marks_and_a_button_that_sends() {
    let zone = zone();
    let none = question(&multi(), ChatKind::Forum, &zone);
    insta::assert_snapshot!(look(&none), @r"
    Which targets?

    *1.* Linux

    *2.* macOS  *★ recommended*

    *3.* Windows

    *4.* BSD

    *One of a set* set-\u{200b}7
    *Asked by* ci
    30 Nov 2026, 14:22

    _Mark what you pick and press Send, or write your answer in this topic: a text here is an answer, too._
    [ ☐ Linux ] t:9f3c2a715be04d18:0
    [ ☐ ★ macOS ] t:9f3c2a715be04d18:1
    [ ☐ Windows ] t:9f3c2a715be04d18:2
    [ ☐ BSD ] t:9f3c2a715be04d18:3
    [ Send ] s:9f3c2a715be04d18
    ");
    let marked = ["1", "3"].map(|id| OptionId::parse(id).unwrap()).to_vec();
    let message = super::super::question(&multi(), &Display { marked, ..Display::new(ChatKind::Forum, &zone) });
    check(&message);
    assert_eq!(message.text, none.text, "only the buttons differ");
    let labels: Vec<&str> = message.keyboard.iter().flatten().map(|button| button.label.as_str()).collect();
    assert_eq!(labels, ["☑ Linux", "☐ ★ macOS", "☑ Windows", "☐ BSD", "Send (2)"]);
    let ended = settled(&multi(), Resolution::Chosen(["3", "1"].map(|id| OptionId::parse(id).unwrap()).to_vec()));
    insta::assert_snapshot!(look(&current(&ended, ChatKind::Forum, &zone)), @r"
    Which targets?

    *✅ 1.* Linux

    *2.* macOS  *★ recommended*

    *✅ 3.* Windows

    *4.* BSD

    *One of a set* set-\u{200b}7
    *Asked by* ci
    30 Nov 2026, 14:22

    You answered: Linux, Windows
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ");
}

#[test]
fn a_deadline_stands_in_the_owner_s_zone_with_what_silence_means() {
    let line = |more: Value| {
        let mut body = json!({
            "text": "Go?", "options": [{"label": "Yes"}, {"label": "No\u{202e}"}], "deadline": "2026-11-30T15:00:00Z",
            "waiting_on": "all",
        });
        more.as_object().unwrap().iter().for_each(|(name, value)| body[name] = value.clone());
        let look = look(&question(&asked(body), ChatKind::Forum, &zone()));
        from(&look, "*Until").split("\n\n").next().unwrap().to_owned()
    };
    let options = Value::Null;
    let lines = [
        line(json!({"default": "2"})),
        line(json!({})),
        line(json!({"purpose": "approval", "options": options})),
        line(json!({"purpose": "verify", "options": options})),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    *Until 30 Nov 2026, 16:00*; if nobody answers: the agent goes on with “No\u{202e}”.
    *Until 30 Nov 2026, 16:00*; if nobody answers: it stays open and counts as unanswered.
    *Until 30 Nov 2026, 16:00*; then not approved.
    *Until 30 Nov 2026, 16:00*; if nobody answers: it stays open and counts as unanswered.
    ");
}

#[test]
fn a_default_that_was_applied_is_told_with_the_moment_that_passed() {
    let record = asked(json!({
        "text": "Go?", "options": [{"label": "Yes"}, {"label": "No"}], "deadline": "2026-11-30T13:24:00Z", "default": "2",
    }));
    let due = then(&record, Event::Due);
    let saved = Event::Saved { claim: due.revision, signature: "ed25519:x".to_owned(), commit: "c0ffee".to_owned() };
    let record = then(&due, saved);
    let look = look(&ended(&record, &zone()));
    assert!(look.ends_with("Nobody answered by 30 Nov 2026, 14:24. The agent goes on with its default: No"), "{look}");
    assert!(!look.contains('✅') && !look.contains("Until"), "nobody chose it: {look}");
    let toast = toasts::ended(&record, &zone());
    assert_eq!(toast, "Nobody answered by 30 Nov 2026, 14:24. The agent goes on with its default: No");
}

#[test]
fn a_secret_question_says_whom_the_words_are_for_and_ends_as_private() {
    let record = asked(json!({"text": "The password?", "waiting_on": "The deploy.", "secret": true}));
    let open = look(&question(&record, ChatKind::Forum, &zone()));
    assert!(open.contains("🔒 Your words are for the agent alone"), "{open}");
    let ended = settled(&record, Resolution::OwnWords("hunter2".to_owned()));
    insta::assert_snapshot!(from(&look(&current(&ended, ChatKind::Forum, &zone())), "*Your answer"), @"
    *Your answer, in your own words*
    You answered: Private answer
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ");
}

#[test]
fn the_ends_of_what_asks_for_a_yes_say_what_everything_else_means() {
    let end = |record: &Record, resolution| {
        let look = look(&ended(&settled(record, resolution), &zone()));
        look.rsplit("\n\n").next().unwrap().to_owned()
    };
    let pick = |id: &str| Resolution::Chosen(vec![OptionId::parse(id).unwrap()]);
    let words = || Resolution::OwnWords("The card was refused".to_owned());
    let ends = [
        end(&action(), pick("done")),
        end(&action(), pick("cant")),
        end(&action(), words()),
        end(&action(), Resolution::Declined),
        end(&verify(), pick("works")),
        end(&verify(), words()),
        end(&verify(), Resolution::Declined),
    ];
    insta::assert_snapshot!(ends.join("\n---\n"), @"
    You answered: Done
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    You answered: Can't do
    _Not done. telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    *Your answer, in your own words*
    You answered: The card was refused
    _Not done. telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    Declined: not done.
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    You answered: It works
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    *Your answer, in your own words*
    You answered: The card was refused
    _Not verified. telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    Declined: not verified.
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ");
}

#[test]
fn a_toast_tells_every_outcome() {
    let toast = |record: &Record, resolution| toasts::ended(&settled(record, resolution), &zone());
    let pick = |ids: &[&str]| Resolution::Chosen(ids.iter().map(|id| OptionId::parse(id).unwrap()).collect());
    let toasts = [
        toast(&multi(), pick(&["1", "4"])),
        toast(&decision(), pick(&["2"])),
        toast(&action(), pick(&["cant"])),
        toast(&verify(), Resolution::OwnWords("No, blank\npage".to_owned())),
        toast(&verify(), Resolution::Declined),
        toast(&decision(), Resolution::Cancelled(CancelReason::OwnerCancelled)),
        toasts::ended(&withdrawn(&decision(), Some("found it")), &zone()),
    ];
    insta::assert_snapshot!(toasts.join("\n"), @"
    You answered: Linux, BSD (telegram:4242 in Telegram, 30 Nov 2026, 14:25)
    You answered: PostgreSQL (telegram:4242 in Telegram, 30 Nov 2026, 14:25)
    You answered: Can't do (Not done. telegram:4242 in Telegram, 30 Nov 2026, 14:25)
    You answered: No, blank page (Not verified. telegram:4242 in Telegram, 30 Nov 2026, 14:25)
    Declined: not verified. (telegram:4242 in Telegram, 30 Nov 2026, 14:25)
    Cancelled by telegram:4242. (30 Nov 2026, 14:25)
    The agent took it back: found it (30 Nov 2026, 14:25)
    ");
    let long = ["x".repeat(100), "y".repeat(100), "z".repeat(100)];
    let labels: Vec<&str> = long.iter().map(String::as_str).collect();
    for toast in [toasts::marked(&labels), toasts::marked(&[]), toasts::nothing_marked(), toasts::not_shown_whole()] {
        assert!((1..=200).contains(&toast.encode_utf16().count()), "{toast}");
    }
}

#[test]
fn words_and_pictures_that_do_not_count_are_told_what_does() {
    let replies = [
        replies::takes_no_words(&decision().question, true),
        replies::takes_no_words(&decision().question, false),
        replies::only_text(&verify().question),
        replies::only_text(&clarification().question),
        replies::only_text(&decision().question),
        replies::only_text_in_thread(),
    ];
    insta::assert_snapshot!(replies.join("\n"), @"
    Not taken: a decision takes no words of your own. Pick a button, or write /decline to leave it to the agent. The question stays open.
    Not taken: a decision takes no words of your own. Pick a button, or write /decline 9f3c2a to leave it to the agent. The question stays open.
    Only a text counts as an answer. Please type it, or press a button. The question stays open.
    Only a text counts as an answer. Please type it. The question stays open.
    Only a button counts as an answer here. Please press one. The question stays open.
    Only a text goes into this thread, so nothing was kept of that. Please type it.
    ");
}

#[test]
fn the_list_of_what_waits_marks_what_each_is_for() {
    let mut records = vec![release(), decision(), action(), verify(), clarification()];
    records.insert(
        0,
        asked(json!({"purpose": "approval", "text": "Drop it?", "waiting_on": "all", "reversibility": "hard_to_reverse"})),
    );
    insta::assert_snapshot!(replies::open(&records, 6, ChatKind::Forum), @"
    6 questions wait.

    • ⚠️ Approval: Drop it?

    • ⚠️ Release 2.4 now?

    • Decision: Which database?

    • Action: Please pay the invoice.

    • Verify: Does the page load?

    • Which region?
    ");
}
