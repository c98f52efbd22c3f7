//! Watching a branch.

use super::{ANSWERS, Check};

const SHA: &str = "application/vnd.github.sha";

#[tokio::test]
async fn a_branch_is_watched_by_the_commit_that_is_known() {
    let check = Check::start().await;
    let watch = async |known: &str| {
        let request = check.of("GET", "/commits/main").header("accept", SHA);
        check.send(request.header("if-none-match", known)).await
    };
    let first = watch("").await;
    assert_eq!((first.status, first.text.as_str()), (200, check.head().as_str()));
    assert_eq!(first.header("etag"), format!("\"{}\"", check.head()));
    let spent = check.github.spent_by(&check.token);
    for known in [format!("\"{}\"", check.head()), first.header("etag").to_owned()] {
        let reply = watch(&known).await;
        assert_eq!((reply.status, reply.text.as_str()), (304, ""));
    }
    assert_eq!(check.github.spent_by(&check.token), spent, "a 304 costs nothing");
    let new = check.github.commit(ANSWERS, "main", "a", b"");
    assert_eq!(watch(first.header("etag")).await.text, new);
    assert_eq!(check.github.spent_by(&check.token), spent + 1);
}

#[tokio::test]
async fn other_etags_vary_with_the_token() {
    let check = Check::start().await;
    let etag = check.get("/commits/main").await.header("etag").to_owned();
    let again = async |token: &str| {
        let request = check.request("GET", &format!("/repos/{ANSWERS}/commits/main")).bearer_auth(token);
        check.send(request.header("if-none-match", &etag)).await.status
    };
    assert_eq!(again(&check.token).await, 304);
    let other = check.github.add_token("me", &[(ANSWERS, super::Rights::read())]);
    assert_eq!(again(&other).await, 200);
}

#[tokio::test]
async fn a_commit_that_is_not_there_is_told_by_its_name() {
    let check = Check::start().await;
    assert_eq!(check.get("/commits/none").await.told(), "422 No commit found for SHA: none");
    assert_eq!(check.get(&format!("/commits/{}", check.head())).await.json()["commit"]["message"], "Write README.md\n");
    assert_eq!(Check::empty().await.get("/commits/main").await.told(), "409 Git Repository is empty.");
}

#[tokio::test]
async fn reads_of_a_branch_may_lag_behind() {
    let check = Check::start().await;
    check.github.age(60);
    let before = check.head();
    check.github.lag_reads(ANSWERS, 10);
    assert_eq!(check.put("a.json", "1").await.status, 201);
    assert_eq!(check.get("/contents/a.json").await.status, 404);
    assert_eq!(check.get("/commits/main").await.json()["sha"], before.as_str());
    assert_eq!(check.get("/git/ref/heads/main").await.json()["object"]["sha"], before.as_str());
    assert_eq!(check.put("a.json", "1").await.status, 422, "a write does not");
    check.github.age(11);
    assert_eq!(check.get("/contents/a.json").await.status, 200);
}
