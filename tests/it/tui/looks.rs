//! Colours, sizes, and texts that would like to be more than texts.

use serde_json::json;

use super::terminal::Terminal;
use crate::world::World;

fn has_colour(painted: &str) -> bool {
    painted.split("\u{1b}[").skip(1).any(|rest| {
        let codes = rest.split('m').next().unwrap_or_default();
        codes.split(';').any(|code| matches!(code.parse(), Ok(30..=38 | 40..=48 | 90..=97)))
    })
}

#[tokio::test]
async fn colours_are_left_out_where_they_are_not_wanted() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let coloured = Terminal::open(&world);
    coloured.shows("● live").await;
    assert!(has_colour(&coloured.painted()), "{}", coloured.painted());
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        // tmux gives its programs a TERM of its own.
        let terminal =
            if name == "TERM" { Terminal::open_as_dumb(&world) } else { Terminal::open_with(&world, &[(name, value)]) };
        let screen = terminal.shows("● live").await;
        assert!(screen.contains("▸? Release rel-1?"), "{screen}");
        assert!(!has_colour(&terminal.painted()), "{name}: {}", terminal.painted());
    }
}

#[tokio::test]
async fn a_hostile_text_is_shown_and_does_nothing() {
    let world = World::start().await;
    let terminal = Terminal::open(&world);
    terminal.shows("● live").await;
    let title = terminal.says("#{pane_title}");
    let text = "Release?\u{1b}]2;owned\u{7}\u{1b}[2J\u{1b}[?1049l\u{202e}evil";
    world.asks_with(json!({"id": "evil", "text": text, "options": [{"label": "\u{1b}[31mYes"}, {"label": "No"}]})).await;
    terminal.shows(r"Release?\u{1b}]2;owned\u{7}\u{1b}[2J\u{1b}[?1049l\u{202e}evil").await;
    terminal.shows(r"\u{1b}[31mYes").await;
    assert_eq!(terminal.says("#{pane_title}"), title);
    assert_eq!(terminal.says("#{alternate_on}"), "1");
    terminal.press(&["1", "Enter"]);
    terminal.shows("Answered:").await;
    assert_eq!(world.saved_answer("evil").await["answer"], "\u{1b}[31mYes");
}

#[tokio::test]
async fn it_follows_the_size_of_the_terminal_and_says_when_it_is_too_small() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let terminal = Terminal::open(&world);
    terminal.shows("1-2 choose").await;
    terminal.resize(39, 24);
    terminal.shows("This terminal has 39 × 24").await;
    terminal.resize(60, 12);
    terminal.shows("Release rel-1?").await;
    terminal.resize(140, 40);
    terminal.shows("── Question ──").await;
}
