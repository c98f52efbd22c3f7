//! However it ends, the terminal is given back; and without one it does not begin.

use rustix::process::Signal;

use super::terminal::{ENDED, Terminal};
use crate::world::{World, signal};

#[tokio::test]
async fn a_signal_ends_it_with_its_code_and_gives_the_terminal_back() {
    let world = World::start().await;
    for (sent, code) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let terminal = Terminal::open(&world);
        terminal.shows("● live").await;
        signal(terminal.process(), sent);
        terminal.is_given_back(code).await;
    }
}

#[tokio::test]
async fn a_panic_gives_the_terminal_back_and_says_what_broke() {
    let world = World::start().await;
    let terminal = Terminal::open_with(&world, &[("ASK_INBOX_PANICS_AT", "!")]);
    terminal.shows("● live").await;
    terminal.press(&["!"]);
    terminal.is_given_back(1).await;
    assert!(terminal.screen().contains("a test wanted it to break"), "{}", terminal.screen());
}

#[tokio::test]
async fn control_c_leaves_as_q_does() {
    let world = World::start().await;
    let terminal = Terminal::open(&world);
    terminal.shows("● live").await;
    terminal.press(&["C-c"]);
    terminal.is_given_back(0).await;
}

#[tokio::test]
async fn a_token_that_may_not_look_is_told_before_the_screen_changes() {
    let world = World::start().await;
    let terminal = Terminal::open_with(&world, &[("ASK_TOKEN", &world.agent_token)]);
    let screen = terminal.shows(&format!("{ENDED} 1")).await;
    assert!(screen.contains("this token may not do that"), "{screen}");
    let terminal = Terminal::open_with(&world, &[("ASK_URL", "http://127.0.0.1:1")]);
    let screen = terminal.shows(&format!("{ENDED} 1")).await;
    assert!(screen.contains("cannot be reached"), "{screen}");
}

#[tokio::test]
async fn without_a_terminal_it_points_to_what_needs_none() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let ended = world.ask_as_owner(&["inbox"]).await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(2), ""), "{ended:?}");
    assert!(ended.words.contains("ask inbox --json"), "{ended:?}");
    let listed = world.ask_as_owner(&["inbox", "--json"]).await;
    assert_eq!(listed.json()["items"][0]["id"], "rel-1", "{listed:?}");
}
