//! Updates as Telegram sends them, and as nobody would.
#![expect(clippy::unwrap_used, reason = "tests")]

use pager_questions::Incarnation;
use pager_questions::update::Mark;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

fn seat() -> Seat {
    Seat { chat_id: -1001, owners: vec![4242, 1_087_968_824], bot_id: 99, bot_username: "asks_bot".to_owned() }
}

/// An owner's message in topic 7, with these fields on top.
fn message(more: Value) -> Value {
    let mut message = json!({
        "message_id": 12, "date": 1_796_045_103, "chat": {"id": -1001, "type": "supergroup", "is_forum": true},
        "from": {"id": 4242, "is_bot": false, "first_name": "Ada", "last_name": "L"},
        "message_thread_id": 7, "is_topic_message": true,
        "reply_to_message": {"message_id": 7, "forum_topic_created": {"name": "q", "icon_color": 1}},
    });
    for (name, value) in more.as_object().unwrap() {
        message[name] = value.clone();
    }
    message
}

fn read_message(more: Value) -> Intent {
    read(&json!({"update_id": 1, "message": message(more)}), &seat())
}

fn words(intent: Intent) -> Text {
    match intent {
        Intent::Text(text) => text,
        other => panic!("no text: {other:?}"),
    }
}

#[test]
fn a_text_in_a_topic_is_the_owner_s_with_its_place() {
    let text = words(read_message(json!({"text": " Frankfurt "})));
    let at = Place { user: 4242, author: "Ada L".to_owned(), message_id: Some(12), thread: Some(7), date: 1_796_045_103 };
    assert_eq!(text, Text { at, text: " Frankfurt ".to_owned(), edited: false, has_media: false, album: None });
}

#[test]
fn a_reply_in_general_has_no_topic_though_it_has_a_thread_id() {
    let text = words(read_message(json!({"text": "x", "is_topic_message": null})));
    assert_eq!(text.at.thread, None);
}

#[test]
fn what_a_typed_parser_drops_still_gives_the_words() {
    for around in [
        json!({"external_reply": {"origin": {"type": "user"}}}),
        json!({"entities": [{"type": "date_time", "offset": 0, "length": 1, "unix_time": 3}]}),
        json!({"reply_markup": {"inline_keyboard": [[{"text": "x", "disabled": {}}]]}}),
        json!({"quote": {"text": "q", "position": 0}}),
        json!({"some_new_kind": {"deep": [1]}}),
        json!({"reply_to_story": {"id": 1}, "effect_id": "5"}),
        json!({"from": {"id": 4242, "unknown": {}}}),
    ] {
        let mut with_text = around.clone();
        with_text["text"] = "the words".into();
        assert_eq!(words(read_message(with_text)).text, "the words", "{around}");
    }
}

#[test]
fn an_edit_is_marked_and_dated_by_the_edit() {
    let update = json!({"update_id": 1, "edited_message": message(json!({"text": "x", "edit_date": 1_796_045_999}))});
    let text = words(read(&update, &seat()));
    assert!(text.edited);
    assert_eq!(text.at.date, 1_796_045_999);
}

#[test]
fn a_caption_is_a_text_with_media() {
    let text = words(read_message(json!({"caption": "/decline", "photo": [{}], "media_group_id": "a1"})));
    assert!(text.has_media && text.album.as_deref() == Some("a1") && text.text == "/decline");
}

#[test]
fn what_has_no_words_is_named() {
    for kind in ["photo", "voice", "sticker", "document", "poll", "video_note", "location", "contact", "dice", "rich_message"] {
        match read_message(json!({kind: {}, "media_group_id": "a1"})) {
            Intent::NotText { kind: named, album, .. } => assert_eq!((named, album.as_deref()), (kind, Some("a1"))),
            other => panic!("{kind}: {other:?}"),
        }
    }
}

#[test]
fn an_ephemeral_message_keeps_its_words_and_has_no_id() {
    let text = words(read_message(json!({"text": "x", "message_id": 0, "ephemeral_message_id": 5})));
    assert_eq!(text.at.message_id, None);
}

#[test]
fn own_commands_are_commands_and_others_are_not_answers() {
    match read_message(json!({"text": "/decline@asks_bot not now"})) {
        Intent::Command { command: Command::Decline, rest, edited: false, .. } => assert_eq!(rest, "not now"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(read_message(json!({"text": "/cancel@other_bot"})), Intent::Nothing { .. }));
    assert_eq!(words(read_message(json!({"text": "/etc/hosts"}))).text, "/etc/hosts");
}

#[test]
fn nobody_else_s_words_count() {
    for foreign in [
        json!({"from": {"id": 5, "is_bot": false, "first_name": "Eve"}}),
        json!({"from": null}),
        json!({"from": {}}),
        json!({"from": {"id": "4242"}}),
        json!({"from": {"id": 4242, "is_bot": true}}),
        json!({"from": {"id": 1_087_968_824, "is_bot": true}, "sender_chat": {"id": -1001}}),
        json!({"from": {"id": 1_087_968_824, "is_bot": false}}),
        json!({"sender_chat": {"id": -1001}}),
        json!({"forward_origin": {"type": "user"}}),
        json!({"via_bot": {"id": 3}}),
        json!({"chat": {"id": -1002}}),
        json!({"chat": null}),
    ] {
        let mut with_text = foreign.clone();
        with_text["text"] = "yes".into();
        assert!(matches!(read_message(with_text), Intent::Foreign { .. }), "{foreign}");
    }
    let post = json!({"update_id": 1, "channel_post": message(json!({"text": "yes"}))});
    assert!(matches!(read(&post, &seat()), Intent::Foreign { .. }));
}

#[test]
fn an_empty_list_of_owners_is_nobody() {
    let update = json!({"update_id": 1, "message": message(json!({"text": "yes"}))});
    assert!(matches!(read(&update, &Seat { owners: Vec::new(), ..seat() }), Intent::Foreign { .. }));
}

#[test]
fn a_topic_made_by_the_bot_is_told_from_others() {
    let made = |from: i64| {
        let more = json!({"from": {"id": from, "is_bot": true}, "forum_topic_created": {"name": "Release?"}, "message_id": 7});
        read_message(more)
    };
    let name = "Release?".to_owned();
    assert_eq!(made(99), Intent::TopicCreated { thread: 7, name: name.clone(), by_bot: true });
    assert_eq!(made(4242), Intent::TopicCreated { thread: 7, name, by_bot: false });
}

#[test]
fn a_group_that_became_a_supergroup_is_followed() {
    assert_eq!(read_message(json!({"migrate_to_chat_id": -1009})), Intent::Migrated { to: -1009 });
    let new = json!({"chat": {"id": -1009}, "migrate_from_chat_id": -1001});
    assert_eq!(read_message(new), Intent::Migrated { to: -1009 });
    assert!(matches!(read_message(json!({"chat": {"id": -5}, "migrate_to_chat_id": -6})), Intent::Foreign { .. }));
}

#[test]
fn service_messages_and_own_messages_are_nothing() {
    for more in [
        json!({"forum_topic_edited": {}, "from": {"id": 99, "is_bot": true}}),
        json!({"pinned_message": {"text": "x"}}),
        json!({"new_chat_members": [{}]}),
        json!({"text": "x", "from": {"id": 99, "is_bot": true}}),
    ] {
        assert!(matches!(read_message(more.clone()), Intent::Nothing { .. }), "{more}");
    }
    assert!(matches!(read(&json!({"update_id": 1, "poll_answer": {}}), &seat()), Intent::Nothing { .. }));
}

#[test]
fn an_intent_in_a_log_shows_no_words_names_or_ids() {
    let intents = [
        read_message(json!({"text": "the words"})),
        read_message(json!({"text": "/cancel the words"})),
        read_message(json!({"from": {"id": 4242, "is_bot": true}, "text": "the words"})),
        press(json!({})),
    ];
    for intent in intents {
        let shown = format!("{intent:?}");
        for hidden in ["words", "Ada", "4242", "1001", "777", "9f3c"] {
            assert!(!shown.contains(hidden), "{shown}");
        }
    }
}

fn press(more: Value) -> Intent {
    let mut query = json!({
        "id": "777", "from": {"id": 4242, "is_bot": false, "first_name": "Ada"}, "data": "a:9f3c2a715be04d18:1",
        "message": {"message_id": 13, "date": 0, "chat": {"id": -1001}},
    });
    for (name, value) in more.as_object().unwrap() {
        query[name] = value.clone();
    }
    read(&json!({"update_id": 2, "callback_query": query}), &seat())
}

#[test]
fn a_press_of_an_owner_is_read_also_on_an_inaccessible_message() {
    let data = CallbackData { incarnation: Incarnation::parse("9f3c2a715be04d18").unwrap(), option: 1 };
    let author = "Ada".to_owned();
    let expected = Press { callback_id: "777".to_owned(), user: 4242, author, data: Ok(data), message_id: Some(13) };
    assert_eq!(press(json!({})), Intent::Press(expected));
}

#[test]
fn a_press_on_an_update_is_read_with_what_the_button_does() {
    let key = Incarnation::parse("9f3c2a715be04d18").unwrap();
    for (letter, mark) in [("r", Mark::Read), ("d", Mark::Dismiss)] {
        let button = UpdateButton { key: key.clone(), mark };
        let expected = UpdatePress { callback_id: "777".to_owned(), user: 4242, button, message_id: Some(13) };
        assert_eq!(press(json!({"data": format!("u:9f3c2a715be04d18:{letter}")})), Intent::UpdatePress(expected));
    }
    let stranger = press(json!({"data": "u:9f3c2a715be04d18:d", "from": {"id": 5}}));
    assert!(matches!(stranger, Intent::ForeignPress { .. }), "{stranger:?}");
}

#[test]
fn a_button_that_is_not_ours_still_gets_an_answer() {
    for data in [json!("x"), Value::Null, json!(5), json!("u:9f3c2a715be04d18:x"), json!("u:9f3c2a715be04d18:r ")] {
        match press(json!({"data": data})) {
            Intent::Press(press) => assert_eq!(press.data, Err(NotOurs)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_press_of_anybody_else_is_foreign_and_can_be_answered() {
    for more in [
        json!({"from": {"id": 5}}),
        json!({"from": null}),
        json!({"message": null}),
        json!({"message": {"chat": {"id": -5}}}),
        json!({"from": {"id": 4242, "is_bot": true}}),
    ] {
        match press(more.clone()) {
            Intent::ForeignPress { callback_id, .. } => assert_eq!(callback_id, "777"),
            other => panic!("{more}: {other:?}"),
        }
    }
}

const NAMES: [&str; 24] = [
    "update_id",
    "message",
    "edited_message",
    "callback_query",
    "from",
    "chat",
    "id",
    "text",
    "caption",
    "date",
    "data",
    "message_id",
    "message_thread_id",
    "is_topic_message",
    "is_bot",
    "photo",
    "forum_topic_created",
    "name",
    "migrate_to_chat_id",
    "migrate_from_chat_id",
    "forward_origin",
    "first_name",
    "edit_date",
    "media_group_id",
];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(vec![json!(-1001), json!(4242), json!(99), json!(0)]),
        ".{0,12}".prop_map(Value::from),
        prop::sample::select(vec![json!("/decline@x y"), json!("a:9f3c2a715be04d18:1"), json!("/")]),
    ];
    leaf.prop_recursive(5, 200, 8, |inner| {
        let name = prop_oneof![4 => prop::sample::select(&NAMES[..]).prop_map(str::to_owned), 1 => ".{0,5}"];
        let object = prop::collection::vec((name, inner.clone()), 0..8);
        prop_oneof![
            1 => prop::collection::vec(inner, 0..4).prop_map(Value::from),
            4 => object.prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_gives_an_intent(update in any_json()) {
        let _ = (read(&update, &seat()), update_id(&update));
    }

    #[test]
    fn any_message_of_a_stranger_is_never_an_answer(more in any_json(), text in ".{0,20}") {
        let mut fields = message(json!({"text": text}));
        for (name, value) in more.as_object().into_iter().flatten() {
            fields[name] = value.clone();
        }
        fields["from"] = json!({"id": 5, "is_bot": false});
        fields["chat"] = json!({"id": -1001});
        let intent = read(&json!({"update_id": 1, "message": fields}), &seat());
        let quiet = !matches!(intent, Intent::Text(_) | Intent::Command { .. } | Intent::NotText { .. } | Intent::Press(_));
        prop_assert!(quiet, "{:?}", intent);
    }
}

#[test]
fn of_an_owner_s_private_chat_only_commands_about_no_question_count() {
    let private = json!({"id": 4242, "type": "private"});
    for (text, expected) in
        [("/login", Command::Login), ("/open", Command::Open), ("/mute 2h", Command::Mute), ("/start", Command::Help)]
    {
        match read_message(json!({"chat": private, "text": text})) {
            Intent::PrivateCommand { command, at, .. } => assert_eq!((command, at.user), (expected, 4242)),
            other => panic!("{text}: {other:?}"),
        }
    }
    for foreign in [
        json!({"chat": private, "text": "hello"}),
        json!({"chat": private, "text": "/answer 9f3c2a yes"}),
        json!({"chat": private, "text": "/decline 9f3c2a"}),
        json!({"chat": private, "photo": [{}]}),
        json!({"chat": private, "text": "/login", "forward_origin": {"type": "user"}}),
        json!({"chat": {"id": 4242, "type": "group"}, "text": "/login"}),
        json!({"chat": {"id": 4243, "type": "private"}, "text": "/login"}),
        json!({"chat": {"id": -1009, "type": "supergroup"}, "text": "/login"}),
        json!({"chat": {"id": 5, "type": "private"}, "from": {"id": 5, "is_bot": false}, "text": "/login"}),
    ] {
        assert!(matches!(read_message(foreign.clone()), Intent::Foreign { .. }), "{foreign}");
    }
}

#[test]
fn in_a_private_chat_with_topics_the_topic_is_told_by_is_topic_message() {
    let seat = Seat { chat_id: 4242, ..seat() };
    let private = message(json!({"chat": {"id": 4242, "type": "private"}, "text": "x", "reply_to_message": null}));
    let text = words(read(&json!({"update_id": 1, "message": private}), &seat));
    assert_eq!(text.at.thread, Some(7));
}

#[test]
fn a_change_of_what_the_bot_is_counts_in_the_configured_chat_alone() {
    let changed =
        |chat: i64| json!({"update_id": 1, "my_chat_member": {"chat": {"id": chat}, "new_chat_member": {"status": "kicked"}}});
    assert_eq!(read(&changed(-1001), &seat()), Intent::BotChanged);
    assert!(matches!(read(&changed(-1002), &seat()), Intent::Nothing { .. }));
    assert!(matches!(read(&json!({"my_chat_member": 7}), &seat()), Intent::Nothing { .. }));
}
