//! The history: ended records, newest end first, and the search in their words.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::readers::Readers;
use super::rows;
use crate::store::{HistoryPlace, InHistory, Stored};

const COLUMNS: &str = "SELECT questions.number, questions.ended_at, questions.record";

pub(super) async fn list(
    readers: &Readers,
    search: Option<&str>,
    limit: u32,
    after: Option<HistoryPlace>,
) -> Stored<Vec<InHistory>> {
    let HistoryPlace { ended_at, number } = after.unwrap_or(HistoryPlace { ended_at: i64::MAX, number: i64::MAX });
    let search = Search::of(search.unwrap_or_default());
    let Some(statement) = search.statement() else { return Ok(Vec::new()) };
    let first = match (&search.words, after) {
        (Some(_), Some(place)) => (place.ended_at << 20) | (place.number & 0xF_FFFF),
        (Some(_), None) => i64::MAX,
        (None, _) => ended_at,
    };
    let mut query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(first).bind(number).bind(&search.words).bind(limit);
    for run in &search.runs {
        query = query.bind(run);
    }
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(row).collect()
}

/// What is asked of the database for this text; None when nothing can be found.
#[cfg(test)]
pub(super) fn statement(search: &str) -> Option<String> {
    Search::of(search).statement()
}
/// What a person typed, as what can be looked for. No text is an error.
#[derive(Debug, Default, PartialEq, Eq)]
struct Search {
    /// For the index of words: all of them, each by its beginning.
    words: Option<String>,
    /// Runs of scripts that put no space between words: the index has none of theirs, so they are looked for in the records.
    runs: Vec<String>,
    /// There is something in it, and nothing that could be found.
    finds_nothing: bool,
}

/// The most words that are looked for; what a person typed behind them narrows nothing any more.
const MOST_WORDS: usize = 16;

impl Search {
    fn of(text: &str) -> Self {
        let mut search = Self::default();
        let mut phrases = Vec::new();
        let mut has_text = false;
        for part in text.split_whitespace().take(MOST_WORDS) {
            has_text = true;
            if part.chars().any(has_no_spaces) {
                // As it stands in a record, which is JSON.
                let quoted = serde_json::Value::from(part).to_string();
                search.runs.push(quoted[1..quoted.len() - 1].to_owned());
            } else if part.chars().any(char::is_alphanumeric) {
                // Inside quotes only a quote has a meaning, and U+0000 would be the end of it.
                phrases.push(format!("\"{}\"*", part.replace(['"', '\0'], " ")));
            }
        }
        search.finds_nothing = has_text && phrases.is_empty() && search.runs.is_empty();
        search.words = (!phrases.is_empty()).then(|| phrases.join(" "));
        search
    }

    /// None when nothing can be found.
    fn statement(&self) -> Option<String> {
        let within: String = (0..self.runs.len()).map(|index| format!(" AND instr(record, ?{}) > 0", index + 5)).collect();
        match &self.words {
            _ if self.finds_nothing => None,
            None => Some(format!(
                "{COLUMNS} FROM questions WHERE ended_at IS NOT NULL AND (ended_at, number) < (?1, ?2) AND ?3 IS NULL{within} \
                 ORDER BY ended_at DESC, number DESC LIMIT ?4"
            )),
            // The words' own numbers have the order of the list: see the schema.
            Some(_) => Some(format!(
                "{COLUMNS} FROM history_words CROSS JOIN questions ON questions.ended_at = history_words.rowid >> 20 \
                 AND questions.number & 1048575 = history_words.rowid & 1048575 \
                 WHERE history_words MATCH ?3 AND history_words.rowid < ?1 AND ?2 IS NOT NULL{within} \
                 ORDER BY history_words.rowid DESC LIMIT ?4"
            )),
        }
    }
}

/// Is it of a script that is written without spaces: Thai and its neighbours, Chinese, Japanese, Korean?
fn has_no_spaces(character: char) -> bool {
    matches!(character, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

fn row(row: &SqliteRow) -> Stored<InHistory> {
    let place = HistoryPlace { ended_at: row.try_get("ended_at")?, number: row.try_get("number")? };
    Ok(InHistory { record: rows::record(row)?, place })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_looked_for_by_their_beginnings_and_mean_nothing_else() {
        let words = |text: &str| Search::of(text).words;
        assert_eq!(words("deploy rel-42").as_deref(), Some(r#""deploy"* "rel-42"*"#));
        assert_eq!(words("a\" OR b* NEAR(c").as_deref(), Some(r#""a "* "OR"* "b*"* "NEAR(c"*"#));
        assert_eq!(words("  \n"), None);
    }

    #[test]
    fn runs_without_spaces_are_looked_for_as_they_stand_in_json() {
        let search = Search::of("リリース \"今日\" go");
        assert_eq!(search.runs, ["リリース", "\\\"今日\\\""]);
        assert_eq!(search.words.as_deref(), Some("\"go\"*"));
    }

    #[test]
    fn nothing_typed_finds_all_and_nothing_but_signs_finds_nothing() {
        assert_eq!(Search::of(" "), Search::default());
        assert!(Search::of("?! \"").finds_nothing);
    }
}
