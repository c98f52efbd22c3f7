//! Entries of the decision log: what they say, and that nothing an agent writes gets out of its block.

use pager_questions::apply::Resolution;
use pager_questions::decision_log::entry;
use pager_questions::{Answer, Purpose, Question, QuestionOption, Record, Reversibility};
use proptest::prelude::*;

use super::samples::{after, claim, claim_of, option_id, question};

fn decision(text: &str, options: &[(&str, &str, &str)]) -> Question {
    let option = |(id, label, detail): &(&str, &str, &str)| QuestionOption {
        id: option_id(id),
        label: (*label).to_owned(),
        detail: Some((*detail).to_owned()),
    };
    Question {
        purpose: Purpose::Decision,
        text: text.to_owned(),
        options: options.iter().map(option).collect(),
        recommended: Some(option_id(options[0].0)),
        reversibility: Some(Reversibility::HardToReverse),
        ..question()
    }
}

fn answered(question: &Question, resolution: Resolution) -> Answer {
    claim_of(&after(&Record::asked(question.clone()), claim(resolution, None))).answer.clone()
}

fn picks(question: &Question, id: &str) -> Answer {
    answered(question, Resolution::Chosen(vec![option_id(id)]))
}

#[test]
fn an_entry_says_what_was_picked_by_whom_when_and_what_it_costs() {
    let asked =
        decision("Which store?", &[("sqlite", "SQLite", "one file, no server"), ("pg", "PostgreSQL", "several machines")]);
    let entry = entry(&asked, &picks(&asked, "pg")).unwrap();
    assert_eq!(entry.name, "2026-11-30-rel-42.md");
    let expected = "# Decision `rel-42`\n\n- Picked: `pg`\n- By: `telegram:4242`, in Telegram\n- At: 2026-11-30T13:25:03.120Z\n\
        - Asked by: `deploy`, at 2026-11-30T13:22:15.004Z\n- Reversibility: hard to reverse\n\n## Question\n\n```text\nWhich store?\n```\n\n\
        ## Options\n\n### `sqlite`, recommended by the agent\n\n```text\nSQLite\n```\n\n```text\none file, no server\n```\n\n\
        ### `pg`, picked\n\n```text\nPostgreSQL\n```\n\n```text\nseveral machines\n```\n";
    assert_eq!(entry.page, expected);
}

#[test]
fn only_a_decision_that_was_taken_has_an_entry() {
    let asked = decision("Which store?", &[("a", "A", "x"), ("b", "B", "y")]);
    assert_eq!(entry(&asked, &answered(&asked, Resolution::Declined)), None);
    let plain = Question { purpose: Purpose::Question, ..asked.clone() };
    assert_eq!(entry(&plain, &picks(&plain, "a")), None);
    assert!(entry(&asked, &picks(&asked, "a")).is_some());
}

/// The lines outside code blocks, and what the blocks hold, as CommonMark reads them.
fn read(page: &str) -> (Vec<&str>, Vec<String>) {
    let (mut outside, mut blocks) = (Vec::new(), Vec::new());
    let mut open: Option<(usize, Vec<&str>)> = None;
    for line in page.split(['\n', '\r']) {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let ticks = line.trim_start_matches(' ').chars().take_while(|character| *character == '`').count();
        let behind = line.trim_start_matches(' ').trim_start_matches('`').trim();
        match &mut open {
            Some((fence, lines)) if indent < 4 && ticks >= *fence && behind.is_empty() => {
                blocks.push(lines.join("\n"));
                open = None;
            }
            Some((_, lines)) => lines.push(line),
            None if indent < 4 && ticks >= 3 => open = Some((ticks, Vec::new())),
            None => outside.push(line),
        }
    }
    assert!(open.is_none(), "a block is left open");
    (outside, blocks)
}

fn hostile() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "`",
        "```",
        "````\n",
        "\n",
        "\r",
        "\r\n",
        "~~~",
        "# ",
        "\n# Decision",
        "<script>",
        "[x](http://evil.example)",
        "    ",
        "a",
        "\t",
        "![x](y)",
        "\u{202e}",
        "\u{0b}",
        "\u{2028}",
        "---\n",
        "\n===\n",
        "- By: `telegram:1`",
        "<!--",
        "&lt;",
    ]);
    prop::collection::vec(parts, 1..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn nothing_that_an_agent_writes_leaves_its_block(text in hostile(), label in hostile(), detail in hostile()) {
        let asked = decision(&text, &[("a", &label, &detail), ("b", "B", "y")]);
        let tame = decision("x", &[("a", "A", "x"), ("b", "B", "y")]);
        let page = entry(&asked, &picks(&asked, "a")).unwrap().page;
        let expected = entry(&tame, &picks(&tame, "a")).unwrap().page;
        let (outside, blocks) = read(&page);
        prop_assert_eq!(outside, read(&expected).0);
        let shown = |text: &str| pager_questions::text::reveal(text);
        prop_assert_eq!(blocks, [shown(&text), shown(&label), shown(&detail), "B".to_owned(), "y".to_owned()]);
    }
}
