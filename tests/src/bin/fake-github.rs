//! A GitHub of our own as a program, with a control and an answers repository and the tokens that pager and an agent need.
#![expect(clippy::print_stdout, reason = "what to set is this program's output")]

use anyhow::Context;
use pager_tests::fake_github::{FakeGitHub, Rights, Visibility};
use pager_tests::listening;

const CONTROL: &str = "me/control";
const ANSWERS: &str = "me/answers";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let github = FakeGitHub::start_on(listening::address("fake-github", "127.0.0.1:8082")?)
        .await
        .context("nothing can listen there; choose another address with --listen")?;
    github.add_repository(CONTROL, Visibility::Private);
    github.add_repository(ANSWERS, Visibility::Private);
    let pager = github.add_token("pager", &[(CONTROL, Rights::everything()), (ANSWERS, Rights::write())]);
    let dispatching = github.add_token("me", &[(CONTROL, Rights::write())]);
    let reading = github.add_token("me", &[(ANSWERS, Rights::read())]);
    let url = github.base_url();
    println!("Fake GitHub with {CONTROL} and {ANSWERS}. Start the pager with these settings:");
    println!(
        "PAGER_GITHUB__API_URL={url} PAGER_GITHUB__TOKEN={pager} PAGER_ANSWERS__URL=github:{ANSWERS} PAGER_CONTROL__REPO={CONTROL} \
         PAGER_CONTROL__INBOX=branch PAGER_CONTROL__MAINTAINERS={}",
        github.user_id("me")
    );
    println!("And agents with these:");
    println!(
        "ASK_GITHUB_API={url} ASK_CONTROL={CONTROL} ASK_ANSWERS={ANSWERS} GH_TOKEN={dispatching} ASK_ANSWERS_TOKEN={reading}"
    );
    println!("Answers on disk:  git --git-dir {} log", github.git_dir(ANSWERS).display());
    println!("What happened:    curl {url}/_fake/state");
    tokio::signal::ctrl_c().await.context("cannot wait for the end")?;
    Ok(())
}
