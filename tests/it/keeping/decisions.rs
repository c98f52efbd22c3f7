//! The decision log: a page beside each settled decision, in the commit of its answer.

use std::process::Command;

use jiff::{Timestamp, ToSpan as _};
use serde_json::{Value, json};

use crate::world::{World, until};

fn decision(id: &str, text: &str) -> Value {
    json!({
        "id": id, "purpose": "decision", "text": text, "waiting_on": "the schema", "reversibility": "hard_to_reverse",
        "options": [
            {"id": "sqlite", "label": "SQLite", "detail": "one file, no server"},
            {"id": "pg", "label": "PostgreSQL", "detail": "several machines"},
        ],
        "recommended": "sqlite",
    })
}

async fn picks(world: &World, id: &str) -> Value {
    world.owner().post(&format!("/v1/questions/{id}/answer"), &json!({"answer": "pg", "option": "pg"})).await.with(200)
}

/// The path of its entry.
fn path(answer: &Value) -> String {
    let (date, id) = (answer["at"].as_str().unwrap(), answer["id"].as_str().unwrap());
    format!("decisions/{}-{id}.md", date.split('T').next().unwrap())
}

fn page(world: &World, path: &str) -> String {
    world.git(&["show", &format!("main:{path}")])
}

fn entries(world: &World) -> String {
    world.git(&["ls-tree", "-r", "--name-only", "main", "decisions"])
}

/// Takes the log out of the repository, as if a crash had come between an answer and its entry.
fn lose_the_log(world: &World) {
    let script = "tree=$(git ls-tree main | grep -v decisions | git mktree) && \
        commit=$(git -c user.name=x -c user.email=x@x commit-tree $tree -p main -m 'without the log') && \
        git update-ref refs/heads/main $commit";
    let ended = Command::new("sh").args(["-ec", script]).current_dir(world.repository()).output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
}

#[tokio::test]
async fn a_decision_is_entered_in_the_commit_of_its_answer() {
    let world = World::start().await;
    world.asks_with(decision("store-1", "Which store?")).await;
    let answer = picks(&world, "store-1").await;
    let path = path(&answer);
    assert_eq!(entries(&world).trim(), path);
    let commit = |path: &str| world.git(&["log", "--format=%H %s", "main", "--", path]);
    assert_eq!(commit(&path), commit("answers/store-1.json"));
    assert!(commit(&path).trim().ends_with("answer store-1: chosen"), "{}", commit(&path));
    let page = page(&world, &path);
    for line in [
        "# Decision `store-1`",
        "- Picked: `pg`",
        "- By: `token:olga`, over HTTP",
        "- Reversibility: hard to reverse",
        "- Asked by: `tester`, at ",
        "### `sqlite`, recommended by the agent",
        "### `pg`, picked",
        "one file, no server",
        "several machines",
        "Which store?",
        &format!("- At: {}", answer["at"].as_str().unwrap()),
    ] {
        assert!(page.lines().any(|found| found.starts_with(line)), "{line} is not in {page}");
    }
    world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Yes", "option": "1"})).await.with(200);
    world.asks_with(decision("store-2", "And there?")).await;
    world.owner().post_empty("/v1/questions/store-2/decline").await.with(200);
    assert_eq!(entries(&world).trim(), path, "only what was decided");
    assert_eq!(world.git(&["fsck", "--strict", "--full", "--no-dangling"]), "");
}

#[tokio::test]
async fn what_an_agent_writes_forges_nothing_on_the_page() {
    let world = World::start().await;
    let hostile = "Which?\n```\n# Decision `other`\n<script>alert(1)</script>\n[x](http://evil.example)";
    world.asks_with(decision("store-1", hostile)).await;
    let page = page(&world, &path(&picks(&world, "store-1").await));
    assert!(page.contains(&format!("````text\n{hostile}\n````\n")), "{page}");
}

#[tokio::test]
async fn a_decision_that_lacks_its_entry_gets_it_at_the_next_start() {
    let mut world = World::start().await;
    world.asks_with(decision("store-1", "Which store?")).await;
    let path = path(&picks(&world, "store-1").await);
    let before = page(&world, &path);
    lose_the_log(&world);
    assert_eq!(entries(&world), "");
    world.restart().await;
    until("it is entered", async || (entries(&world).trim() == path).then_some(())).await;
    assert_eq!(page(&world, &path), before);
    assert_eq!(world.git(&["log", "-1", "--format=%s", "main"]).trim(), "enter decisions");
    assert_eq!(world.commits_of("store-1").len(), 1, "the answer itself was not written again");
}

#[tokio::test]
async fn somebody_s_page_under_that_name_stays_and_the_answer_counts() {
    let mut world = World::start().await;
    let today = Timestamp::now().to_string();
    let tomorrow = (Timestamp::now() + 24.hours()).to_string();
    for day in [&today, &tomorrow] {
        world.commit_from_elsewhere(&format!("decisions/{}-store-1.md", &day[..10]), "theirs");
    }
    world.asks_with(decision("store-1", "Which store?")).await;
    let answer = picks(&world, "store-1").await;
    assert_eq!(world.saved_answer("store-1").await, answer);
    world.restart().await;
    world.asks_with(decision("store-2", "And there?")).await;
    let second = path(&picks(&world, "store-2").await);
    assert!(entries(&world).lines().any(|entry| entry == second), "{}", entries(&world));
    assert_eq!(page(&world, &path(&answer)), "theirs");
}

#[tokio::test]
async fn a_crash_at_any_step_of_a_save_leaves_the_answer_with_its_entry() {
    for point in ["claim.stored", "save.begun", "save.written", "save.stored"] {
        let mut world = World::prepare(&[], None).await;
        world.serve_to_crash(point).await;
        world.asks_with(decision("store-1", "Which store?")).await;
        let body = json!({"answer": "pg", "option": "pg"});
        let _ = world.owner().try_post("/v1/questions/store-1/answer", &body).await;
        world.until_crashed().await;
        world.serve().await;
        let answer = world.in_state("store-1", "answered").await["answer"].clone();
        until("it is entered", async || (entries(&world).trim() == path(&answer)).then_some(())).await;
        assert_eq!(world.commits_of("store-1").len(), 1, "{point}");
    }
}

#[tokio::test]
async fn the_log_is_in_nobody_s_way_when_answers_are_listed_and_archived() {
    let mut world = World::start().await;
    world.asks_with(decision("store-1", "Which store?")).await;
    let answer = picks(&world, "store-1").await;
    world.set("PAGER_ANSWERS__ARCHIVE_AFTER", "1ms");
    world.restart().await;
    until("it is archived", async || (!world.git(&["ls-tree", "-r", "--name-only", "main", "archive"]).is_empty()).then_some(()))
        .await;
    assert_eq!(entries(&world).trim(), path(&answer));
    world.restart().await;
    world.agent().post("/v1/questions", &decision("store-1", "Again?")).await.problem(409, "id_used");
    assert_eq!(world.agent().answer("store-1").await, answer);
    assert!(world.log().lines().all(|line| !line.contains("ERROR")), "{}", world.log());
}
