//! Which setting wins, and where a token may go.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use secrecy::ExposeSecret;

use super::*;

struct Machine {
    home: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Machine {
    fn new(variables: &[(&'static str, &str)]) -> Self {
        let variables = variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Self { home: tempfile::tempdir().unwrap(), variables }
    }

    fn with(self, path: &str, text: &str) -> Self {
        let path = self.home.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn local(self) -> Self {
        let text = r#"{"url":"http://127.0.0.1:7117","agent_token":"local-agent","owner_token":"local-owner","later":1}"#;
        self.with(".local/share/pager/local.json", text)
    }

    /// What the modes make of it.
    fn with_sources<T>(&self, flag: Option<&str>, read: impl FnOnce(&Sources<'_>) -> T) -> T {
        let home = self.home.path().display().to_string();
        let environment = |name: &str| match name {
            "HOME" => Some(home.clone()),
            _ => self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()),
        };
        read(&Sources::read(flag, &environment).unwrap())
    }

    fn load(&self, flag: Option<&str>, role: Role) -> Result<(String, String), String> {
        let home = self.home.path().display().to_string();
        let environment = |name: &str| match name {
            "HOME" => Some(home.clone()),
            _ => self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()),
        };
        Sources::read(flag, &environment)
            .and_then(|sources| Settings::of(&sources, role))
            .map(|settings| (settings.url, settings.token.expose_secret().to_owned()))
            .map_err(|failure| failure.words)
    }
}

const FILE: &str = ".config/pager/ask.toml";

fn pair(url: &str, token: &str) -> Result<(String, String), String> {
    Ok((url.to_owned(), token.to_owned()))
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_the_local_service() {
    let file = "url = \"http://file\"\ntoken = \"t-file\"\n";
    let all = Machine::new(&[("ASK_URL", "http://env/"), ("ASK_TOKEN", "t-env")]).with(FILE, file).local();
    assert_eq!(all.load(Some("http://flag"), Role::Agent), pair("http://flag", "t-env"));
    assert_eq!(all.load(None, Role::Agent), pair("http://env", "t-env"));
    assert_eq!(Machine::new(&[]).with(FILE, file).local().load(None, Role::Agent), pair("http://file", "t-file"));
    let local = Machine::new(&[]).local();
    assert_eq!(local.load(None, Role::Agent), pair("http://127.0.0.1:7117", "local-agent"));
    assert_eq!(local.load(None, Role::Owner), pair("http://127.0.0.1:7117", "local-owner"));
}

#[test]
fn a_files_token_goes_to_no_other_address() {
    let elsewhere = Machine::new(&[("ASK_URL", "http://elsewhere")]).local();
    let elsewhere = elsewhere.with(FILE, "url = \"http://file\"\ntoken = \"t-file\"\n");
    assert!(elsewhere.load(None, Role::Agent).unwrap_err().contains("no token for http://elsewhere"));
    let same = Machine::new(&[("ASK_URL", "http://127.0.0.1:7117/")]).local();
    assert_eq!(same.load(None, Role::Agent), pair("http://127.0.0.1:7117", "local-agent"));
}

#[test]
fn a_token_may_stand_in_a_file_of_its_own() {
    let machine =
        Machine::new(&[]).with(FILE, "url = \"http://file\"\ntoken_file = \"secret\"\n").with(".config/pager/secret", "t\n");
    assert_eq!(machine.load(None, Role::Agent), pair("http://file", "t"));
}

#[test]
fn the_data_folder_is_where_pagerd_was_told_it_is() {
    let machine = Machine::new(&[]).with("data/local.json", r#"{"url":"http://[::1]:7","agent_token":"t"}"#);
    let data = machine.home.path().join("data").display().to_string();
    let machine = Machine { variables: vec![("PAGER_DATA_DIR", data)], ..machine };
    assert_eq!(machine.load(None, Role::Agent), pair("http://[::1]:7", "t"));
    assert!(machine.load(None, Role::Owner).unwrap_err().contains("--role owner"));
}

#[test]
fn a_wrong_value_names_its_setting_and_shows_no_token() {
    let check = |variables: &[(&'static str, &str)], file: &str, named: &str| {
        let words = Machine::new(variables).with(FILE, file).load(None, Role::Agent).unwrap_err();
        assert!(words.contains(named), "{words}");
        assert!(!words.contains("s3cret"), "{words}");
    };
    check(&[], "", "set ASK_URL");
    check(&[("ASK_URL", "")], "", "ASK_URL must be");
    check(&[("ASK_URL", "ftp://x")], "", "ASK_URL must be");
    check(&[("ASK_URL", "http://me:s3cret@x")], "", "ASK_URL must be");
    check(&[("ASK_URL", "http://x"), ("ASK_TOKEN", "")], "", "ASK_TOKEN is empty");
    check(&[("ASK_URL", "http://x"), ("ASK_TOKEN", "s3cret s3cret")], "", "ASK_TOKEN is not");
    check(&[("ASK_URL", "http://x"), ("ASK_TOKEN", "t"), ("ASK_VERIFY_KEY", "ed25519:no")], "", "ASK_VERIFY_KEY");
    check(&[("ASK_CONTROL", "me/control")], "", "ASK_CONTROL");
    check(&[], "token = \"s3cret\nurl = 1", "ask.toml, line 1");
    check(&[], "url = \"http://x\"\ntokn = \"s3cret\"", "unknown field `tokn`");
    check(&[], "url = \"gopher://x\"", "url in ");
}

#[test]
fn the_mode_is_what_the_first_layer_that_says_anything_says() {
    let check = |variables: &[(&'static str, &str)], flag: Option<&str>, file: &str, mode: Mode| {
        let machine = Machine::new(variables).with(FILE, file).local();
        assert_eq!(machine.with_sources(flag, |sources| sources.mode()), mode, "{variables:?} {flag:?} {file}");
    };
    let (control, answers) = (("ASK_CONTROL", "ada/control"), ("ASK_ANSWERS", "ada/answers"));
    check(&[control, answers, ("ASK_URL", "http://x")], None, "", Mode::Direct);
    check(&[control, answers], Some("http://x"), "", Mode::Direct);
    check(&[control, answers], None, "url = \"http://x\"", Mode::GitHub);
    check(&[answers], None, "control = \"ada/control\"", Mode::Git);
    check(&[], None, "control = \"ada/control\"\nanswers = \"ada/answers\"", Mode::GitHub);
    check(&[], None, "answers = \"/srv/answers.git\"", Mode::Git);
    check(&[], None, "url = \"http://x\"\ncontrol = \"ada/control\"", Mode::Direct);
    check(&[], None, "", Mode::Direct);
}

#[test]
fn github_mode_takes_two_tokens_and_a_branch() {
    let machine = Machine::new(&[
        ("ASK_CONTROL", "ada/control"),
        ("ASK_ANSWERS", "ada/answers@feature/a"),
        ("GITHUB_TOKEN", "t-control"),
        ("ASK_ANSWERS_TOKEN", "t-answers"),
    ]);
    let settings = machine.with_sources(None, GitHubSettings::of).unwrap();
    let shown = |token: &Option<SecretString>| token.as_ref().map(|token| token.expose_secret().to_owned());
    assert_eq!((settings.api.as_str(), settings.branch.as_str()), ("https://api.github.com", "feature/a"));
    assert_eq!(shown(&settings.token).as_deref(), Some("t-control"));
    assert_eq!(shown(&settings.answers_token).as_deref(), Some("t-answers"));
    assert!(!format!("{settings:?}").contains("t-control"));
}

#[test]
fn the_files_token_for_answers_goes_to_the_files_repository_alone() {
    let file = "control = \"ada/control\"\nanswers = \"ada/answers\"\nanswers_token_file = \"secret\"";
    let own = Machine::new(&[]).with(FILE, file).with(".config/pager/secret", "t-file\n");
    let token = |machine: &Machine| machine.with_sources(None, GitHubSettings::of).unwrap().answers_token;
    assert_eq!(token(&own).unwrap().expose_secret(), "t-file");
    for variable in [("ASK_ANSWERS", "eve/answers"), ("ASK_GITHUB_API", "https://eve.example")] {
        let other = Machine::new(&[("ASK_CONTROL", "ada/control"), variable]).with(FILE, file);
        assert!(token(&other.with(".config/pager/secret", "t-file")).is_none(), "{variable:?}");
    }
}

#[test]
fn git_mode_takes_any_address_and_keeps_what_it_fetches_in_the_users_cache() {
    let machine = Machine::new(&[("ASK_ANSWERS", "git@host:answers.git@trunk"), ("ASK_EVENTS", "https://host/events.git")]);
    let settings = machine.with_sources(None, GitSettings::of).unwrap();
    assert_eq!((settings.answers.shown(), settings.branch.as_str()), ("git@host:answers.git", "trunk"));
    assert_eq!(settings.events.unwrap().shown(), "https://host/events.git");
    assert_eq!(settings.cache, machine.home.path().join(".cache/pager/ask"));
}

#[test]
fn a_wrong_value_of_the_other_modes_names_its_setting_too() {
    let check = |variables: &[(&'static str, &str)], named: &str| {
        let machine = Machine::new(variables);
        let words = machine.with_sources(None, |sources| match sources.mode() {
            Mode::GitHub => GitHubSettings::of(sources).unwrap_err().words,
            _ => GitSettings::of(sources).unwrap_err().words,
        });
        assert!(words.contains(named) && !words.contains("s3cret"), "{words}");
    };
    check(&[("ASK_CONTROL", "ada/control")], "ASK_ANSWERS");
    check(&[("ASK_CONTROL", "")], "ASK_CONTROL must be");
    check(&[("ASK_CONTROL", "ada/control"), ("ASK_ANSWERS", "ada")], "ASK_ANSWERS must be");
    check(&[("ASK_CONTROL", "ada/control"), ("ASK_ANSWERS", "ada/answers@a b")], "name of a branch");
    check(&[("ASK_CONTROL", "ada/control"), ("ASK_ANSWERS", "ada/answers"), ("GH_TOKEN", "s3cret s3cret")], "GH_TOKEN is not");
    check(&[("ASK_CONTROL", "ada/control"), ("ASK_ANSWERS", "a/b"), ("ASK_GITHUB_API", "ftp://x")], "ASK_GITHUB_API must be");
    check(&[("ASK_ANSWERS", "/x"), ("ASK_AGENT", "not a name")], "ASK_AGENT");
    check(&[("ASK_ANSWERS", "ssh://me:s3cret@host/x")], "password");
    check(&[("ASK_ANSWERS", "/x@-x")], "name of a branch");
}
