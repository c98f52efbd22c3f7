//! A settled decision as an entry of the decision log: a page for people, in Markdown. Whatever an agent wrote stands in code
//! blocks that it cannot close, so that it forges no heading, no link and no HTML. Writing it is somebody else's business.

use std::fmt::Write as _;

use crate::text::reveal;
use crate::{Answer, Outcome, Purpose, Question, Reversibility};

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name of its file: `<date>-<id>.md`, the date that of the answer in UTC.
    pub name: String,
    /// The page, UTF-8 with a final newline.
    pub page: String,
}

/// The entry of a decision for which an option was chosen; None for everything else.
pub fn entry(question: &Question, answer: &Answer) -> Option<Entry> {
    Some(Entry { name: name(question, answer)?, page: page(question, answer, &answer.at.to_string()) })
}

/// The name of that entry's file.
pub fn name(question: &Question, answer: &Answer) -> Option<String> {
    if question.purpose != Purpose::Decision || answer.outcome != Outcome::Chosen {
        return None;
    }
    let at = answer.at.to_string();
    let date = at.split('T').next().unwrap_or_default();
    Some(format!("{date}-{}.md", question.id))
}

fn page(question: &Question, answer: &Answer, at: &str) -> String {
    let mut page = format!("# Decision `{}`\n\n", question.id);
    let mut fact = |name: &str, value: &str| {
        // Writing to a text cannot fail.
        let _ = writeln!(page, "- {name}: {value}");
    };
    let picked: Vec<&str> = answer.choice.as_deref().unwrap_or_default().split(',').collect();
    fact("Picked", &picked.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", "));
    fact("By", &by(answer));
    fact("At", at);
    fact("Asked by", &format!("`{}`, at {}", question.source.agent, question.asked_at));
    fact("Reversibility", reversibility(question));
    page.push_str("\n## Question\n\n");
    page.push_str(&block(&question.text));
    page.push_str("\n## Options\n");
    for option in &question.options {
        let marks = [
            (picked.contains(&option.id.as_str()), ", picked"),
            (question.recommended.as_ref() == Some(&option.id), ", recommended by the agent"),
        ];
        let marks: String = marks.iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| *mark).collect();
        let _ = write!(page, "\n### `{}`{marks}\n\n{}", option.id, block(&option.label));
        if let Some(detail) = &option.detail {
            let _ = write!(page, "\n{}", block(detail));
        }
    }
    page
}

fn by(answer: &Answer) -> String {
    let who =
        answer.by.id.as_deref().map_or_else(|| "nobody in particular".to_owned(), |id| format!("`{}`", id.replace('`', "'")));
    let place = answer.by.via.map(|via| format!(", {}", via.place())).unwrap_or_default();
    format!("{who}{place}")
}

fn reversibility(question: &Question) -> &'static str {
    match question.reversibility {
        Some(Reversibility::Reversible) => "reversible",
        Some(Reversibility::HardToReverse) => "hard to reverse",
        None => "unclassified",
    }
}

/// The text in a code block: its fence is longer than any row of backticks in it, and what is hidden is shown.
fn block(text: &str) -> String {
    let shown = reveal(text);
    let longest = shown.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{shown}\n{fence}\n")
}
