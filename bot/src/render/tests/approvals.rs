//! Approvals: the subject is shown whole, or nobody can approve in the chat.

use super::*;

fn approval(subject: Option<&str>) -> Record {
    asked(json!({
        "purpose": "approval", "text": "May I drop the table?", "gate": "destructive_action", "subject": subject,
        "waiting_on": "The migration.", "deadline": "2026-11-30T15:00:00Z",
    }))
}

fn labels(record: &Record, attached: Attached) -> Vec<String> {
    let zone = zone();
    let display = Display { attached, ..Display::new(ChatKind::Forum, &zone) };
    let message = super::super::question(record, &display);
    check(&message);
    message.keyboard.into_iter().flatten().map(|button| button.label).collect()
}

/// Whatever the subject is, it stands whole in the message, or its very bytes in the last document.
pub(super) fn check_subject(message: &Message, subject: &str) {
    let shown = text::reveal(subject);
    match message.documents.iter().filter(|document| document.name.starts_with("subject-")).collect::<Vec<_>>()[..] {
        [] => assert!(message.text.contains(shown.trim_end())),
        [.., exact] => {
            assert_eq!(exact.bytes, subject.as_bytes());
            assert!(exact.caption.ends_with(&digest(subject.as_bytes())));
            assert_eq!(message.documents.last(), Some(exact), "it comes last: with it everything is there");
        }
    }
    assert!(message.text.contains(&digest(subject.as_bytes())), "the digest is shown in any case");
}

#[test]
fn an_approval_shows_its_subject_its_category_its_digest_and_what_silence_means() {
    let record = approval(Some("DROP TABLE users;\nDROP TABLE \u{202e}orders;"));
    insta::assert_snapshot!(look(&question(&record, ChatKind::Forum, &zone())), @r"
    May I drop the table?

    *To be approved:*
    `DROP TABLE users;
    DROP TABLE \u{202e}orders;`

    *What waits:* The migration.

    *Asked by* ci
    30 Nov 2026, 14:22

    *Category* destructive_action
    *Digest* `sha256:9f264f5f4ae5b7ace759865ddbf2809e201c58e0fae50e409ce373c0077dc19b`

    *Until 30 Nov 2026, 16:00*; then not approved.

    _Press a button. A text in this topic is an answer, too: it means not approved._
    [ Approve ] a:9f3c2a715be04d18:0
    [ Decline ] a:9f3c2a715be04d18:1
    ");
    insta::assert_snapshot!(look(&question(&record, ChatKind::Flat, &zone())).rsplit("\n\n").next().unwrap(), @"
    _Press a button. Words of your own mean not approved:_
    /answer 9f3c2a and your words
    [ Approve ] a:9f3c2a715be04d18:0
    [ Decline ] a:9f3c2a715be04d18:1
    ");
}

#[test]
fn an_approval_without_a_subject_can_be_approved_at_once() {
    assert_eq!(labels(&approval(None), Attached::Coming), ["Approve", "Decline"]);
}

#[test]
fn a_subject_that_does_not_fit_is_a_document_whose_bytes_have_the_digest_that_is_shown() {
    let subject = format!("+ {}\n", "a line of the plan\n+ ".repeat(400));
    let record = approval(Some(&subject));
    let message = question(&record, ChatKind::Forum, &zone());
    assert_eq!(record.question.digest.as_deref(), Some(digest(&message.documents[0].bytes).as_str()));
    assert_eq!(message.documents.len(), 1);
    check_subject(&message, &subject);
    insta::assert_snapshot!(look(&message), @"
    May I drop the table?

    *To be approved:* exactly what is in the document that follows.

    *What waits:* The migration.

    *Asked by* ci
    30 Nov 2026, 14:22

    *Category* destructive_action
    *Digest* `sha256:9d152b94629f731360200800051cf0610cbfeace93eabaa2a0963658dddc16f2`

    *Until 30 Nov 2026, 16:00*; then not approved.

    _Approve appears here once everything stands in the chat._
    _Press a button. A text in this topic is an answer, too: it means not approved._
    [ Decline ] a:9f3c2a715be04d18:1
    ");
}

#[test]
fn nobody_approves_before_the_documents_are_there_nor_when_they_cannot_be_sent() {
    let record = approval(Some(&"x".repeat(32_000)));
    assert_eq!(labels(&record, Attached::Coming), ["Decline"]);
    assert_eq!(labels(&record, Attached::Sent), ["Approve", "Decline"]);
    let page = "https://pager.example/#q-9f3c2a715be04d18".to_owned();
    assert_eq!(labels(&record, Attached::Missing { page: page.clone() }), ["Decline"]);
    let zone = zone();
    let display = Display { attached: Attached::Missing { page }, ..Display::new(ChatKind::Forum, &zone) };
    insta::assert_snapshot!(look(&super::super::question(&record, &display)).rsplit("\n\n").next().unwrap(), @"
    *Not everything could be sent, so it cannot be approved here.* Approve it on the page: https://pager.example/#q-9f3c2a715be04d18
    _Press a button. A text in this topic is an answer, too: it means not approved._
    [ Decline ] a:9f3c2a715be04d18:1
    ");
    assert!(needs_documents_to_approve(&record.question));
    assert!(!needs_documents_to_approve(&approval(Some("ls")).question));
    assert!(!needs_documents_to_approve(&release().question));
}

#[test]
fn a_subject_with_characters_that_do_not_show_comes_also_with_escapes() {
    let subject = format!("{}\u{202e}", "x".repeat(5000));
    let message = question(&approval(Some(&subject)), ChatKind::Forum, &zone());
    check_subject(&message, &subject);
    let names: Vec<&str> = message.documents.iter().map(|document| document.name.as_str()).collect();
    assert_eq!(names, ["subject-rel-42-escaped.txt", "subject-rel-42.txt"]);
    assert!(String::from_utf8(message.documents[0].bytes.clone()).unwrap().ends_with("x\\u{202e}"));
    assert!(message.text.contains("characters that do not show"));
}

#[test]
fn a_subject_of_which_telegram_would_leave_something_out_is_a_document() {
    let message = question(&approval(Some("rm -rf A\u{30a}")), ChatKind::Forum, &zone());
    assert_eq!(message.documents.len(), 1);
}

#[test]
fn an_approval_stays_whole_while_its_message_has_more_to_say() {
    for length in (2000..4000).step_by(50) {
        let subject = "x".repeat(length);
        let record = approval(Some(&subject));
        if needs_documents_to_approve(&record.question) {
            continue;
        }
        let unattended = then(&record, Event::Unattended { since: record.question.asked_at });
        let claimed = then(
            &unattended,
            Event::Claim { resolution: Resolution::Declined, by: By::telegram(1), origin: None, said_at: None },
        );
        let delayed = then(&claimed, Event::Delayed { claim: claimed.revision, reason: "no route ".repeat(100) });
        let message = current(&delayed, ChatKind::Flat, &zone());
        check_subject(&message, &subject);
        check(&message);
    }
}

#[test]
fn the_ends_of_an_approval_never_read_like_a_yes_unless_it_was_one() {
    let record = approval(Some("ls"));
    let expired = {
        let due = pager_questions::apply(&record, Event::Due, Time::parse("2026-11-30T15:00:01Z").unwrap()).unwrap().0;
        let saved = Event::Saved { claim: due.revision, signature: "ed25519:x".to_owned(), commit: "c0ffee".to_owned() };
        then(&due, saved)
    };
    let pick = |id: &str| settled(&record, Resolution::Chosen(vec![OptionId::parse(id).unwrap()]));
    let ends = [
        pick("approve"),
        pick("decline"),
        settled(&record, Resolution::OwnWords("only after lunch".to_owned())),
        settled(&record, Resolution::Declined),
        settled(&record, Resolution::Cancelled(CancelReason::OwnerCancelled)),
        expired,
    ];
    let tail = |record: &Record| {
        let look = look(&ended(record, &zone()));
        look.split_once("*Digest*").and_then(|(_, rest)| rest.split_once("\n\n")).unwrap().1.to_owned()
    };
    let tails: Vec<String> = ends.iter().map(tail).collect();
    insta::assert_snapshot!(tails.join("\n---\n"), @"
    You answered: Approve
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    You answered: Decline
    _Not approved. telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    *Your answer, in your own words*
    You answered: only after lunch
    _Not approved. telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    Declined: not approved.
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    Cancelled by telegram:4242.
    _30 Nov 2026, 14:25_
    ---
    Nobody answered by 30 Nov 2026, 16:00. Not approved.
    ");
}
