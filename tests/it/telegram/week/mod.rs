//! A week of traffic, played twice: once as it comes, and once with updates that come again, in another order and between
//! deaths of pagerd. Both end in the same state.

mod play;
mod state;
mod traffic;

use crate::world::World;

use play::{Player, Weather};
use traffic::Week;

const SEED: u64 = 20_260_302;

#[tokio::test]
async fn a_week_with_repetitions_reorderings_and_restarts_ends_as_the_quiet_one() {
    let week = Week::generate(SEED);
    assert!(week.updates() > 300, "{} updates", week.updates());
    let play = async |weather: Weather| {
        let mut player = Player::new(World::with_telegram().await, weather);
        for day in &week.days {
            player.lives_through(day).await;
        }
        player.settles().await;
        let deaths = player.deaths;
        (player.state().await, deaths)
    };
    let ((quiet, _), (stormy, deaths)) = tokio::join!(play(Weather::Quiet), play(Weather::Stormy { seed: SEED }));
    assert!(deaths > 30, "{deaths} deaths");
    for outcome in ["chosen", "own_words", "declined", "cancelled"] {
        assert!(quiet.questions.values().any(|question| question["file"]["outcome"] == outcome), "no question was {outcome}");
    }
    assert!(quiet.questions.values().any(|question| question["record"]["state"] == "open"), "no question is open");
    for (id, question) in &quiet.questions {
        assert_eq!(&stormy.questions[id], question, "{id}");
    }
    assert_eq!(stormy.reactions, quiet.reactions);
    // A line that may be there already is not sent again, so a death may cost one; it never brings a second.
    for (line, times) in &stormy.replies {
        assert!(quiet.replies.get(line).is_some_and(|most| times <= most), "{times} times: {line:?}");
    }
}
