//! The documents against the code: `docs/guide/reference.md` and `pager.example.toml` name every setting that is read,
//! and none besides.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};

use super::reader::Reader;
use super::sources::{Setting, Sources};
use super::unanswered;
use super::{Answers, Control, Deadline, Gates, General, GitHub, Limits, Server, Store, Telegram, Wakes};

const REFERENCE: &str = include_str!("../../../docs/guide/reference.md");
const EXAMPLE: &str = include_str!("../../../pager.example.toml");
/// Where the table of settings stands in the reference.
const HEADING: &str = "### Settings of `pagerd`";
/// A secret is given by one of two keys; an example that sets both cannot load.
const THE_OTHER_WAYS: [&str; 5] = ["token_file", "webhook_secret_file", "secrets_file", "app_id", "private_key_file"];

/// What reading these settings asks for and finds, whatever the environment of the test says.
fn read(table: &toml::Table) -> (BTreeSet<String>, Option<Telegram>, Reader) {
    let place = "pager.example.toml".to_owned();
    let setting = |value: &toml::Value| Setting { value: value.clone(), place: place.clone(), from_environment: false };
    let settings = values(table, "").iter().map(|(key, value)| (key.clone(), setting(value))).collect();
    let mut reader = Reader::of(Sources { file: None, settings });
    let general = General::read(&mut reader);
    let server = Server::read(&mut reader);
    Store::read(&mut reader, &general);
    let telegram = Telegram::read(&mut reader, &server);
    let github = GitHub::read(&mut reader);
    Answers::read(&mut reader, &general, &github);
    let control = Control::read(&mut reader);
    Wakes::read(&mut reader, control.repo.is_some() && github.access.is_some());
    Deadline::read(&mut reader);
    unanswered::read(&mut reader);
    Limits::read(&mut reader);
    Gates::read(&mut reader);
    (reader.asked.clone(), telegram, reader)
}

/// Settings whose names hold the operator's own ones: as the documents name them, and as the example does.
const NAMED: [(&str, &str); 3] = [
    ("wake.<name>.kind", "wake.nightly.kind"),
    ("gates.<category>", "gates.merge"),
    ("projects.<name>.gates.<category>", "projects.website.gates.merge"),
];

/// The keys that the program asks for. With nothing but a name of the operator's own set it asks for all of them.
fn read_keys() -> BTreeSet<String> {
    let gates = "gates.'<category>' = 'owner'\nprojects.'<name>'.gates.'<category>' = 'owner'";
    read(&format!("wake.'<name>'.kind = 'dispatch'\n{gates}").parse().unwrap()).0
}

/// The first column of the table of settings.
fn documented_keys() -> BTreeSet<String> {
    let (_, section) = REFERENCE.split_once(HEADING).unwrap();
    let rows = section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect()
}

/// The example with its settings switched on: a setting is commented out by `#` alone, a sentence by `# `.
fn switched_on() -> String {
    let lines = EXAMPLE.lines().map(|line| match line.strip_prefix('#') {
        Some(setting) if setting.starts_with(|first: char| first.is_ascii_lowercase()) => setting,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The values by their whole keys, like `telegram.chat_id`.
fn values(table: &toml::Table, prefix: &str) -> BTreeMap<String, toml::Value> {
    let mut found = BTreeMap::new();
    for (name, value) in table {
        match value {
            toml::Value::Table(inner) => found.extend(values(inner, &format!("{prefix}{name}."))),
            value => {
                found.insert(format!("{prefix}{name}"), value.clone());
            }
        }
    }
    found
}

fn keys_of(text: &str) -> BTreeSet<String> {
    let keys = values(&text.parse().unwrap(), "").into_keys();
    let documented = |key: &str| NAMED.iter().find(|(_, own)| *own == key).map(|(documented, _)| (*documented).to_owned());
    keys.map(|key| documented(&key).unwrap_or(key)).collect()
}

#[test]
fn the_reference_names_every_setting_and_none_besides() {
    assert_eq!(documented_keys(), read_keys());
}

#[test]
fn the_example_has_every_setting_and_none_besides() {
    assert_eq!(keys_of(&switched_on()), read_keys());
}

#[test]
fn the_example_as_it_is_sets_nothing() {
    assert_eq!(keys_of(EXAMPLE), BTreeSet::new());
}

#[test]
fn the_example_loads_when_its_settings_are_switched_on() {
    let is_other = |line: &str| THE_OTHER_WAYS.iter().any(|key| line.starts_with(key));
    let lines: Vec<String> = switched_on().lines().filter(|line| !is_other(line)).map(str::to_owned).collect();
    let (_, telegram, reader) = read(&lines.join("\n").parse().unwrap());
    assert_eq!(reader.finish(), Ok(Vec::new()));
    assert!(telegram.is_some());
}
