//! `ask` in git mode, against real repositories on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use pager_questions::SigningKey;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::command::{Ended, Running, SECRETS, answer, signed, start_in};
use crate::server::{Reply, Server, reply};

const NEW: [&str; 8] = ["new", "Release?", "-o", "yes=Yes", "-o", "no=No", "--id", "rel-42"];
const FILE: &str = "answers/rel-42.json";
const ARCHIVED: &str = "archive/68/rel-42.json";

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// Two bare repositories; that of the answers has its branch.
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        for name in ["answers.git", "events.git"] {
            git(place.folder.path(), &["init", "--quiet", "--bare", "--initial-branch=main", name]);
        }
        place.commit("README.md", "answers");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn commit(&self, path: &str, text: &str) {
        let work = self.path("work");
        if !work.exists() {
            git(self.folder.path(), &["init", "--quiet", "--initial-branch=main", "work"]);
        }
        std::fs::create_dir_all(work.join(path).parent().unwrap()).unwrap();
        std::fs::write(work.join(path), text).unwrap();
        git(&work, &["add", "--all"]);
        git(&work, &["commit", "--quiet", "--message", path]);
        git(&work, &["push", "--quiet", self.path("answers.git").to_str().unwrap(), "HEAD:main"]);
    }

    fn start_ask(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Running {
        let answers = self.path("answers.git").display().to_string();
        let events = format!("file://{}", self.path("events.git").display());
        let cache = self.path("cache").display().to_string();
        let usual = [("ASK_ANSWERS", answers.as_str()), ("ASK_EVENTS", &events), ("XDG_CACHE_HOME", &cache)];
        let arguments = [&["--look-every", "20"], arguments].concat();
        start_in(tempfile::tempdir().unwrap(), &[&usual, variables].concat(), "", &arguments)
    }

    fn ask(&self, arguments: &[&str]) -> Ended {
        self.start_ask(&[], arguments).end()
    }

    /// The events that were pushed, by their names.
    fn events(&self) -> Vec<(String, Value)> {
        let repository = self.path("events.git");
        let names = git(&repository, &["ls-tree", "--name-only", "-r", "pager-events"]);
        let read = |name: &str| {
            let text = git(&repository, &["show", &format!("pager-events:{name}")]);
            (name.to_owned(), serde_json::from_str(&text).unwrap())
        };
        names.lines().map(read).collect()
    }

    fn hook(&self, name: &str, script: &str) {
        self.script(&format!("events.git/hooks/{name}"), script);
    }

    /// Writes a program.
    fn script(&self, name: &str, script: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "Somebody")))
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "somebody@example.org")))
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn new_pushes_a_file_onto_a_branch_that_is_made_when_it_is_missing() {
    let place = Place::new();
    let ended = place.start_ask(&[("ASK_AGENT", "ci")], &[&NEW[..], &["--publication-id", "pub-1"]].concat()).end();
    assert_eq!(ended.code, 0, "{ended:?}");
    let printed = ended.json();
    assert_eq!((&printed["id"], &printed["state"], &printed["incarnation"]), (&json!("rel-42"), &Value::Null, &Value::Null));
    let events = place.events();
    let (name, body) = &events[0];
    let uuid = name.strip_prefix("events/").and_then(|name| name.strip_suffix(".json")).unwrap();
    assert_eq!((events.len(), uuid.len()), (1, 36));
    assert_eq!(
        *body,
        json!({
            "type": "ask", "id": "rel-42", "text": "Release?", "publication_id": "pub-1", "agent": "ci",
            "sent_at": printed["asked_at"], "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}],
        })
    );
    assert_eq!(place.ask(&["withdraw", "rel-42", "--reason", "settled", "--timeout", "0s"]).code, 0);
    let kinds: Vec<Value> = place.events().into_iter().map(|(_, body)| body["type"].clone()).collect();
    assert!(kinds.contains(&json!("ask")) && kinds.contains(&json!("withdraw")), "{kinds:?}");
    git(&place.path("events.git"), &["fsck", "--strict", "--full"]);
}

#[test]
fn many_who_ask_at_once_lose_nothing() {
    let place = Place::new();
    let running: Vec<Running> = (0..8)
        .map(|number| {
            // Half of them share a cache, half come from machines of their own.
            let cache = place.path(&format!("cache-{}", number.max(3))).display().to_string();
            let variables = [("XDG_CACHE_HOME", cache.as_str())];
            place.start_ask(&variables, &["new", "R?", "-o", "A", "-o", "B", "--id", &format!("q-{number}")])
        })
        .collect();
    for ended in running.into_iter().map(Running::end) {
        assert_eq!(ended.code, 0, "{ended:?}");
    }
    assert_eq!(place.events().len(), 8);
    git(&place.path("events.git"), &["fsck", "--strict", "--full"]);
}

#[test]
fn a_push_whose_fate_is_unknown_is_looked_for_before_it_is_made_again() {
    let place = Place::new();
    // The first push is taken, and its reply lost: git is killed before it hears of it.
    let once = place.path("once").display().to_string();
    place.hook("post-update", &format!("[ -e {once} ] || {{ touch {once}; kill -9 $(ps -o ppid= -p $PPID); }}"));
    let ended = place.ask(&NEW);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(place.events().len(), 1);
    assert!(place.path("once").exists());
}

#[test]
fn a_push_that_is_refused_is_said_with_what_the_server_says() {
    let place = Place::new();
    place.hook("pre-receive", "echo 'no events on Sundays' >&2; exit 1");
    let ended = place.ask(&NEW);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("no events on Sundays") && ended.words.contains("pager-events"), "{ended:?}");
}

#[test]
fn a_server_that_cannot_unpack_a_push_has_refused_nothing() {
    let place = Place::new();
    git(&place.path("events.git"), &["config", "receive.maxInputSize", "1"]);
    let ended = place.ask(&NEW);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("unpacker error") && ended.words.contains("asking again"), "{ended:?}");
    assert!(ended.words.contains("Whether the event arrived is not known"), "{ended:?}");
}

#[test]
fn ssh_asks_nobody_and_stays_the_one_that_was_chosen() {
    let place = Place::new();
    let noted = place.path("noted");
    let note =
        |name: &str| place.script(&format!("bin/{name}"), &format!("echo \"{name} $*\" >>'{}'; exit 255", noted.display()));
    let path = format!("{}:{}", note("ssh").parent().unwrap().display(), std::env::var("PATH").unwrap());
    let chosen = note("other/ssh").display().to_string();
    let wrapper = note("wrapper").display().to_string();
    let told = |variables: &[(&str, &str)]| {
        let _ = std::fs::remove_file(&noted);
        let usual = [("PATH", path.as_str()), ("ASK_ANSWERS", "git@host:answers.git")];
        assert_eq!(place.start_ask(&[&usual, variables].concat(), &["answer", "rel-42"]).end().code, 1);
        std::fs::read_to_string(&noted).unwrap()
    };
    let usual = told(&[]);
    assert!(usual.starts_with("ssh ") && usual.contains("-o BatchMode=yes"), "{usual}");
    let settings = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "core.sshCommand"), ("GIT_CONFIG_VALUE_0", chosen.as_str())];
    for variables in [&settings[..], &[("GIT_SSH_COMMAND", chosen.as_str())]] {
        let said = told(variables);
        assert!(said.starts_with("other/ssh ") && said.contains("-o BatchMode=yes"), "{said}");
    }
    for variable in ["GIT_SSH", "GIT_SSH_COMMAND"] {
        let said = told(&[(variable, wrapper.as_str())]);
        assert!(said.starts_with("wrapper ") && !said.contains("BatchMode"), "{said}");
    }
}

#[test]
fn nobody_is_asked_for_a_password() {
    let unauthorised = || Reply::Send(401, vec![("WWW-Authenticate", "Basic realm=\"x\"".to_owned())], String::new());
    let host = Server::start(move |_| unauthorised());
    let place = Place::new();
    let asked = place.path("asked");
    let asks = place.script("askpass", &format!("touch '{}'; echo me", asked.display())).display().to_string();
    let address = format!("http://{}/x.git", host.address());
    let settings = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "core.askPass"), ("GIT_CONFIG_VALUE_0", asks.as_str())];
    for variables in [&settings[..], &[("GIT_ASKPASS", asks.as_str())], &[("SSH_ASKPASS", asks.as_str())]] {
        let variables = [&[("ASK_ANSWERS", address.as_str())], variables].concat();
        let ended = place.start_ask(&variables, &["answer", "rel-42"]).end();
        assert_eq!(ended.code, 1, "{ended:?}");
        assert!(ended.words.contains("ASK_ANSWERS") && !asked.exists(), "{ended:?}");
    }
}

#[test]
fn what_git_started_ends_with_ask() {
    for verb in ["wait", "answer"] {
        ends_with_its_helpers(verb);
    }
}

fn ends_with_its_helpers(verb: &str) {
    let place = Place::new();
    let noted = place.path("noted");
    let hangs = place.script("bin/ssh", &format!("echo $$ >'{0}.new'; mv '{0}.new' '{0}'; sleep 1000", noted.display()));
    let path = format!("{}:{}", hangs.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let waiting = place.start_ask(&[("PATH", &path), ("ASK_ANSWERS", "git@host:answers.git")], &[verb, "rel-42"]);
    while !noted.exists() {
        std::thread::yield_now();
    }
    waiting.signal(Signal::TERM);
    assert_eq!(waiting.end().code, 143);
    let process = std::fs::read_to_string(&noted).unwrap();
    let state = Path::new("/proc").join(process.trim()).join("stat");
    // Gone, or dead and not yet collected by init.
    while std::fs::read_to_string(&state).is_ok_and(|state| !state.contains(") Z ")) {
        std::thread::yield_now();
    }
}

#[test]
fn a_wait_sees_the_answer_when_it_comes() {
    let place = Place::new();
    let waiting = place.start_ask(&[], &["wait", "rel-42", "--timeout", "0"]);
    place.commit("answers/other.json", "{}");
    place.commit(FILE, &answer("chosen").to_string());
    let ended = waiting.end();
    assert_eq!((ended.code, ended.json()), (0, answer("chosen")), "{ended:?}");
    assert!(ended.words.contains("not verified"), "{ended:?}");
}

#[test]
fn archived_answers_are_found_and_a_branch_may_be_named() {
    let place = Place::new();
    assert_eq!(place.ask(&["answer", "rel-42"]).code, 3);
    place.commit(ARCHIVED, &answer("declined").to_string());
    let ended = place.ask(&["answer", "rel-42"]);
    assert_eq!((ended.code, ended.json()), (4, answer("declined")), "{ended:?}");
    assert_eq!(place.ask(&NEW).code, 7);
    let named = |branch: &str| {
        let answers = format!("{}@{branch}", place.path("answers.git").display());
        place.start_ask(&[("ASK_ANSWERS", &answers)], &["answer", "rel-42"]).end()
    };
    assert_eq!(named("main").code, 4);
    let missing = named("other");
    assert_eq!((missing.code, missing.output.as_str()), (1, ""), "{missing:?}");
    assert!(missing.words.contains("no branch other"), "{missing:?}");
}

#[test]
fn answered_before_or_in_between_a_withdrawal_is_nine() {
    let place = Place::new();
    let withdrawing = place.start_ask(&[], &["withdraw", "rel-42", "--timeout", "5m"]);
    place.commit(FILE, &answer("chosen").to_string());
    let ended = withdrawing.end();
    assert_eq!((ended.code, ended.json()), (9, answer("chosen")), "{ended:?}");
    let again = place.ask(&["withdraw", "rel-42", "--timeout", "5m"]);
    assert_eq!((again.code, again.json()), (9, answer("chosen")), "{again:?}");
}

#[test]
fn giving_up_it_withdraws() {
    let place = Place::new();
    let ended = place.ask(&[&NEW[..], &["--wait", "1s"]].concat());
    assert_eq!((ended.code, ended.json()), (5, json!({"id": "rel-42", "state": "withdrawal_sent"})), "{ended:?}");
    assert_eq!(place.events().len(), 2);
}

#[test]
fn what_does_not_verify_is_an_error() {
    let key = SigningKey::from_seed([1; 32]);
    let keys = key.verifying().to_string();
    let place = Place::new();
    let check = |code: i32| {
        for verb in ["answer", "wait"] {
            let ended = place.start_ask(&[("ASK_VERIFY_KEY", &keys)], &[verb, "rel-42"]).end();
            assert_eq!(ended.code, code, "{ended:?}");
            assert_eq!(ended.output.is_empty(), code == 1, "{ended:?}");
        }
    };
    place.commit(FILE, &answer("chosen").to_string());
    check(1);
    place.commit(FILE, &signed(&key).to_string().replace("Yes, release", "No"));
    check(1);
    place.commit(FILE, &format!("{}{}", signed(&key), " ".repeat(70_000)));
    check(1);
    place.commit(FILE, &signed(&key).to_string());
    check(0);
}

#[test]
fn interrupted_a_wait_ends_at_once() {
    let place = Place::new();
    let waiting = place.start_ask(&[], &["wait", "rel-42"]);
    // Its cache is there once it looked.
    while !place.path("cache").exists() {
        std::thread::yield_now();
    }
    waiting.signal(Signal::TERM);
    assert_eq!(waiting.end().code, 143);
}

#[test]
fn a_broken_cache_is_made_anew() {
    let place = Place::new();
    assert_eq!(place.ask(&["answer", "rel-42"]).code, 3);
    place.commit(FILE, &answer("chosen").to_string());
    let caches = std::fs::read_dir(place.path("cache/pager/ask")).unwrap().map(|entry| entry.unwrap().path());
    for cache in caches.filter(|path| path.is_dir()) {
        std::fs::remove_dir_all(cache.join("objects")).unwrap();
        std::fs::write(cache.join("shallow.lock"), "").unwrap();
    }
    assert_eq!(place.ask(&["answer", "rel-42"]).code, 0);
}

#[test]
fn a_repository_that_is_not_there_is_said_so_with_the_way_out() {
    let place = Place::new();
    let gone = place.path("gone.git").display().to_string();
    let ended = place.start_ask(&[("ASK_ANSWERS", &gone)], &["wait", "rel-42"]).end();
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("gone.git") && ended.words.contains("ASK_ANSWERS"), "{ended:?}");
    let ended = place.start_ask(&[("ASK_EVENTS", &gone)], &NEW).end();
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.words.contains("ASK_EVENTS"), "{ended:?}");
    let url = format!("ssh://me:{SECRETS}@host/x");
    let ended = place.start_ask(&[("ASK_ANSWERS", &url)], &["wait", "rel-42"]).end();
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.words.contains("password"), "{ended:?}");
}

#[test]
fn a_token_travels_in_a_header_alone_and_to_no_other_address() {
    let stranger = Server::start(|_| reply(200, &Value::Null));
    let elsewhere = format!("http://{}/x.git/info/refs?service=git-upload-pack", stranger.address());
    for status in [401, 403, 302] {
        let elsewhere = elsewhere.clone();
        let host = Server::start(move |_| Reply::Send(status, vec![("Location", elsewhere.clone())], String::new()));
        let address = format!("http://robot@{}/x.git", host.address());
        let variables =
            [("ASK_ANSWERS", address.as_str()), ("ASK_ANSWERS_TOKEN", "s3cret-of-answers"), ("GIT_CURL_VERBOSE", "1")];
        let ended = Place::new().start_ask(&variables, &["wait", "rel-42", "--timeout", "1s"]).end();
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
        let request = host.next();
        assert_eq!(request.line, "GET /x.git/info/refs?service=git-upload-pack");
        let sent: Vec<&String> = request.headers.iter().filter(|header| header.starts_with("authorization")).collect();
        assert_eq!(sent, [&basic().to_lowercase()]);
        assert!(!ended.words.contains(&basic()[21..]), "{ended:?}");
    }
    assert!(stranger.rest().is_empty());
}

/// `printf robot:s3cret-of-answers | base64`
fn basic() -> String {
    "Authorization: Basic cm9ib3Q6czNjcmV0LW9mLWFuc3dlcnM=".to_owned()
}

#[test]
fn the_other_verbs_say_that_they_need_direct_mode() {
    let ended = Place::new().ask(&["list"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.words.contains("direct mode"), "{ended:?}");
}
