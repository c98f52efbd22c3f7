//! A GitHub of our own as a program, with a control and an answers repository and the tokens that pager and an agent need.
#![expect(clippy::print_stdout, reason = "what to set is this program's output")]

use std::net::SocketAddr;

use anyhow::{Context, bail};
use pager_tests::fake_github::{FakeGitHub, Rights, Visibility};

const USAGE: &str = "usage: fake-github [--listen 127.0.0.1:8082]";
const CONTROL: &str = "me/control";
const ANSWERS: &str = "me/answers";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let github =
        FakeGitHub::start_on(address()?).await.context("nothing can listen there; choose another address with --listen")?;
    github.add_repository(CONTROL, Visibility::Private);
    github.add_repository(ANSWERS, Visibility::Private);
    let pager = github.add_token("pager", &[(CONTROL, Rights::everything()), (ANSWERS, Rights::write())]);
    let dispatching = github.add_token("me", &[(CONTROL, Rights::write())]);
    let reading = github.add_token("me", &[(ANSWERS, Rights::read())]);
    let url = github.base_url();
    println!("Fake GitHub at {url}, with {CONTROL} and {ANSWERS}; me is user {}.", github.user_id("me"));
    println!("pagerd:           github.api_url={url} github.token={pager} answers.url=github:{ANSWERS}");
    println!("agents dispatch:  {dispatching}");
    println!("agents read:      {reading}");
    println!("Answers on disk:  git --git-dir {} log", github.git_dir(ANSWERS).display());
    println!("What happened:    curl {url}/_fake/state");
    tokio::signal::ctrl_c().await.context("cannot wait for the end")?;
    Ok(())
}

fn address() -> anyhow::Result<SocketAddr> {
    let mut arguments = std::env::args().skip(1);
    let mut listen = "127.0.0.1:8082".to_owned();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--help" | "-h" => {
                println!("{USAGE}");
                std::process::exit(0);
            }
            "--listen" => listen = arguments.next().context(USAGE)?,
            other => match other.strip_prefix("--listen=") {
                Some(value) => value.clone_into(&mut listen),
                None => bail!("unknown argument {other}; {USAGE}"),
            },
        }
    }
    listen.parse().with_context(|| format!("{listen} is no address such as 127.0.0.1:8082"))
}
