//! Wrong settings: one run tells all of them.

use super::{BOT, Setup};

#[test]
fn everything_wrong_is_told_at_once_with_place_key_and_way_out() {
    let file = "time_zone = 'Mars/Olympus'\ncolour = 1\n[server]\nlisten = 7\n[telegram]\ntoken = 't'\nowners = ['me']\nmode = 'pigeon'\n";
    let faults = Setup::file(file)
        .variable("PAGER_SERVER__PUBLIC_URL", "pager")
        .variable("PAGER_STORE__URL", "postgres://u:secret@db/pager")
        .variable("PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE", "2")
        .faults();
    let expected = [
        "time_zone at FILE: is \"Mars/Olympus\", which is not a time zone like Europe/Berlin",
        "server.listen at FILE: is \"7\", which is not an address like 127.0.0.1:7117",
        "server.public_url at $PAGER_SERVER__PUBLIC_URL: is \"pager\", which is not a URL like https://pager.example",
        "store.url at $PAGER_STORE__URL: begins with \"postgres\"; this version takes sqlite:<path>",
        "telegram.owners at FILE: holds \"me\", which is not a numeric user id",
        "telegram.group_budget_per_minute at $PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE: is under 4; one question alone takes about five calls",
        "telegram.mode at FILE: is neither polling nor webhook; set one of them, or take it out",
        "telegram.chat_id at FILE: is missing; set the numeric id of the chat",
        "colour at FILE: is not a setting of this version; correct its name or take it out",
    ];
    assert_eq!(faults, expected);
}

#[test]
fn the_text_for_people_has_one_line_a_fault() {
    let setup = Setup::file("colour = 1\n").variable("PAGER_SERVER__LISTEN", "here");
    let told = setup.load().map(|_| ()).unwrap_err().to_string();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert_eq!(lines[1], "  $PAGER_SERVER__LISTEN: server.listen is \"here\", which is not an address like 127.0.0.1:7117");
}

#[test]
fn a_fault_is_told_where_the_winning_value_stands() {
    let faults = Setup::file("time_zone = 'Europe/Berlin'\n").variable("PAGER_TIME_ZONE", "Nowhere").faults();
    assert_eq!(faults, ["time_zone at $PAGER_TIME_ZONE: is \"Nowhere\", which is not a time zone like Europe/Berlin"]);
    let mut setup = Setup::file("[server]\nlisten = '127.0.0.1:1'\n");
    setup.flags.listen = Some("here".to_owned());
    assert_eq!(setup.faults(), ["server.listen at --listen: is \"here\", which is not an address like 127.0.0.1:7117"]);
}

#[test]
fn a_bot_without_owners_does_not_start() {
    let empty = "is empty; with a token it must name at least one numeric user id, else nobody could decide";
    let absent = BOT.replace("owners = [1]\n", "");
    let none = BOT.replace("[1]", "[]");
    for file in [&absent, &none] {
        assert_eq!(Setup::file(file).faults(), [format!("telegram.owners at FILE: {empty}")]);
    }
    let faults = Setup::file(BOT).variable("PAGER_TELEGRAM__OWNERS", " , ").faults();
    assert_eq!(faults, [format!("telegram.owners at $PAGER_TELEGRAM__OWNERS: {empty}")]);
}

#[test]
fn a_value_of_another_kind_is_told_once() {
    let check = |file: &str, key: &str| {
        let faults = Setup::file(file).faults();
        assert!(faults.len() == 1 && faults[0].starts_with(&format!("{key} at FILE: ")), "{file}: {faults:?}");
    };
    check("key_file = 1.5\n", "key_file");
    check("key_file = ['/a']\n", "key_file");
    check("[key_file]\npath = '/a'\n", "key_file.path");
    check("server = 'here'\n", "server");
    check("[server]\nlisten = true\n", "server.listen");
    check("[server]\nlisten = 'localhost'\n", "server.listen");
    check("[store]\nurl = 'sqlite:'\n", "store.url");
    check(&BOT.replace("-1001", "'@channel'"), "telegram.chat_id");
    check(&BOT.replace("-1001", "true"), "telegram.chat_id");
    check(&BOT.replace("[1]", "[1, true]"), "telegram.owners");
    check(&BOT.replace("[1]", "1.5"), "telegram.owners");
    check(&format!("{BOT}group_budget_per_minute = -1\n"), "telegram.group_budget_per_minute");
}

#[test]
fn a_file_that_is_not_toml_names_the_line() {
    let faults = Setup::file("data_dir = '/a'\n[server\nlisten = 'x'\n").faults();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].starts_with(" at FILE: is not TOML: line 2: "), "{faults:?}");
    let twice = Setup::file("data_dir = '/a'\ndata_dir = '/b'\n").faults();
    assert!(twice[0].contains("line 2: duplicate key"), "{twice:?}");
}

#[test]
fn a_file_that_was_named_and_is_not_there_is_a_fault() {
    let mut setup = Setup::file("");
    setup.flags.config = Some("/nowhere/pager.toml".into());
    let faults = setup.faults();
    assert!(faults[0].starts_with(" at /nowhere/pager.toml: cannot be read: "), "{faults:?}");
    assert!(faults[0].ends_with("check --config and PAGER_CONFIG"), "{faults:?}");
}

#[test]
fn what_becomes_of_topics_is_yes_or_no_and_a_time() {
    let tidying = |lines: &str| Setup::file(&format!("{BOT}{lines}")).load().unwrap().0.telegram.unwrap().tidying;
    let usual = tidying("");
    assert!(!usual.close_answered && usual.delete_topics_after.is_none());
    let set = tidying("close_answered = true\ndelete_topics_after = '1d 12h'\n");
    assert!(set.close_answered);
    assert_eq!(set.delete_topics_after, Some(std::time::Duration::from_secs(36 * 3600)));
    assert_eq!(tidying("delete_topics_after = 'never'\n").delete_topics_after, None);
    let faults = Setup::file(&format!("{BOT}close_answered = 'maybe'\ndelete_topics_after = 'soon'\n")).faults();
    assert_eq!(
        faults,
        [
            "telegram.close_answered at FILE: is \"maybe\", which is neither true nor false",
            "telegram.delete_topics_after at FILE: is \"soon\", which is not a time like 12h, 30d or never",
        ]
    );
    let negative = Setup::file(&format!("{BOT}delete_topics_after = '-1h'\n")).faults();
    assert_eq!(negative.len(), 1, "{negative:?}");
}

#[test]
fn a_bound_for_deadlines_is_a_time_and_never_is_none() {
    for key in ["min", "max"] {
        let faults = Setup::file(&format!("[deadline]\n{key} = 'never'\n")).faults();
        assert_eq!(faults, [format!("deadline.{key} at FILE: is \"never\", which is not a time like 1m or 7d")]);
    }
    let loaded = Setup::file("[deadline]\nmin = '1s'\nmax = '2d'\n").loaded();
    assert_eq!((loaded.deadline.bounds.least, loaded.deadline.bounds.most), (1000, 172_800_000));
}
