//! A Telegram of our own as a program: the fake server with a page to play the owner on.
#![expect(clippy::print_stdout, reason = "what to set and where to look is this program's output")]

use anyhow::Context;
use pager_tests::fake_telegram::{FORUM, FakeTelegram, OWNER, TOKEN};
use pager_tests::listening;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let telegram = FakeTelegram::start_on(listening::address("fake-telegram", "127.0.0.1:8081")?)
        .await
        .context("nothing can listen there; choose another address with --listen")?;
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
