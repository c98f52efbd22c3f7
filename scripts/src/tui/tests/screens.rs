//! What the screens look like.

use insta::assert_snapshot;
use serde_json::json;

use super::{Event, Stage, Stream, page};
use crate::tui::samples::{ended, question, update, with};
use crate::tui::wire::{Page, Question};

fn several() -> Vec<Question> {
    vec![
        with(
            "rel-1",
            json!({
                "text": "Release 2.4 now? The nightly tests passed, and the notes are written.", "reversibility": "hard_to_reverse",
                "waiting_on": "the deploy", "deadline": "2026-11-30T14:30:03Z", "header": "Release",
                "source": {"agent": "deployer", "run": "81", "task": "release-2.4", "project": "website", "seat_hint": null},
                "issue": {"tracker": "github", "key": "#12", "url": "https://github.example/12"},
                "delivery": {"state": "shown", "reason": null, "link": "https://t.me/c/1/2"},
            }),
        ),
        with(
            "port",
            json!({"text": "Which port?", "reversibility": null, "options": [], "purpose": "clarification", "asked_at": "2026-11-29T11:00:00Z"}),
        ),
        with(
            "long",
            json!({"text": "A question with a title that is much too long for one line of a list", "source": {"agent": "an-agent-with-a-long-name"}}),
        ),
    ]
}

#[test]
fn the_list_and_a_question_in_80_by_24() {
    assert_snapshot!(Stage::with(several()).screen(), @"
    ask inbox · 3 open                                                        ● live
    ── Open · 1 of 3 · ! hard to reverse · ? unclassified ──────────────────────────
    ▸! Release: Release 2.4 now? The nightly tests passed…  deployer           2 min
     ? Which port?                                          deployer             1 d
       A question with a title that is much too long for…   an-agent-with-a…   2 min
    ── Question ────────────────────────────────────────────────────────────────────
    Release
    Release 2.4 now? The nightly tests passed, and the notes are written.
    deployer · question · ! hard to reverse · 2 min ago (30 Nov 2026, 13:22)

    ( ) 1 ★ Yes, release
    ( ) 2 No
          The next window is on Monday
    ★ is what the agent would take

    Waits: the deploy
    Deadline: 30 Nov 2026, 14:30 (in 1 h 5 min), it stays open after that
    Issue: github #12 https://github.example/12
    From: project website · task release-2.4 · run 81
    Id: rel-1
    Shown: https://t.me/c/1/2


    1-2 choose  w words  d decline  c cancel  u updates  h history  ? help  q quit
    ");
}

#[test]
fn side_by_side_on_a_wide_terminal() {
    let mut stage = Stage::sized(several(), 130, 20);
    stage.presses("down");
    assert_snapshot!(stage.screen(), @"
    ask inbox · 3 open                                                                                                          ● live
    ── Open · 2 of 3 · ! hard to reverse · ? unclassifi… ── Question ─────────────────────────────────────────────────────────────────
     ! Release: Release 2.4 now? Th…  deployer     2 min Which port?
    ▸? Which port?                    deployer       1 d deployer · asks for your own words · ? unclassified · 1 d ago (29 Nov 2026,
       A question with a title that…  an-agent-…   2 min 11:00)

                                                         Id: port












    w words  d decline  c cancel  u updates  h history  ? help  q quit
    ");
}

#[test]
fn a_narrow_terminal() {
    let mut stage = Stage::sized(several(), 44, 14);
    stage.presses("2");
    assert_snapshot!(stage.screen(), @"
    ask inbox · 3 open                    ● live
    ── Open · 1 of 3 · ! hard to reverse · ? un…
    ▸! Release: Release 2.4 n…  deployer   2 min
     ? Which port?              deployer     1 d
       A question with a titl…  an-agen…   2 min
    ── Question · lines 1–6 of 19 · PgDn: more ─
    Release
    Release 2.4 now? The nightly tests passed,
    and the notes are written.
    deployer · question · ! hard to reverse · 2
    min ago (30 Nov 2026, 13:22)


    Enter sends: No · Esc takes it back
    ");
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    assert_snapshot!(Stage::sized(several(), 39, 12).screen(), @"
    This terminal has 39 × 12. ask inbox
    needs 40 × 10: make it larger, or use
    ask inbox --json. q leaves
    ");
}

#[test]
fn own_words() {
    let mut stage = Stage::with(several());
    stage.presses("down w");
    stage.types("8443,");
    stage.presses("enter");
    stage.types("behind the proxy");
    assert_snapshot!(stage.screen(), @"
    ask inbox · 3 open                                                        ● live
    ── Open · 2 of 3 · ! hard to reverse · ? unclassified ──────────────────────────
     ! Release: Release 2.4 now? The nightly tests passed…  deployer           2 min
    ▸? Which port?                                          deployer             1 d
       A question with a title that is much too long for…   an-agent-with-a…   2 min
    ── Your own words ──────────────────────────────────────────────────────────────
    Which port?
    22 of 1000 characters
    8443,
    behind the proxy













    Ctrl-D sends  Esc keeps it as a draft  Enter: new line
    ");
}

#[test]
fn updates_and_one_of_them() {
    let mut stage = Stage::sized(vec![], 80, 16);
    stage.gets(Event::Updates(Ok(Page { items: vec![update(2, "unread"), update(1, "read")], unreadable: 1, next: None })));
    stage.presses("u");
    assert_snapshot!(stage.screen(), @"
    ask inbox · 0 open · 1 unread update                                      ● live
    ── Updates ─────────────────────────────────────────────────────────────────────
    1 more that this version cannot show
    ▸ ● Nightly 2 finished                                    nightly            1 h
        Nightly 1 finished                                    nightly            1 h










    Enter reads  x dismisses  Esc back  r again  ? help  q quit
    ");
    stage.presses("enter");
    assert_snapshot!(stage.screen(), @"
    ask inbox · 0 open · 1 unread update                                      ● live
    ── Update ──────────────────────────────────────────────────────────────────────
    Nightly 2 finished
    nightly · 30 Nov 2026, 12:25

    All 1,204 tests passed.
    Took 31 minutes.

    The run: https://ci.example/runs/7
    How long it took: https://ci.example/plot.png
    Issue: https://github.example/12
    From: project website · run 7



    x dismisses  Esc back  PgDn/PgUp  ? help  q quit
    ");
}

#[test]
fn the_history() {
    let mut stage = Stage::sized(vec![question("rel-9")], 80, 14);
    stage.presses("h");
    let items =
        ["chosen", "own_words", "declined", "withdrawn", "defaulted"].map(|outcome| ended(&outcome.replace('_', "-"), outcome));
    stage.gets(Event::History(None, Ok(page(items.to_vec()))));
    stage.presses("down");
    assert_snapshot!(stage.screen(), @"
    ask inbox · 1 open                                                        ● live
    ── History ─────────────────────────────────────────────────────────────────────
      Release chosen now?       Answered: Yes, relea… telegram:4242 in Teleg…    now
    ▸ Release own-words now?    Answered in own word… telegram:4242 in Teleg…    now
      Release declined now?     Declined: the agent…  telegram:4242 in Teleg…    now
      Release withdrawn now?    The agent took it ba… agent:deployer over HT…    now
      Release defaulted now?    Nobody answered by 3… the deadline               now






    Enter shows  Esc back  r again  ? help  q quit
    ");
}

#[test]
fn the_help() {
    let mut stage = Stage::sized(vec![], 80, 20);
    stage.presses("?");
    assert_snapshot!(stage.screen(), @"
    ask inbox · 0 open                                                        ● live
    ── Help ────────────────────────────────────────────────────────────────────────
    ↑ ↓, j k   another question
    PgUp PgDn  scroll (Space and b too; Home and End: to its ends)
    1 – 4      choose; Enter sends it, Esc takes it back
    w          answer in own words; Ctrl-D sends, Esc keeps a draft
    d          decline: leave it to the agent (asks first)
    c          cancel: call the question off (asks first)
    u          updates; Enter reads one, x dismisses it
    h          history: what was answered, by whom, where
    r          read everything again
    q, Ctrl-C  leave
    !          hard to reverse
    ?          as a mark: nobody said how hard it is to reverse
    ★          what the agent would take
    ●          an unread update



    any key goes back
    ");
}

#[test]
fn nothing_to_do_and_no_connection() {
    let mut stage = Stage::sized(vec![], 60, 10);
    stage.hears_stream(Stream::Lost("gone".to_owned()));
    assert_snapshot!(stage.screen(), @"
    ask inbox · 0 open                           ○ no connection
    ── Open · ! hard to reverse · ? unclassified ───────────────

    ── Question ────────────────────────────────────────────────
    Nothing waits for you. A new question appears here by
    itself.



    u updates  h history  ? help  q quit
    ");
}

#[test]
fn wide_characters_and_hidden_ones() {
    let hostile = with(
        "cjk",
        json!({
            "text": "発売しますか？ 👩‍🚀🚀 すべての試験に合格し、リリースノートも書き終えました。今日公開してもよろしいですか", "recommended": "no",
            "options": [{"id": "yes", "label": "はい 👍"}, {"id": "no", "label": "a\u{202e}b\u{1b}[31m", "detail": "tab\there"}],
            "source": {"agent": "日本語のエージェント名がとても長い"}, "reversibility": "hard_to_reverse",
        }),
    );
    assert_snapshot!(Stage::sized(vec![hostile], 60, 18).screen(), @r"
    ask inbox · 1 open                                    ● live
    ── Open · 1 of 1 · ! hard to reverse · ? unclassified ──────
    ▸! 発売しますか？ 👩‍🚀🚀 すべての試験に…  日本語のエ…    2 min
    ── Question · lines 1–11 of 12 · PgDn: more ────────────────
    発売しますか？ 👩‍🚀🚀
    すべての試験に合格し、リリースノートも書き終えました。今日公
    開してもよろしいですか
    日本語のエージェント名がとても長い · question · ! hard to
    reverse · 2 min ago (30 Nov 2026, 13:22)

    ( ) 1 はい 👍
    ( ) 2 ★ a\u{202e}b\u{1b}[31m
          tab    here
    ★ is what the agent would take



    1-2 choose  w words  d decline  c cancel  u updates  h hist…
    ");
}

#[test]
fn colour_repeats_what_words_say_and_is_left_out_without_it() {
    let mut stage = Stage::with(several());
    let is_coloured = |stage: &Stage| stage.buffer().content.iter().any(|cell| cell.fg != ratatui::style::Color::Reset);
    assert!(!is_coloured(&stage));
    let plain = stage.screen();
    stage.inbox.has_colour = true;
    assert!(is_coloured(&stage));
    assert_eq!(stage.screen(), plain);
}
