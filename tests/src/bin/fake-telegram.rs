//! A Telegram of our own as a program: the fake server with a page to play the owner on.
#![expect(clippy::print_stdout, reason = "what to set and where to look is this program's output")]

use std::net::SocketAddr;

use anyhow::{Context, bail};
use pager_tests::fake_telegram::{FORUM, FakeTelegram, OWNER, TOKEN};

const USAGE: &str = "usage: fake-telegram [--listen 127.0.0.1:8081]";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let telegram =
        FakeTelegram::start_on(address()?).await.context("nothing can listen there; choose another address with --listen")?;
    let url = telegram.base_url();
    println!("Fake Telegram: open {url}/ in a browser to play the owner.");
    println!("Start the pager with these settings:");
    println!(
        "PAGER_TELEGRAM__TOKEN={TOKEN} PAGER_TELEGRAM__CHAT_ID={FORUM} PAGER_TELEGRAM__OWNERS={OWNER} \
         PAGER_TELEGRAM__API_URL={url}"
    );
    tokio::signal::ctrl_c().await.context("cannot wait for the end")?;
    Ok(())
}

fn address() -> anyhow::Result<SocketAddr> {
    let mut arguments = std::env::args().skip(1);
    let mut listen = "127.0.0.1:8081".to_owned();
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
    listen.parse().with_context(|| format!("{listen} is no address such as 127.0.0.1:8081"))
}
