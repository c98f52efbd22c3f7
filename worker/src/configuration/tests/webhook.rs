//! Webhook mode: a secret that Telegram can send, and an address that it can reach.

use secrecy::ExposeSecret;

use super::{BOT, Setup};
use crate::configuration::Receiving;

const PUBLIC: &str = "PAGER_SERVER__PUBLIC_URL";
const SECRET: &str = "PAGER_TELEGRAM__WEBHOOK_SECRET";

fn webhook() -> Setup {
    Setup::file(BOT).variable("PAGER_TELEGRAM__MODE", "webhook")
}

/// The address and the secret of a set-up that loads.
fn set(setup: &Setup) -> (String, String) {
    match setup.loaded().telegram.unwrap().receiving {
        Receiving::Webhook { url, secret } => (url.to_string(), secret.expose_secret().to_owned()),
        Receiving::Polling => panic!("it polls"),
    }
}

#[test]
fn polling_is_what_is_done_unless_something_else_is_set() {
    for setup in [Setup::file(BOT), Setup::file(BOT).variable("PAGER_TELEGRAM__MODE", "polling").variable(SECRET, "s")] {
        assert!(matches!(setup.loaded().telegram.unwrap().receiving, Receiving::Polling));
    }
}

#[test]
fn a_webhook_stands_under_the_public_address() {
    for (public, expected) in [
        ("https://pager.example", "https://pager.example/telegram/webhook"),
        ("https://pager.example:8443/", "https://pager.example:8443/telegram/webhook"),
        ("https://example.org/pager/?x=1#y", "https://example.org/pager/telegram/webhook"),
    ] {
        let longest = "aZ09_-".repeat(42);
        let setup = webhook().variable(PUBLIC, public).variable(SECRET, &longest);
        assert_eq!(set(&setup), (expected.to_owned(), longest));
    }
}

#[test]
fn its_secret_may_stand_in_a_file() {
    let setup = webhook().variable(PUBLIC, "https://pager.example");
    let path = setup.folder.path().join("secret");
    std::fs::write(&path, "s-3cret\n").unwrap();
    let setup = setup.variable("PAGER_TELEGRAM__WEBHOOK_SECRET_FILE", path.to_str().unwrap());
    assert_eq!(set(&setup).1, "s-3cret");
}

#[test]
fn a_webhook_without_a_secret_or_an_address_does_not_start() {
    let expected = [
        "telegram.webhook_secret at FILE: is missing; webhook mode needs a secret of 1 to 256 of A-Z, a-z, 0-9, _ and -",
        "server.public_url at FILE: is missing; webhook mode needs the https address under which Telegram reaches pagerd",
    ];
    assert_eq!(webhook().faults(), expected);
    let faults = webhook().variable(PUBLIC, "https://pager.example").variable(SECRET, " ").faults();
    let place = "telegram.webhook_secret at $PAGER_TELEGRAM__WEBHOOK_SECRET";
    assert_eq!(faults, [format!("{place}: is empty; set the secret, or take the key out")]);
}

#[test]
fn a_secret_that_telegram_does_not_take_does_not_start_and_is_not_shown() {
    for secret in ["two words", "ü-secret", "semi;colon", &"x".repeat(257)] {
        let faults = webhook().variable(PUBLIC, "https://pager.example").variable(SECRET, secret).faults();
        let place = "telegram.webhook_secret at $PAGER_TELEGRAM__WEBHOOK_SECRET";
        assert_eq!(faults, [format!("{place}: is not 1 to 256 of A-Z, a-z, 0-9, _ and -; choose another")]);
    }
}

#[test]
fn telegram_itself_delivers_over_tls_on_four_ports_alone() {
    for (public, fault) in [
        ("http://pager.example", "is not https"),
        ("https://pager.example:7117", "has a port to which Telegram does not deliver"),
    ] {
        let setup = webhook().variable(PUBLIC, public).variable(SECRET, "s");
        let faults = setup.faults();
        assert!(faults.len() == 1 && faults[0].contains(fault) && faults[0].contains("server.public_url"), "{faults:?}");
        // A Bot API server of one's own may stand nearer.
        let setup = setup.variable("PAGER_TELEGRAM__API_URL", "http://127.0.0.1:8081");
        assert_eq!(set(&setup).0, format!("{public}/telegram/webhook"));
    }
}

#[test]
fn a_printed_configuration_shows_no_secret_of_the_webhook() {
    let setup = webhook().variable(PUBLIC, "https://pager.example").variable(SECRET, "s-3cret");
    assert!(!format!("{:?}", setup.loaded()).contains("s-3cret"));
}
