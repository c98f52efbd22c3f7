//! Files by the Contents API.

use serde_json::{Value, json};

use super::{ANSWERS, Check};

#[tokio::test]
async fn a_file_is_created_as_one_commit_that_git_itself_finds_sound() {
    let check = Check::start().await;
    let before = check.head();
    let reply = check.put("answers/a-1.json", "{}").await;
    assert_eq!(reply.status, 201, "{reply:?}");
    let body = reply.json();
    assert_eq!(body["commit"]["sha"], check.head().as_str());
    assert_eq!(body["commit"]["parents"][0]["sha"], before.as_str());
    let blob = check.github.git(ANSWERS, &["rev-parse", "main:answers/a-1.json"]);
    assert_eq!(body["content"]["sha"], blob.trim());
    assert_eq!(check.github.git(ANSWERS, &["show", "main:answers/a-1.json"]), "{}");
    assert_eq!(check.github.messages(ANSWERS, "main")[0], "answer");
    check.assert_sound();
}

#[tokio::test]
async fn an_existing_file_is_not_overwritten_without_its_own_sha() {
    let check = Check::start().await;
    let first = check.put("a.json", "1").await.json()["content"]["sha"].clone();
    assert_eq!(check.put("a.json", "2").await.told(), "422 Invalid request.\n\n\"sha\" wasn't supplied.");
    let replace = async |sha: &Value| {
        let body = json!({ "message": "m", "content": "Mg==", "sha": sha });
        check.call("PUT", "/contents/a.json", body).await
    };
    let stale = "0123456789012345678901234567890123456789";
    assert_eq!(replace(&json!(stale)).await.told(), format!("409 a.json does not match {stale}"));
    assert_eq!(check.github.file(ANSWERS, "main", "a.json").unwrap(), b"1");
    assert_eq!(replace(&first).await.status, 200);
    assert_eq!(check.github.file(ANSWERS, "main", "a.json").unwrap(), b"2");
}

#[tokio::test]
async fn what_a_write_lacks_is_named() {
    let check = Check::start().await;
    for (body, told) in [
        (json!({ "content": "" }), "422 Invalid request.\n\n\"message\" wasn't supplied."),
        (json!({ "message": "m" }), "422 Invalid request.\n\n\"content\" wasn't supplied."),
        (json!({ "message": 1, "content": "" }), "422 Invalid request.\n\nFor 'message', 1 is not a string."),
        (json!({ "message": "m", "content": "?" }), "422 content is not valid Base64"),
        (
            json!({ "message": "m", "content": "", "author": { "name": "A" } }),
            "422 Invalid request.\n\n\"author.email\" wasn't supplied.",
        ),
        (json!({ "message": "m", "content": "", "branch": "none" }), "404 Branch none not found"),
        (json!([]), "400 Body should be a JSON object"),
    ] {
        assert_eq!(check.call("PUT", "/contents/a.json", body).await.told(), told);
    }
    let broken = check.send(check.of("PUT", "/contents/a.json").body("{")).await;
    assert_eq!(broken.told(), "400 Problems parsing JSON");
    for path in ["a%2F..%2Fb", ".git/config", "a//b"] {
        assert_eq!(check.put(path, "").await.told(), "422 path contains a malformed path component", "{path}");
    }
    assert_eq!(check.put("README.md/a", "").await.told(), "422 path README.md is a file");
}

#[tokio::test]
async fn the_first_file_begins_an_empty_repository_on_its_default_branch_alone() {
    let check = Check::empty().await;
    assert_eq!(check.get("/contents/").await.told(), "404 This repository is empty.");
    let other = json!({ "message": "m", "content": "", "branch": "other" });
    assert_eq!(check.call("PUT", "/contents/a", other).await.told(), "404 Branch other not found");
    assert_eq!(check.put("README.md", "Hello").await.status, 201);
    assert_eq!(check.github.git(ANSWERS, &["log", "--format=%s", "main"]), "answer\n");
    check.assert_sound();
}

#[tokio::test]
async fn a_file_is_read_as_json_and_raw_and_by_a_path_in_either_writing() {
    let check = Check::start().await;
    check.github.commit(ANSWERS, "main", "answers/a.json", "{\"word\": \"näh\"}".as_bytes());
    for path in ["/contents/answers/a.json", "/contents/answers%2Fa.json", "/contents/answers/a.json?ref=main"] {
        let raw = check.send(check.of("GET", path).header("accept", "application/vnd.github.raw+json")).await;
        assert_eq!((raw.status, raw.text.as_str()), (200, "{\"word\": \"näh\"}"), "{path}");
        let json = check.get(path).await.json();
        assert_eq!(
            (&json["encoding"], &json["type"], &json["path"]),
            (&json!("base64"), &json!("file"), &json!("answers/a.json"))
        );
    }
    assert_eq!(check.get("/contents/answers/b.json").await.told(), "404 Not Found");
    assert_eq!(check.get("/contents/answers/a.json?ref=none").await.told(), "404 No commit found for the ref none");
}

#[tokio::test]
async fn a_folder_is_listed_and_the_listing_ends_at_a_thousand() {
    let check = Check::start().await;
    let entries: Vec<_> = (0..1001).map(|n| json!({ "path": format!("many/{n}"), "mode": "100644", "content": "" })).collect();
    let tree = check.call("POST", "/git/trees", json!({ "tree": entries })).await.json()["sha"].clone();
    let commit = json!({ "message": "m", "tree": tree, "parents": [check.head()] });
    let commit = check.call("POST", "/git/commits", commit).await.json()["sha"].clone();
    assert_eq!(check.call("PATCH", "/git/refs/heads/main", json!({ "sha": commit })).await.status, 200);
    assert_eq!(check.get("/contents/many").await.json().as_array().unwrap().len(), 1000);
    let top = check.get("/contents/").await.json();
    assert_eq!((&top[0]["name"], &top[0]["type"]), (&json!("many"), &json!("dir")));
}

#[tokio::test]
async fn a_file_is_deleted_with_its_sha_only() {
    let check = Check::start().await;
    let sha = check.put("answers/a.json", "1").await.json()["content"]["sha"].clone();
    let delete = async |body: Value| check.call("DELETE", "/contents/answers/a.json", body).await;
    assert_eq!(delete(json!({ "message": "m" })).await.told(), "422 Invalid request.\n\n\"sha\" wasn't supplied.");
    assert_eq!(delete(json!({ "message": "m", "sha": sha })).await.status, 200);
    assert_eq!(check.github.files(ANSWERS, "main").len(), 1, "the folder went with its last file");
    assert_eq!(delete(json!({ "message": "m", "sha": sha })).await.told(), "404 Not Found");
    check.assert_sound();
}

#[tokio::test]
async fn a_branch_that_moves_during_a_write_is_a_conflict() {
    let check = Check::start().await;
    let before = check.head();
    check.github.set_pause(300);
    let (reply, after) = tokio::join!(check.put("answers/a.json", "1"), async {
        check.github.wait_for("request", |state| state.calls.last().map(|_| ())).await.unwrap();
        check.github.commit(ANSWERS, "main", "other", b"")
    });
    assert_eq!(reply.told(), format!("409 is at {after} but expected {before}"));
    check.github.set_pause(0);
    assert_eq!(check.put("answers/a.json", "1").await.status, 201);
    check.assert_sound();
}

#[tokio::test]
async fn workflow_files_need_a_right_of_their_own() {
    let check = Check::start().await;
    check.github.set_rights(&check.token, ANSWERS, Some(super::Rights::write()));
    let refused = check.put(".github/workflows/a.yml", "on: push").await;
    assert_eq!(refused.told(), "403 Resource not accessible by personal access token");
    check.github.set_rights(&check.token, ANSWERS, Some(super::Rights::everything()));
    assert_eq!(check.put(".github/workflows/a.yml", "on: push").await.status, 201);
}
