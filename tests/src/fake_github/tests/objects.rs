//! Trees, commits and blobs of the git database.

use serde_json::{Value, json};

use super::{ANSWERS, Check};

#[tokio::test]
async fn several_files_come_go_and_move_in_one_commit() {
    let check = Check::start().await;
    check.github.commit(ANSWERS, "main", "answers/old.json", b"old");
    let base = check.head();
    let all = check.get(&format!("/git/trees/{base}?recursive=1")).await.json();
    let old = all["tree"].as_array().unwrap().iter().find(|it| it["path"] == "answers/old.json").unwrap().clone();
    assert_eq!((&old["type"], &old["mode"], &old["size"]), (&json!("blob"), &json!("100644"), &json!(3)));
    let entries = json!([
        { "path": "answers/old.json", "mode": "100644", "type": "blob", "sha": null },
        { "path": "archive/ab/old.json", "mode": "100644", "type": "blob", "sha": old["sha"] },
        { "path": "answers/new.json", "mode": "100644", "type": "blob", "content": "näu" },
    ]);
    let tree = check.call("POST", "/git/trees", json!({ "base_tree": base, "tree": entries })).await;
    assert_eq!(tree.status, 201, "{tree:?}");
    let commit = json!({ "message": "move", "tree": tree.json()["sha"], "parents": [base] });
    let commit = check.call("POST", "/git/commits", commit).await.json();
    assert_eq!(check.call("PATCH", "/git/refs/heads/main", json!({ "sha": commit["sha"] })).await.status, 200);
    let files = check.github.files(ANSWERS, "main");
    let paths: Vec<_> = files.keys().map(String::as_str).collect();
    assert_eq!(paths, ["README.md", "answers/new.json", "archive/ab/old.json"]);
    assert_eq!(files["answers/new.json"], "näu".as_bytes());
    assert_eq!(check.get(&format!("/git/commits/{}", commit["sha"].as_str().unwrap())).await.json()["message"], "move");
    check.assert_sound();
}

#[tokio::test]
async fn a_blob_goes_in_and_comes_out_byte_for_byte() {
    let check = Check::start().await;
    let blob = check.call("POST", "/git/blobs", json!({ "content": "AP8=", "encoding": "base64" })).await;
    assert_eq!(blob.status, 201);
    let path = format!("/git/blobs/{}", blob.json()["sha"].as_str().unwrap());
    assert_eq!(check.get(&path).await.json()["content"], "AP8=\n");
    let raw = check.of("GET", &path).header("accept", "application/vnd.github.raw").send().await.unwrap();
    assert_eq!(raw.bytes().await.unwrap(), [0, 255].as_slice());
}

#[tokio::test]
async fn what_is_not_in_the_repository_is_refused() {
    let check = Check::start().await;
    let none = "0123456789012345678901234567890123456789";
    let tree = async |entry: Value| check.call("POST", "/git/trees", json!({ "tree": [entry] })).await.told();
    assert_eq!(
        tree(json!({ "path": "a", "mode": "100644", "sha": none })).await,
        format!("422 tree.sha {none} is not a valid blob")
    );
    assert_eq!(tree(json!({ "path": "a", "mode": "100644", "sha": null })).await, "422 GitRPC::BadObjectState");
    assert_eq!(tree(json!({ "path": "a", "mode": "100644" })).await, "422 Must supply either tree.sha or tree.content");
    assert_eq!(tree(json!({ "path": "a", "mode": "777", "content": "" })).await, "422 Must supply a valid tree.mode");
    assert_eq!(
        tree(json!({ "path": "../a", "mode": "100644", "content": "" })).await,
        "422 tree.path contains a malformed path component"
    );
    let based = check.call("POST", "/git/trees", json!({ "base_tree": none, "tree": [] })).await;
    assert_eq!(based.told(), "422 base_tree is not a valid tree oid");
    let commit = async |body: Value| check.call("POST", "/git/commits", body).await.told();
    assert_eq!(commit(json!({ "message": "m", "tree": none })).await, "422 Tree SHA does not exist");
    let known = check.get("/git/trees/main").await.json()["sha"].clone();
    assert_eq!(
        commit(json!({ "message": "m", "tree": known, "parents": [none] })).await,
        "422 Parent SHA does not exist or is not a commit object"
    );
    assert_eq!(check.get(&format!("/git/blobs/{none}")).await.told(), "404 Not Found");
}

#[tokio::test]
async fn the_git_database_of_an_empty_repository_answers_409() {
    let check = Check::empty().await;
    let blob = json!({ "content": "" });
    let tree = json!({ "tree": [{ "path": "a", "mode": "100644", "content": "" }] });
    let reference = json!({ "ref": "refs/heads/main", "sha": "0123456789012345678901234567890123456789" });
    for reply in [
        check.call("POST", "/git/blobs", blob).await,
        check.call("POST", "/git/trees", tree).await,
        check.call("POST", "/git/refs", reference).await,
        check.get("/git/ref/heads/main").await,
        check.get("/git/trees/main").await,
    ] {
        assert_eq!(reply.told(), "409 Git Repository is empty.");
    }
}
