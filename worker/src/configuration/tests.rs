//! Settings from three places, and every fault told at once, with its place, its key and the way out.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod control;
mod faults;
mod gates;
mod github;
mod limits;
mod secrets;
mod wakes;
mod webhook;

use std::path::Path;

use tempfile::TempDir;

use super::{Configuration, Flags, Problems};

/// What an operator set up: a file, an environment, flags. The folder holds the file.
struct Setup {
    folder: TempDir,
    environment: Vec<(String, String)>,
    flags: Flags,
}

impl Setup {
    fn file(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pager.toml");
        std::fs::write(&path, text).unwrap();
        let flags = Flags { config: Some(path), ..Flags::default() };
        Self { folder, environment: Vec::new(), flags }.variable("PAGER_DATA_DIR", "/data")
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    fn load(&self) -> Result<(Configuration, Vec<String>), Problems> {
        let environment = self.environment.iter().map(|(name, value)| (name.into(), value.into()));
        Configuration::load_with(&self.flags, environment)
    }

    fn loaded(&self) -> Configuration {
        self.load().unwrap_or_else(|problems| panic!("{problems}")).0
    }

    /// `key at place: detail` of each fault, the file's own path written as `FILE`.
    fn faults(&self) -> Vec<String> {
        let problems = self.load().map(|_| ()).unwrap_err();
        let file = self.folder.path().join("pager.toml").display().to_string();
        let line = |problem: &super::reader::Problem| format!("{} at {}: {}", problem.key, problem.place, problem.detail);
        problems.0.iter().map(|problem| line(problem).replace(&file, "FILE")).collect()
    }
}

const BOT: &str = "[telegram]\ntoken = '42:abc'\nchat_id = -1001\nowners = [1]\n";

#[test]
fn nothing_set_is_a_service_without_a_bot_in_the_data_folder() {
    let configuration = Setup::file("").loaded();
    assert_eq!(configuration.store.path, Path::new("/data/pager.sqlite"));
    assert_eq!(configuration.general.key_file, Path::new("/data/key"));
    assert_eq!(configuration.answers.keeper.url, "file:/data/answers.git");
    assert_eq!(configuration.answers.keeper.branch, "main");
    assert_eq!(configuration.server.listen.to_string(), "127.0.0.1:7117");
    assert!(configuration.telegram.is_none());
}

#[test]
fn the_environment_wins_over_the_file_and_a_flag_over_both() {
    let file = "data_dir = '/from-file'\n[server]\nlisten = '127.0.0.1:1'\n";
    let mut setup = Setup::file(file);
    setup.environment.clear();
    let both = |setup: &Setup| {
        let configuration = setup.loaded();
        (configuration.general.data_dir.display().to_string(), configuration.server.listen.port())
    };
    assert_eq!(both(&setup), ("/from-file".to_owned(), 1));
    let mut setup = setup.variable("PAGER_DATA_DIR", "/from-environment").variable("PAGER_SERVER__LISTEN", "127.0.0.1:2");
    assert_eq!(both(&setup), ("/from-environment".to_owned(), 2));
    setup.flags.data_dir = Some("/from-flag".to_owned());
    setup.flags.listen = Some("127.0.0.1:3".to_owned());
    assert_eq!(both(&setup), ("/from-flag".to_owned(), 3));
}

#[test]
fn a_list_is_an_array_in_the_file_and_commas_in_the_environment() {
    let file = "[server]\nhosts = ['pager.example', 'pager.lan']\n[telegram]\ntoken = 't'\nchat_id = -1001\nowners = [1, '2']\n";
    let lists = |setup: &Setup| {
        let configuration = setup.loaded();
        (configuration.server.hosts, configuration.telegram.unwrap().owners)
    };
    let hosts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(lists(&Setup::file(file)), (hosts(&["pager.example", "pager.lan"]), vec![1, 2]));
    let setup = Setup::file(file).variable("PAGER_TELEGRAM__OWNERS", " 7, 8 ,").variable("PAGER_SERVER__HOSTS", "a.example");
    assert_eq!(lists(&setup), (hosts(&["a.example"]), vec![7, 8]));
}

#[test]
fn a_bot_has_what_was_set() {
    let telegram = Setup::file(BOT).variable("PAGER_TELEGRAM__API_URL", "http://127.0.0.1:9/").loaded().telegram.unwrap();
    assert_eq!((telegram.chat_id, telegram.owners, telegram.group_budget_per_minute), (-1001, vec![1], 20));
    assert_eq!(telegram.api_url.as_str(), "http://127.0.0.1:9/");
}

#[test]
fn an_unknown_variable_is_a_warning_and_an_unknown_key_of_the_file_a_fault() {
    let setup = Setup::file("")
        .variable("PAGER_COLOUR", "red")
        .variable("PAGER_READY_FILE", "/run/ready")
        .variable("PAGER_LOG", "debug")
        .variable("COLOUR", "red");
    let (_, warnings) = setup.load().unwrap();
    assert_eq!(warnings, ["$PAGER_COLOUR is not a setting of this version and is ignored"]);
    let faults = Setup::file("colour = 'red'\n[telegram]\ntokn = 'x'\n[telegram.deep]\nkey = 1\n").faults();
    let unknown = "is not a setting of this version; correct its name or take it out";
    let expected = ["colour", "telegram.deep.key", "telegram.tokn"].map(|key| format!("{key} at FILE: {unknown}"));
    assert_eq!(faults, expected);
}
