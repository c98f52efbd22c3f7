//! Each fault at each call: a question is shown once, answered once and closed all the same.

use futures_util::future::join_all;
use pager_tests::fake_telegram::{FORUM, Fault};

use crate::world::{World, until};

fn faults() -> Vec<Fault> {
    let status = |code: u16, text: &str| Fault::Status { code, description: text.to_owned(), retry_after: None };
    vec![
        status(500, "Internal Server Error"),
        status(502, "Bad Gateway"),
        Fault::Http502,
        Fault::ResetBefore,
        Fault::ResetAfter,
        Fault::Garbage200 { applied: false },
        Fault::Garbage200 { applied: true },
        Fault::Hang { applied: true, milliseconds: Some(500) },
        Fault::Hang { applied: false, milliseconds: Some(500) },
    ]
}

#[tokio::test]
async fn a_fault_at_any_call_of_an_end_leaves_the_right_end() {
    join_all(faults().into_iter().map(async |fault| {
        let world = World::with_telegram().await;
        let shown = world.asks_and_shows("rel-1").await;
        for method in ["editMessageText", "editForumTopic", "setMessageReaction", "answerCallbackQuery", "getUpdates"] {
            world.telegram().fault(method, fault.clone());
        }
        let text = world.telegram().write_in_topic(shown.thread, "Go").unwrap();
        let message = world.closed(shown).await;
        assert!(message.words().contains("You answered: Go"), "{fault:?}: {}", message.words());
        let thumbed = async || (world.telegram().message(FORUM, text)?.reactions == ["👍"]).then_some(());
        until(&format!("👍 in spite of {fault:?}"), thumbed).await;
        assert_eq!(world.saved_answer("rel-1").await["answer"], "Go", "{fault:?}");
        assert_eq!(world.replies_by_now(shown).await, [""; 0], "{fault:?}");
    }))
    .await;
}

#[tokio::test]
async fn a_fault_at_any_call_that_shows_a_question_makes_one_topic_and_at_most_one_copy() {
    let methods = ["createForumTopic", "sendMessage"];
    let cases = faults().into_iter().flat_map(|fault| methods.map(|method| (method, fault.clone())));
    join_all(cases.map(async |(method, fault)| {
        let world = World::with_telegram().await;
        world.telegram().fault(method, fault.clone());
        world.asks("rel-1").await;
        let shown = world.shown("rel-1").await;
        assert_eq!(world.telegram().topics().len(), 1, "{method} {fault:?}");
        let copies = world.telegram().messages_in_topic(shown.thread).len();
        assert!(copies <= 2, "{method} {fault:?}: {copies} copies");
        world.telegram().press(shown.message, "No").unwrap();
        world.closed(shown).await;
        assert_eq!(world.saved_answer("rel-1").await["choice"], "2", "{method} {fault:?}");
    }))
    .await;
}
