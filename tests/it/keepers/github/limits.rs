//! GitHub's limits: kept in front, and obeyed when met all the same.

use std::time::{Duration, Instant};

use pager_answers::Keeper;
use pager_answers::conformance::{answer, save};
use pager_answers::github::PaceLimits;
use pager_tests::fake_github::{Fault, Visibility};

use super::place::{Place, REPOSITORY, fast, path, saved, start, unknown};

/// What GitHub is asked while it wants to be left alone.
async fn is_left_alone(place: &Place) {
    let before = place.hub.calls().len();
    let (reason, pause) = {
        let outcome = save(&*place.keeper, "meanwhile", "1").await;
        let (reason, pause) = unknown(&outcome);
        (reason.to_owned(), pause)
    };
    assert!(pause.is_some_and(|pause| !pause.is_zero()), "{reason}");
    assert_eq!(place.keeper.holds(&path("meanwhile")).await, Ok(false));
    assert!(place.keeper.list().await.is_err() && place.keeper.check().await.is_err());
    assert_eq!(place.hub.calls().len(), before, "it was called during the pause");
}

#[tokio::test]
async fn a_limit_in_each_of_its_forms_is_unknown_with_a_pause_and_nobody_calls_until_then() {
    let cases = [
        (Fault::SecondaryLimit { retry_after: Some(90), status: None }, 90),
        (Fault::SecondaryLimit { retry_after: Some(90), status: Some(429) }, 90),
        (Fault::SecondaryLimit { retry_after: None, status: None }, 60),
        (Fault::SecondaryLimit { retry_after: None, status: Some(429) }, 60),
        (Fault::PrimaryLimit { seconds: 1800 }, 1800),
    ];
    for (fault, seconds) in cases {
        for at in ["*/contents/*", "*/commits/*"] {
            let place = Place::with_token_unpaced();
            saved(&save(&*place.keeper, "warm", "1").await);
            place.hub.fault("*", at, fault.clone());
            let outcome = save(&*place.keeper, "a", "1").await;
            let (reason, pause) = unknown(&outcome);
            let told = pause.unwrap_or_default().as_secs();
            assert!((seconds - 2..=seconds + 2).contains(&told), "{fault:?}: {told} s, {reason}");
            assert!(reason.contains("limit"), "{reason}");
            is_left_alone(&place).await;
            assert_eq!(place.answer("a"), None);
        }
    }
}

#[tokio::test]
async fn after_the_pause_the_same_write_is_done() {
    let place = Place::with_token_unpaced();
    place.hub.fault("PUT", "*/contents/*", Fault::SecondaryLimit { retry_after: Some(1), status: None });
    let outcome = save(&*place.keeper, "a", "1").await;
    let pause = unknown(&outcome).1.unwrap();
    tokio::time::sleep(pause).await;
    saved(&save(&*place.keeper, "a", "1").await);
}

#[tokio::test]
async fn writes_keep_their_distance_and_a_batch_is_three_of_them() {
    let hub = start();
    hub.add_repository(REPOSITORY, Visibility::Private);
    let between = Duration::from_millis(400);
    let place = Place::on(hub, PaceLimits { between, ..PaceLimits::default() });
    saved(&save(&*place.keeper, "a", "1").await);
    saved(&place.keeper.save(vec![answer("b", "1"), answer("c", "1")]).await[0]);
    saved(&save(&*place.keeper, "d", "1").await);
    let times: Vec<i64> = place.hub.calls().iter().filter(|call| call.method != "GET").map(|call| call.at_ms).collect();
    assert_eq!(times.len(), 5);
    // They leave so far apart; on a busy machine one may arrive late, and the next one sooner after it.
    for pair in times.windows(2) {
        assert!(pair[1] - pair[0] >= 200, "{times:?}");
    }
}

#[tokio::test]
async fn the_budget_of_a_minute_is_never_overdrawn_and_whoever_waits_is_told_how_long() {
    let hub = start();
    hub.add_repository(REPOSITORY, Visibility::Private);
    let limits = PaceLimits { between: Duration::ZERO, a_minute: 5, ..PaceLimits::default() };
    let place = Place::on(hub, limits);
    for number in 0..4 {
        saved(&save(&*place.keeper, &format!("q-{number}"), "1").await);
    }
    // Two answers would be three writes, and one is left.
    let outcomes = place.keeper.save(vec![answer("a", "1"), answer("b", "1")]).await;
    let pause = unknown(&outcomes[1]).1.unwrap();
    assert!(pause > Duration::from_secs(50) && pause <= Duration::from_secs(60), "{pause:?}");
    assert_eq!(place.writes(), 4);
    saved(&save(&*place.keeper, "a", "1").await);
    let began = Instant::now();
    assert!(unknown(&save(&*place.keeper, "b", "1").await).1.is_some());
    assert!(began.elapsed() < Duration::from_secs(5), "it does not sit the minute out");
    assert_eq!(place.keeper.list().await.unwrap().len(), 5, "reading goes on");
}

#[tokio::test]
async fn the_fakes_own_limits_are_never_met_at_full_speed() {
    let hub = start();
    hub.add_repository(REPOSITORY, Visibility::Private);
    let place = Place::on(hub, fast());
    for number in 0..20 {
        saved(&save(&*place.keeper, &format!("q-{number}"), "1").await);
    }
}
