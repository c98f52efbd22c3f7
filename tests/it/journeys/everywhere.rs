//! One question open on every surface: whichever settles it, all others show who and what, also over a death of pagerd
//! between the save and the edits.

use serde_json::{Value, json};

use crate::browser::driver::Browser;
use crate::browser::page::card;
use crate::tui::terminal::Terminal;
use crate::world::{Shown, World};

/// Everything that shows the owner's questions.
struct Surfaces {
    world: World,
    windows: [Browser; 2],
    terminal: Terminal,
}

/// Where it is settled.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Telegram,
    Window(usize),
    Terminal,
    Command,
}

impl Surfaces {
    async fn open() -> Self {
        let world = World::with_telegram().await;
        let windows = [Browser::start().await, Browser::start().await];
        for window in &windows {
            window.log_in(&world).await;
        }
        let terminal = Terminal::open(&world);
        terminal.shows("● live").await;
        Self { world, windows, terminal }
    }

    /// Asks, and waits until every surface shows it.
    async fn asks(&self, id: &str) -> (Value, Shown) {
        let record = self.world.asks(id).await;
        let text = format!("Release {id}?");
        for window in &self.windows {
            window.sees(&card(&record), &text).await;
        }
        self.terminal.shows(&text).await;
        (record, self.world.shown(id).await)
    }

    async fn settle(&self, place: Place, record: &Value, shown: Shown) {
        match place {
            Place::Telegram => drop(self.world.telegram().press(shown.message, "No").unwrap()),
            Place::Window(number) => self.windows[number].press(&format!("{} button[value='2']", card(record))).await,
            Place::Terminal => {
                // The one that ended stays selected until the person moves on.
                self.terminal.press(&["j"]);
                self.terminal.press(&["2"]);
                self.terminal.shows("Enter sends: No").await;
                self.terminal.press(&["Enter"]);
            }
            Place::Command => {
                let ended = self.world.ask_as_owner(&["decide", record["id"].as_str().unwrap(), "--option", "2"]).await;
                assert_eq!(ended.code, Some(0), "{ended:?}");
            }
        }
    }

    /// Every surface shows that it ended, with what and by whom.
    async fn all_show(&self, record: &Value, shown: Shown, who: &str) {
        let id = record["id"].as_str().unwrap();
        for window in &self.windows {
            window.lacks(&card(record)).await;
            let ended = window.sees("#ended", &format!("Release {id}?")).await;
            assert!(ended.contains("You answered: No") && ended.contains(who), "{who}: {ended}");
        }
        // Who settled it in the terminal itself knows that it was they.
        let what = format!("Release {id}? → Answered: No");
        let signed = if who.ends_with("in the terminal") { what } else { format!("{what} – {who}") };
        self.terminal.shows(&signed).await;
        let message = self.world.closed(shown).await;
        assert!(message.words().contains("You answered: No") && message.words().contains(who), "{who}: {}", message.words());
    }
}

#[tokio::test]
async fn any_surface_settles_it_and_all_others_show_who_and_what() {
    let surfaces = Surfaces::open().await;
    for (number, (place, who)) in [
        (Place::Telegram, "telegram:4242 in Telegram"),
        (Place::Window(0), "token:olga on the page"),
        (Place::Window(1), "token:olga on the page"),
        (Place::Terminal, "token:olga in the terminal"),
        (Place::Command, "token:olga on the command line"),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("q-{number}");
        eprintln!("{id}: {place:?}");
        let (record, shown) = surfaces.asks(&id).await;
        let waiting = surfaces.world.start_ask(&["wait", &id]);
        surfaces.settle(place, &record, shown).await;
        let ended = waiting.end().await;
        assert_eq!((ended.code, &ended.json()["choice"]), (Some(0), &json!("2")), "{place:?}: {ended:?}");
        surfaces.all_show(&record, shown, who).await;
    }
}

#[tokio::test]
async fn a_death_between_the_save_and_the_edits_leaves_no_surface_behind() {
    let mut surfaces = Surfaces::open().await;
    let (record, shown) = surfaces.asks("q-1").await;
    let address = surfaces.world.address.host();
    surfaces.world.kill9().await;
    surfaces.world.serve_to_crash_at("save.stored", &address).await;
    let waiting = surfaces.world.start_ask(&["wait", "q-1"]);
    surfaces.settle(Place::Telegram, &record, shown).await;
    crate::world::until("pagerd dies behind the save", async || surfaces.world.has_crashed().then_some(())).await;
    surfaces.world.serve_at_the_same_address().await;
    assert_eq!(waiting.end().await.code, Some(0));
    surfaces.all_show(&record, shown, "telegram:4242 in Telegram").await;
}
