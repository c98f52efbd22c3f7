//! Every question that ended, newest end first, to be searched; and of them the decisions, with what was weighed.

use askama::Template;
use axum::Extension;
use axum::extract::{self, Query};
use axum::http::StatusCode;
use axum::response::Response;
use pager_answers::EntryName;
use pager_questions::{Purpose, Record, State, decision_log};
use serde::Deserialize;
use url::form_urlencoded;

use super::Site;
use super::about::About;
use super::card::Card;
use super::over::Over;
use super::pages::{Problem, page};
use super::session::Visitor;
use super::shell::{Place, Shell};
use super::shown::Shown;
use crate::http::Shared;
use crate::http::cursors;
use crate::store::{HistoryPlace, Store, StoreError};

/// The most rows of one page.
const MOST: usize = 50;

/// How many ended questions are looked through for the decisions of one page.
const LOOKED_THROUGH: u32 = 1000;

/// The address of these pages.
#[derive(Debug, Default, Deserialize)]
pub struct Looking {
    /// Words that are searched for.
    #[serde(default)]
    q: String,
    /// Where the page begins.
    after: Option<String>,
}

#[derive(Template)]
#[template(path = "history.html")]
struct HistoryPage {
    shell: Shell,
    search: Shown,
    ended: Vec<Over>,
    newest: Option<String>,
    older: Option<String>,
}

#[derive(Template)]
#[template(path = "decisions.html")]
struct DecisionsPage {
    shell: Shell,
    decisions: Vec<Decision>,
    newest: Option<String>,
    older: Option<String>,
}

/// A decision that was made, or ended otherwise.
struct Decision {
    card: Card,
    over: Over,
    /// The path of its entry in the decision log.
    entry: Option<String>,
}

/// `GET /history`.
pub async fn show(
    visitor: Visitor,
    extract::State(shared): extract::State<Shared>,
    Extension(site): Extension<Site>,
    Query(looking): Query<Looking>,
) -> Result<Response, Problem> {
    let gathered = history(&shared, &site, &visitor, &looking).await;
    Ok(page(StatusCode::OK, &gathered.map_err(|error| Problem::unavailable(&error))?))
}

/// `GET /decisions`.
pub async fn decisions(
    visitor: Visitor,
    extract::State(shared): extract::State<Shared>,
    Extension(site): Extension<Site>,
    Query(looking): Query<Looking>,
) -> Result<Response, Problem> {
    let gathered = decided(&shared, &site, &visitor, &looking).await;
    Ok(page(StatusCode::OK, &gathered.map_err(|error| Problem::unavailable(&error))?))
}

async fn history(shared: &Shared, site: &Site, visitor: &Visitor, looking: &Looking) -> Result<HistoryPage, StoreError> {
    let store = shared.service.store.as_ref();
    let shell = Shell::gather(store, visitor, Place::History).await?;
    let search = Some(looking.q.trim()).filter(|search| !search.is_empty());
    let after = looking.after.as_deref().and_then(cursors::read);
    let mut found = store.history(search, u32::try_from(MOST + 1).unwrap_or(u32::MAX), after).await?;
    let has_more = found.len() > MOST;
    found.truncate(MOST);
    let last = found.last().filter(|_| has_more).map(|last| last.place);
    let mut ended = Vec::with_capacity(found.len());
    for found in &found {
        if let Some(over) = Over::of(&found.record, &site.zone) {
            let about = About::of(store, found.record.question.about.as_ref()).await?;
            ended.push(Over { about, ..over });
        }
    }
    Ok(HistoryPage {
        shell,
        search: Shown::of(search.unwrap_or_default()),
        ended,
        newest: after.is_some().then(|| address(Place::History, search, None)),
        older: last.map(|last| address(Place::History, search, Some(&last))),
    })
}

async fn decided(shared: &Shared, site: &Site, visitor: &Visitor, looking: &Looking) -> Result<DecisionsPage, StoreError> {
    let store = shared.service.store.as_ref();
    let shell = Shell::gather(store, visitor, Place::Decisions).await?;
    let after = looking.after.as_deref().and_then(cursors::read);
    let (found, last) = find_decisions(store, after).await?;
    let decision = |record: &Record| {
        let over = Over::of(record, &site.zone)?;
        Some(Decision { card: Card::whole(record, &site.zone), over, entry: entry(record) })
    };
    Ok(DecisionsPage {
        shell,
        decisions: found.iter().filter_map(decision).collect(),
        newest: after.is_some().then(|| address(Place::Decisions, None, None)),
        older: last.map(|last| address(Place::Decisions, None, Some(&last))),
    })
}

/// Where the decision log has it. What was declined or called off is no decision, and stands in no log.
fn entry(record: &Record) -> Option<String> {
    let State::Ended { answer, .. } = &record.state else { return None };
    let name = EntryName::new(&decision_log::name(&record.question, answer)?).ok()?;
    Some(name.to_string())
}

/// Looks through so many of what ended; where there is more, also where the next page begins.
async fn find_decisions(
    store: &dyn Store,
    after: Option<HistoryPlace>,
) -> Result<(Vec<Record>, Option<HistoryPlace>), StoreError> {
    let ended = store.history(None, LOOKED_THROUGH, after).await?;
    let mut last = ended.last().map(|ended| ended.place).filter(|_| ended.len() >= LOOKED_THROUGH as usize);
    let mut found = Vec::new();
    for ended in ended {
        if ended.record.question.purpose != Purpose::Decision {
            continue;
        }
        let place = ended.place;
        found.push(ended.record);
        if found.len() == MOST {
            last = Some(place);
            break;
        }
    }
    Ok((found, last))
}

fn address(place: Place, search: Option<&str>, after: Option<&HistoryPlace>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(search.map(|search| ("q", search)));
    query.extend_pairs(after.map(|after| ("after", cursors::write(after))));
    let query = query.finish();
    if query.is_empty() { place.path().to_owned() } else { format!("{}?{query}", place.path()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_keeps_what_is_searched_for() {
        assert_eq!(address(Place::History, None, None), "/history");
        assert_eq!(address(Place::History, Some("a&b c"), None), "/history?q=a%26b+c");
        let after = HistoryPlace { ended_at: 5, number: 7 };
        let next = address(Place::History, Some("x"), Some(&after));
        assert_eq!(next, format!("/history?q=x&after={}", cursors::write(&after)));
    }
}
