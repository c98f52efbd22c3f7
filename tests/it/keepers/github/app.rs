//! As a GitHub App: tokens of its installation, made and renewed on the way.

use pager_answers::Keeper;
use pager_answers::conformance::{answer, save};
use pager_tests::fake_github::{Fault, Rights};
use pager_tests::keys::Key;

use super::place::{Place, REPOSITORY, refused, saved, unknown};

fn tokens_made(place: &Place) -> usize {
    place.hub.calls_of("POST", "*/access_tokens").len()
}

#[tokio::test]
async fn commits_of_an_app_are_verified() {
    let place = Place::with_app_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    saved(&place.keeper.save(vec![answer("b", "1"), answer("c", "1")]).await[0]);
    let log = place.hub.git(REPOSITORY, &["log", "-2", "--format=%cE", "main"]);
    assert_eq!(log.lines().collect::<Vec<_>>(), ["noreply@github.com"; 2]);
}

#[tokio::test]
async fn a_token_is_renewed_when_it_dies_and_not_before() {
    let place = Place::with_app_unpaced();
    for id in ["a", "b", "c"] {
        saved(&save(&*place.keeper, id, "1").await);
    }
    assert_eq!(tokens_made(&place), 1);
    place.hub.age(2 * 3600);
    saved(&save(&*place.keeper, "d", "1").await);
    assert_eq!(tokens_made(&place), 2);
    assert_eq!(place.keeper.list().await.unwrap(), ["a", "b", "c", "d"]);
}

#[tokio::test]
async fn an_app_that_is_taken_off_is_refused_and_comes_back_under_a_new_installation() {
    let place = Place::with_app_unpaced();
    saved(&save(&*place.keeper, "a", "1").await);
    place.hub.uninstall(place.app);
    let outcome = save(&*place.keeper, "b", "1").await;
    assert!(refused(&outcome).contains("github.app_id"), "{outcome:?}");
    place.hub.install(place.app, &[(REPOSITORY, Rights::write())]);
    saved(&save(&*place.keeper, "b", "1").await);
}

#[tokio::test]
async fn trouble_with_the_token_itself_is_unknown_and_nothing_was_written() {
    let place = Place::with_app_unpaced();
    for fault in [Fault::bad_gateway(), Fault::reset()] {
        place.hub.fault("POST", "*/access_tokens", fault);
        unknown(&save(&*place.keeper, "a", "1").await);
    }
    saved(&save(&*place.keeper, "a", "1").await);
}

#[tokio::test]
async fn another_key_than_the_apps_is_refused_with_the_setting() {
    use pager_answers::github::{AppKey, Proof};
    let place = Place::with_app_unpaced();
    let key = AppKey::from_pem(Key::number(1).private_pem().into()).unwrap();
    let keeper = super::place::keeper(&place.hub, Proof::App { id: place.app, key }, "main", super::place::unpaced());
    let outcome = save(&*keeper, "a", "1").await;
    assert!(refused(&outcome).contains("github."), "{outcome:?}");
}
