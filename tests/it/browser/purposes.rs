//! Each kind of question on its card: what can be pressed, what words mean, and what is never shown.

use serde_json::json;

use super::driver::Browser;
use super::page::card;
use super::plain::Plain;
use crate::world::World;

#[tokio::test]
async fn a_decision_is_a_pick_between_trade_offs_and_takes_no_words() {
    let world = World::start().await;
    let question = world.asks_everything().await.remove(0);
    let (card, browser) = (card(&question), Browser::start().await);
    browser.log_in(&world).await;
    let text = browser.sees(&card, "One file; one writer.").await;
    assert!(text.contains("Decision") && text.contains("Hard to reverse") && text.contains("★ Recommended"), "{text}");
    assert_eq!(browser.count(&format!("{card} textarea")).await, 0);
    let owner = Plain::logged_in(&world).await;
    let path = format!("/questions/{}/answer", question["incarnation"].as_str().unwrap());
    let sent = owner.post(&path).form(&[("csrf", owner.csrf.as_str()), ("answer", "both")]).send().await.unwrap();
    assert_eq!(sent.status(), 422);
    browser.press(&format!("{card} .option[value=b]")).await;
    browser.sees(".notice.done", "You answered: PostgreSQL").await;
    assert_eq!(world.saved_answer("decide").await["recorded"], "PostgreSQL: Many writers; one more service.");
}

#[tokio::test]
async fn an_approval_shows_its_subject_whole_and_has_one_way_to_decline() {
    let world = World::start().await;
    let lines: Vec<String> = (0..2000).map(|line| format!("delete row {line}")).collect();
    let question = world
        .asks_with(json!({
            "id": "allow", "purpose": "approval", "text": "Clear the table?", "gate": "destructive_action",
            "subject": format!("{}\n\u{202e}the end", lines.join("\n")), "waiting_on": "the migration",
        }))
        .await;
    let (card, browser) = (card(&question), Browser::start().await);
    browser.log_in(&world).await;
    let subject = browser.the(&format!("{card} .subject pre")).await.text().await.unwrap();
    assert!(subject.starts_with("delete row 0\n") && subject.ends_with("delete row 1999\n\\u{202e}the end"), "{subject}");
    let text = browser.sees(&card, "destructive_action").await;
    assert!(text.contains(question["digest"].as_str().unwrap()), "{text}");
    let declines = "return [...document.querySelectorAll('.card button')].filter(b => b.innerText.trim() == 'Decline').length";
    assert_eq!(browser.run(declines).await, 1);
    browser.press(&format!("{card} .option[value=decline]")).await;
    let done = browser.sees(".notice.done", "You answered: Decline").await;
    assert!(done.contains("Not approved."), "{done}");
    let answer = world.saved_answer("allow").await;
    assert_eq!((&answer["choice"], &answer["digest"]), (&json!("decline"), &question["digest"]));
}

#[tokio::test]
async fn words_at_an_approval_an_action_or_a_verification_mean_no() {
    let world = World::start().await;
    let records = world.asks_everything().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    for (record, id, means) in
        [(&records[1], "allow", "Not approved."), (&records[2], "act", "Not done."), (&records[3], "check", "Not verified.")]
    {
        browser.write(&format!("{} textarea", card(record)), "looks good to me").await;
        browser.press(&format!("{} .send", card(record))).await;
        let done = browser.sees(".notice.done", means).await;
        assert!(done.contains("Your answer, in your own words"), "{done}");
        browser.lacks(&card(record)).await;
        let answer = world.saved_answer(id).await;
        assert_eq!((&answer["outcome"], &answer["choice"]), (&json!("own_words"), &json!(null)));
    }
}

#[tokio::test]
async fn an_action_lists_its_steps_and_is_done_or_not() {
    let world = World::start().await;
    let record = world.asks_everything().await.remove(2);
    let (card, browser) = (card(&record), Browser::start().await);
    browser.log_in(&world).await;
    browser.sees(&card, "For you to do").await;
    assert_eq!(browser.count(&format!("{card} ol > li")).await, 2);
    browser.press(&format!("{card} .option[value=cant]")).await;
    browser.sees(".notice.done", "You answered: Can't do").await;
    assert_eq!(world.saved_answer("act").await["choice"], "cant");
}

#[tokio::test]
async fn several_can_be_ticked_and_a_refusal_keeps_the_ticks() {
    let world = World::start().await;
    let record = world.asks_everything().await.remove(4);
    let (card, browser) = (card(&record), Browser::start().await);
    browser.log_in(&world).await;
    let send = format!("{card} .send");
    browser.press(&send).await;
    browser.sees(&format!("{card} .trouble"), "Nothing is ticked").await;
    browser.press(&format!("{card} input[value='1']")).await;
    browser.press(&format!("{card} input[value='3']")).await;
    browser.write(&format!("{card} textarea"), "and on paper").await;
    // What happens elsewhere unticks nothing.
    let other = world.asks("other").await;
    browser.sees(&super::page::card(&other), "Release").await;
    browser.press(&send).await;
    browser.sees(&format!("{card} .trouble"), "one or the other").await;
    assert_eq!(browser.count(&format!("{card} input:checked")).await, 2);
    browser.the(&format!("{card} textarea")).await.clear().await.unwrap();
    browser.press(&send).await;
    browser.sees(".notice.done", "You answered: Blog, Radio").await;
    assert_eq!(world.saved_answer("several").await["choices"], json!(["1", "3"]));
}

#[tokio::test]
async fn what_was_asked_together_stands_together_under_one_heading() {
    let world = World::start().await;
    let records = world.asks_everything().await;
    let late = json!({"id": "late", "text": "And when?", "waiting_on": "it", "group": "launch"});
    world.asks("between").await;
    let late = world.asks_with(late).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.sees("h2.set", "3 questions asked together").await;
    let ids = "return [...document.querySelectorAll('.card.in-set')].map(c => '#' + c.id)";
    let expected = json!([card(&records[4]), card(&records[5]), card(&late)]);
    assert_eq!(browser.run(ids).await, expected);
    assert_eq!(browser.count("h2.set + .card.in-set + .card.in-set + .card.in-set h3").await, 1);
}

#[tokio::test]
async fn private_words_are_hidden_while_typed_and_never_sent_back() {
    let world = World::start().await;
    let record = world.asks_everything().await.remove(5);
    let (card, browser) = (card(&record), Browser::start().await);
    browser.log_in(&world).await;
    let field = format!("{card} textarea");
    browser.sees(&card, "stores them nowhere").await;
    let about =
        "const f = document.querySelector('textarea.private'); return [f.autocomplete, getComputedStyle(f).webkitTextSecurity]";
    assert_eq!(browser.run(about).await, json!(["off", "disc"]));
    let owner = Plain::logged_in(&world).await;
    let path = format!("/questions/{}/answer", record["incarnation"].as_str().unwrap());
    let secret = "correct horse ".repeat(100);
    let form = [("csrf", owner.csrf.as_str()), ("answer", secret.as_str())];
    let refused = owner.post(&path).form(&form).send().await.unwrap();
    assert_eq!(refused.status(), 422);
    assert!(!refused.text().await.unwrap().contains("correct horse"));
    browser.write(&field, "hunter2").await;
    browser.press(&format!("{card} .send")).await;
    browser.sees(".notice.done", "Private answer").await;
    let answer = world.saved_answer("private").await;
    assert_eq!((&answer["private"], &answer["answer"]), (&json!(true), &json!(null)));
    for path in ["/", "/history", &format!("/questions/{}", record["incarnation"].as_str().unwrap())] {
        assert!(!owner.get(path).await.text().await.unwrap().contains("hunter2"), "{path}");
    }
}

#[tokio::test]
async fn private_words_that_were_lost_are_asked_for_once_more() {
    let mut world = World::start().await;
    let record = world.asks_everything().await.remove(5);
    let (card, browser) = (card(&record), Browser::start().await);
    browser.log_in(&world).await;
    browser.write(&format!("{card} textarea"), "hunter2").await;
    browser.press(&format!("{card} .send")).await;
    browser.lacks(&card).await;
    world.saved_answer("private").await;
    world.kill9().await;
    world.serve_at_the_same_address().await;
    browser.refresh().await.unwrap();
    browser.sees(&card, "Write it once more").await;
    assert_eq!(browser.count(&format!("{card} .ways-out")).await, 0);
    browser.write(&format!("{card} textarea"), "hunter2").await;
    browser.press(&format!("{card} .send")).await;
    browser.lacks(&card).await;
}

#[tokio::test]
async fn a_deadline_says_how_much_time_is_left_and_what_happens_then() {
    let world = World::start().await;
    let due = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() + 7260;
    let draft = json!({
        "id": "due", "text": "Retry?", "options": [{"label": "Yes"}, {"label": "No"}], "deadline": due, "default": "2",
    });
    let record = world.asks_with(draft).await;
    let browser = Browser::without_scripts().await;
    browser.log_in(&world).await;
    let text = browser.sees(&format!("{} .due", card(&record)), "2 h left").await;
    assert!(text.contains("Then the agent goes on with: No"), "{text}");
    assert_eq!(browser.count(&format!("{} .due time[datetime]", card(&record))).await, 1);
}
