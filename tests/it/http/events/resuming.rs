//! Going on after a break: nothing is missing and nothing comes twice, over restarts and deaths too.

use serde_json::json;

use super::stream::{Stream, logged, store};
use crate::world::{World, until};

#[tokio::test]
async fn over_restarts_and_deaths_a_stream_goes_on_without_a_gap_or_a_double() {
    let mut world = World::start().await;
    let mut stream = Stream::after(&world.owner(), "0-0").await;
    let mut heard = Vec::new();
    for round in 0..6 {
        let (agent, owner) = (world.agent(), world.owner());
        let load = tokio::spawn(async move {
            for number in 0.. {
                let id = format!("q-{round}-{number}");
                let draft = json!({"id": id, "text": "Go?", "options": [{"label": "Yes"}, {"label": "No"}]});
                let _ = agent.try_post("/v1/questions", &draft).await;
                let answer = json!({"answer": "Yes", "option": "1"});
                let _ = owner.try_post(&format!("/v1/questions/{id}/answer"), &answer).await;
            }
        });
        // It breaks off in the middle of what goes on, each time after another number of events.
        for _ in 0..5 + 7 * round {
            heard.push(stream.next().await.unwrap());
        }
        if round % 2 == 0 {
            world.kill9().await
        } else {
            assert!(world.terminate().await.0.success())
        }
        load.abort();
        heard.extend(stream.rest().await);
        world.serve().await;
        stream = Stream::after(&world.owner(), &stream.last).await;
    }
    world.asks("last").await;
    loop {
        let event = stream.next().await.unwrap();
        let is_last = event.named() == ("question.asked", "last");
        heard.push(event);
        if is_last {
            break;
        }
    }
    // Claims that were under way at a death are saved yet: all ends come.
    let logged = until("everything has ended", async || {
        let open = world.owner().get("/v1/questions?state=answering").await.with(200);
        let logged = logged(&world).await;
        (open["items"].as_array().unwrap().is_empty() && logged.len() >= heard.len()).then_some(logged)
    })
    .await;
    while heard.len() < logged.len() {
        heard.push(stream.next().await.unwrap());
    }
    let ids: Vec<&str> = heard.iter().map(|event| event.id.as_str()).collect();
    assert_eq!(ids, logged);
    // Each accepted answer was shown once, right behind its end.
    let ends = heard.iter().enumerate().filter(|(_, event)| event.kind == "question.ended" && event.data["state"] == "answered");
    let mut count = 0;
    for (place, end) in ends {
        count += 1;
        assert_eq!(heard[place + 1].named(), ("answer.shown", end.named().1));
    }
    assert!(count > 10, "{count}");
    assert_eq!(heard.iter().filter(|event| event.kind == "answer.shown").count(), count);
}

#[tokio::test]
async fn an_answer_is_shown_once_wherever_the_process_dies_while_it_is_saved() {
    for point in ["claim.stored", "save.begun", "save.written", "save.stored"] {
        let mut world = World::prepare(&[], None).await;
        world.serve_with(&[("PAGER_CRASH", point)]).await;
        world.asks("rel-1").await;
        let mut stream = Stream::open(&world.owner()).await;
        let _ = world.owner().try_post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await;
        world.until_crashed().await;
        let mut heard = stream.rest().await;
        world.serve().await;
        stream = Stream::after(&world.owner(), &stream.last).await;
        world.in_state("rel-1", "answered").await;
        world.asks("next").await;
        while heard.last().is_none_or(|last| last.named() != ("question.asked", "next")) {
            heard.push(stream.next().await.unwrap());
        }
        let kinds: Vec<&str> = heard.iter().map(|event| event.kind.as_str()).collect();
        assert_eq!(kinds, ["question.answering", "question.ended", "answer.shown", "question.asked"], "{point}");
    }
}

#[tokio::test]
async fn a_client_that_heard_nothing_yet_misses_nothing_when_it_comes_back() {
    let world = World::start().await;
    world.asks("before").await;
    let stream = Stream::open(&world.owner()).await;
    let last = stream.last.clone();
    drop(stream);
    world.asks("between").await;
    let mut back = Stream::after(&world.owner(), &last).await;
    back.hears(&[("question.asked", "between")]).await;
}

#[tokio::test]
async fn a_place_that_is_too_old_or_none_of_this_store_is_told_as_such_and_then_it_goes_on() {
    let world = World::start().await;
    let mut first = Stream::open(&world.owner()).await;
    let known = first.last.clone();
    for id in ["one", "two", "three"] {
        world.asks(id).await;
    }
    let heard = first.hears(&[("question.asked", "one"), ("question.asked", "two"), ("question.asked", "three")]).await;
    let forgotten = sqlx::query("DELETE FROM happenings WHERE number = 1").execute(&mut store(&world).await).await.unwrap();
    assert_eq!(forgotten.rows_affected(), 1);
    let other_store = heard[1].id.replace("2-", "2-1");
    for (number, last) in [known.as_str(), &heard[0].id, &other_store, "9999-1", "nonsense", "-1-1", "\u{fc}"].iter().enumerate()
    {
        let (reset, mut stream) = Stream::reset(&world.owner(), last).await;
        assert_eq!((reset.kind.as_str(), stream.last.as_str()), ("stream.reset", logged(&world).await.last().unwrap().as_str()));
        assert!(reset.data["detail"].as_str().unwrap().contains("Read the lists anew"), "{reset:?}");
        let id = format!("then-{number}");
        world.asks(&id).await;
        stream.hears(&[("question.asked", &id)]).await;
    }
    // What follows the forgotten one is still told without a gap.
    let mut stream = Stream::after(&world.owner(), &heard[1].id).await;
    stream.hears(&[("question.asked", "three"), ("question.asked", "then-0")]).await;
}
