//! The log tells what happened, and no secret, no chat and no words of anybody.

use pager_tests::fake_telegram::{FORUM, Fault, OWNER, STRANGER, TOKEN, Written, media};
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn even_at_its_most_talkative_the_log_holds_no_secret_no_chat_and_no_words() {
    for level in ["debug", "trace"] {
        let mut world = World::with_telegram_and(&[("PAGER_LOG", level)]).await;
        let body = json!({
            "id": "rel-1", "text": "Question-words?", "options": [{"label": "Label-words"}, {"label": "No"}],
            "waiting_on": "Waiting-words",
        });
        world.asks_with(body).await;
        let shown = world.shown("rel-1").await;
        for method in ["editMessageText", "answerCallbackQuery", "setMessageReaction", "getUpdates"] {
            world.telegram().fault(method, Fault::ResetBefore);
            world.telegram().fault(method, Fault::Http502);
        }
        world.telegram().write(Written::text("Stranger-words").by(STRANGER).in_topic(shown.thread)).unwrap();
        world.telegram().write(media::photo().in_topic(shown.thread)).unwrap();
        world.telegram().press_as(FORUM, STRANGER, shown.message, 0).unwrap();
        world.telegram().press_data(FORUM, OWNER, shown.message, "forged");
        world.break_repository();
        world.telegram().write_in_topic(shown.thread, "Refused-words").unwrap();
        world.record_when("rel-1", "refused", |record| record["save"]["state"] == "refused").await;
        world.mend_repository();
        world.telegram().write_in_topic(shown.thread, "Answer-words").unwrap();
        world.message_says(shown, "You answered: Answer-words").await;
        world.nobody().get("/v1/questions").await;
        world.caller("pager_agent_wrong-secret").get("/v1/questions").await;
        world.terminate().await;

        let log = world.log();
        assert!(log.contains("serving") && log.contains("rel-1"), "the log tells what happened: {log}");
        let forum = FORUM.to_string();
        let secrets = [
            TOKEN,
            TOKEN.split_once(':').unwrap().1,
            forum.as_str(),
            forum.strip_prefix("-100").unwrap(),
            &world.agent_token,
            &world.owner_token,
            "wrong-secret",
            "Question-words",
            "Label-words",
            "Waiting-words",
            "Stranger-words",
            "Refused-words",
            "Answer-words",
        ];
        for secret in secrets {
            let line = log.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{level}: {secret} is in the log");
        }
    }
}
