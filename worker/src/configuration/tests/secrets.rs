//! Secrets: from a key or a file, never empty, never shown.

use secrecy::ExposeSecret;

use super::{BOT, Setup};

const SECRET: &str = "4242:AAE-very-secret";

/// The bot's settings without a token.
fn tokenless() -> String {
    BOT.replace("token = '42:abc'\n", "")
}

#[test]
fn a_token_comes_from_its_key_or_from_a_file_without_its_line_end() {
    let token = |setup: &Setup| setup.loaded().telegram.unwrap().token.expose_secret().to_owned();
    assert_eq!(token(&Setup::file(&tokenless()).variable("PAGER_TELEGRAM__TOKEN", SECRET)), SECRET);
    let setup = Setup::file(&tokenless());
    let path = setup.folder.path().join("token");
    std::fs::write(&path, format!("{SECRET}\n")).unwrap();
    assert_eq!(token(&setup.variable("PAGER_TELEGRAM__TOKEN_FILE", path.to_str().unwrap())), SECRET);
}

#[test]
fn an_empty_secret_does_not_start() {
    for empty in ["", "  \n"] {
        let faults = Setup::file(BOT).variable("PAGER_TELEGRAM__TOKEN", empty).faults();
        let expected = "telegram.token at $PAGER_TELEGRAM__TOKEN: is empty; set the secret, or take the key out";
        assert_eq!(faults, [expected]);
        let setup = Setup::file(&tokenless());
        let path = setup.folder.path().join("token");
        std::fs::write(&path, empty).unwrap();
        let path = path.to_str().unwrap().to_owned();
        let faults = setup.variable("PAGER_TELEGRAM__TOKEN_FILE", &path).faults();
        let place = "telegram.token_file at $PAGER_TELEGRAM__TOKEN_FILE";
        assert_eq!(faults, [format!("{place}: names {path}, which is empty; write the secret into it")]);
    }
}

#[test]
fn a_secrets_file_that_cannot_be_read_is_named() {
    let faults = Setup::file(&format!("{}token_file = '/nowhere/token'\n", tokenless())).faults();
    assert!(faults[0].starts_with("telegram.token_file at FILE: names /nowhere/token, which cannot be read: "), "{faults:?}");
    assert_eq!(faults.len(), 1);
}

#[test]
fn a_secret_that_is_given_twice_is_a_fault() {
    let faults = Setup::file(&format!("{BOT}token_file = '/run/token'\n")).faults();
    assert_eq!(faults, ["telegram.token at FILE: is set and telegram.token_file too; keep one of them"]);
}

#[test]
fn a_configuration_that_is_printed_shows_no_secret() {
    let setup = Setup::file(&tokenless()).variable("PAGER_TELEGRAM__TOKEN", SECRET);
    let configuration = setup.loaded();
    assert!(configuration.telegram.is_some());
    assert!(!format!("{configuration:?} {configuration:#?}").contains(SECRET));
}

#[test]
fn no_fault_and_no_warning_shows_a_secret() {
    let broken = [
        format!("[telegram]\ntoken = '{SECRET}\nchat_id = 1\n"),
        format!("[telegram]\ntoken = {SECRET}\n"),
        format!("[telegram]\ntoken = '{SECRET}'\ntoken = '{SECRET}'\n"),
        format!("[telegram]\ntoken = '{SECRET}' extra\n"),
        format!("[telegram]\ntoken = ['{SECRET}']\n"),
        format!("[telegram]\ntoken = '{SECRET}'\n"),
        format!("[telegram]\ntokn = '{SECRET}'\n"),
        format!("[telegram.token]\nvalue = '{SECRET}'\n"),
        format!("[store]\nurl = 'postgres://u:{SECRET}@db/pager'\n"),
    ];
    for file in &broken {
        let problems = Setup::file(file).load().map(|_| ()).unwrap_err();
        let told = format!("{problems} {problems:?}");
        assert!(!told.contains(SECRET), "{told}");
    }
    let (_, warnings) = Setup::file("").variable("PAGER_TELEGRAM__TOKN", SECRET).load().unwrap();
    assert!(warnings.len() == 1 && !warnings[0].contains(SECRET), "{warnings:?}");
}
