//! Stores of every version that was ever released open with this one; a later one's does not.

use std::path::Path;

use pager_questions::EventId;
use sqlx::AssertSqlSafe;

use super::{OpenError, SqliteStore, place, raw, samples};
use crate::store::sqlite::migrate::{VERSIONS, run_versions};
use crate::store::{JobKind, JobState, RequestListing, Role, ShownUpdates, Store, UpdateListing, Write};

/// Rows as each version wrote them.
const SAMPLES: &[&str] = &[
    include_str!("../../migrations/samples/0001.sql"),
    include_str!("../../migrations/samples/0002.sql"),
    include_str!("../../migrations/samples/0003.sql"),
    include_str!("../../migrations/samples/0004.sql"),
    include_str!("../../migrations/samples/0005.sql"),
    include_str!("../../migrations/samples/0006.sql"),
    include_str!("../../migrations/samples/0007.sql"),
    include_str!("../../migrations/samples/0008.sql"),
    include_str!("../../migrations/samples/0009.sql"),
    include_str!("../../migrations/samples/0010.sql"),
    include_str!("../../migrations/samples/0011.sql"),
    include_str!("../../migrations/samples/0012.sql"),
    include_str!("../../migrations/samples/0013.sql"),
    include_str!("../../migrations/samples/0014.sql"),
    include_str!("../../migrations/samples/0015.sql"),
    include_str!("../../migrations/samples/0016.sql"),
    include_str!("../../migrations/samples/0017.sql"),
];

/// A store as the version of this index left it.
async fn old_store(path: &Path, index: usize) {
    let mut connection = raw(path).await;
    run_versions(path, &mut connection, &VERSIONS[..=index]).await.unwrap();
    sqlx::query("PRAGMA journal_mode = WAL").execute(&mut connection).await.unwrap();
    for sample in &SAMPLES[..=index] {
        sqlx::raw_sql(*sample).execute(&mut connection).await.unwrap();
    }
    sqlx::Connection::close(connection).await.unwrap();
}

#[test]
fn every_version_of_the_schema_has_sample_rows_and_numbers_rise() {
    assert_eq!(VERSIONS.len(), SAMPLES.len());
    assert!(VERSIONS.is_sorted_by(|(one, ..), (next, ..)| one < next));
}

#[tokio::test]
async fn the_rows_of_every_version_read_back() {
    for (index, (version, ..)) in VERSIONS.iter().enumerate() {
        let (path, _folder) = place();
        old_store(&path, index).await;
        let store = SqliteStore::open(&path).await.unwrap();
        assert_sample_reads_back(&store).await;
        let is_in_it = *version >= 3;
        let requests = store.requests(&RequestListing { limit: 9, ..RequestListing::default() }).await.unwrap();
        let titles: Vec<&str> = requests.iter().map(|listed| listed.request.title.as_str()).collect();
        assert_eq!(titles, ["Or rather on Monday", "Build this parser"][..if is_in_it { 2 } else { 0 }]);
        let files = store.event_files().await.unwrap();
        let refused: Vec<bool> = files.iter().map(|file| file.is_refused).collect();
        assert_eq!(refused, [false, true][..if *version >= 6 { 2 } else { 0 }]);
        let dispatch = store.next_dispatch(samples::time(2_000_000_000_000)).await.unwrap();
        let request = dispatch.map(|dispatch| (dispatch.kind.event_type(), dispatch.line, dispatch.attempts));
        assert_eq!(request, (*version >= 5).then(|| ("pager-text", "telegram:-1001".to_owned(), 2)));
        let told = store.happened_after(0, 99).await.unwrap();
        let kinds: Vec<&str> = told.iter().map(|happened| happened.kind.as_str()).collect();
        let expected = ["question.answering", "question.ended", "answer.shown", "question.changed"];
        assert_eq!(kinds.windows(4).any(|kinds| kinds == expected), *version >= 9, "{kinds:?}");
        let replied: Vec<bool> = requests.iter().map(|listed| listed.answered_at.is_some()).collect();
        let replies = match requests.iter().find(|listed| listed.answered_at.is_some()) {
            Some(listed) => store.replies(&listed.request.id).await.unwrap(),
            None => Vec::new(),
        };
        assert_eq!((replied.contains(&true), replies.len()), (*version >= 14, usize::from(*version >= 14)));
        for listed in requests.iter().filter(|_| *version < 14) {
            assert!(
                store.is_used(&listed.request.id.thread().question()).await.unwrap(),
                "requests and questions share their ids"
            );
        }
        assert_control_reads_back(&store, *version >= 4).await;
        assert_updates_read_back(&store, *version >= 8).await;
        assert_window_reads_back(&store, *version >= 7).await;
        assert_gates_read_back(&store, *version >= 10).await;
        assert_kept_has_an_age(&store, *version >= 13).await;
        let reminded = store.record(&samples::id("keep-logs")).await.unwrap().and_then(|record| record.reminded_at);
        assert_eq!(reminded.is_some(), *version >= 16);
        assert_eq!(store.next_reminder(samples::time(0)).await.unwrap(), None, "it was reminded, or has no deadline");
    }
}

async fn assert_control_reads_back(store: &dyn Store, is_in_it: bool) {
    let event = EventId::parse("0198f2c4-7d5e-7c11-a2b0-9a1f1f7e0c55").unwrap();
    let handled = store.control_event(&event).await.unwrap();
    assert_eq!(handled.map(|event| (event.digest, event.status)), is_in_it.then(|| ("b0d1".to_owned(), 201)));
    assert_eq!(store.control_proof("jti:1").await.unwrap(), is_in_it.then(|| event.clone()));
    let early = store.early_withdrawal(&samples::agent("control"), &samples::id("not-yet"), samples::time(0)).await.unwrap();
    assert_eq!(early.map(|early| early.reason), is_in_it.then(|| Some("solved".to_owned())));
    let record = store.record(&samples::id("from-afar")).await.unwrap();
    assert_eq!(record.map(|record| record.question.source.agent), is_in_it.then(|| samples::agent("control/ci")));
}

async fn assert_updates_read_back(store: &dyn Store, is_in_it: bool) {
    let listing = UpdateListing { source: None, shown: ShownUpdates::All, limit: 9, after: None };
    let updates = store.updates(&listing).await.unwrap();
    let read: Vec<(&str, &str)> =
        updates.iter().map(|listed| (listed.update.title.as_str(), listed.update.state.name())).collect();
    assert_eq!(read, [("Released 2.4", "unread"), ("Nightly build", "dismissed")][..if is_in_it { 2 } else { 0 }]);
    let published = store.published_update(&samples::agent("deploy"), "pub-7").await.unwrap();
    assert_eq!(published.map(|update| update.links.len()), is_in_it.then_some(1));
}

async fn assert_window_reads_back(store: &dyn Store, is_in_it: bool) {
    let used = store.used_key("token:desk", "k-1").await.unwrap();
    assert_eq!(used.map(|key| key.digest), is_in_it.then(|| "d1f7".to_owned()));
    // Ends of before are found by their words, too.
    for (search, found) in
        [("yes release", vec!["rel-42"]), ("grosse", vec![]), ("größe", if is_in_it { vec!["long-ago"] } else { vec![] })]
    {
        let list = store.history(Some(search), 9, None).await.unwrap();
        let ids: Vec<&str> = list.iter().map(|listed| listed.record.question.id.as_str()).collect();
        assert_eq!(ids, found, "{search}");
    }
    let beyond = store.forgettable(samples::time(2_000_000_000_000), samples::time(0), 9).await.unwrap();
    assert_eq!(beyond.len(), usize::from(is_in_it));
}

async fn assert_gates_read_back(store: &dyn Store, is_in_it: bool) {
    let gates = store.gates(Some(&samples::agent("builder")), "r-7", 9).await.unwrap();
    let spent: Vec<_> = gates.iter().map(|gate| (gate.question.id.as_str(), gate.spent_at.is_some())).collect();
    assert_eq!(spent, [("merge-7", true)][..usize::from(is_in_it)]);
    let bound = store.token("00dd").await.unwrap().and_then(|token| token.project);
    assert_eq!(bound.as_deref(), is_in_it.then_some("website"));
}

async fn assert_kept_has_an_age(store: &dyn Store, is_in_it: bool) {
    let forget = |prefix| vec![Write::ForgetKept { prefix, before: samples::time(1001) }];
    assert_eq!(store.kept("text:-1001:9").await.unwrap().is_some(), is_in_it);
    store.commit(forget("text:")).await.unwrap();
    assert_eq!(store.kept("text:-1001:9").await.unwrap(), None);
    if !is_in_it {
        store.commit(forget("telegram.")).await.unwrap();
        assert!(store.kept("telegram.offset").await.unwrap().is_some(), "the age of older rows counts from the migration");
    }
}

async fn assert_sample_reads_back(store: &dyn Store) {
    let open = store.open(10, None).await.unwrap();
    assert_eq!(open.iter().map(|listed| listed.record.question.id.as_str()).collect::<Vec<_>>(), ["keep-logs"]);
    assert!(open[0].cursor.hard);
    let answered = store.record(&samples::id("rel-42")).await.unwrap().unwrap();
    let answer = answered.answer().unwrap();
    assert_eq!((answer.answer.as_deref(), answered.revision), (Some("Yes, release"), 3));
    assert_eq!(answer.at.to_string(), "2026-11-30T13:25:03.120Z");
    let pending = store.pending_like(&samples::agent("deploy"), "5f1d").await.unwrap().unwrap();
    assert_eq!(pending.question.id.as_str(), "which-port");
    assert_eq!(store.answering().await.unwrap(), [pending]);
    let published = store.published(&samples::agent("deploy"), "pub-1").await.unwrap().unwrap();
    assert_eq!(published.question.id.as_str(), "rel-42");
    for (id, used) in [("rel-42", true), ("long-gone", true), ("never", false)] {
        assert_eq!(store.is_used(&samples::id(id)).await.unwrap(), used, "{id}");
    }
    let incarnation = &open[0].record.question.incarnation;
    let jobs = store.jobs_of(incarnation).await.unwrap();
    assert_eq!(jobs.iter().map(|job| job.state).collect::<Vec<_>>(), [JobState::Attempting, JobState::Failed]);
    assert_eq!(jobs[0].kind, JobKind::SendQuestion { thread: 77 });
    assert_eq!(store.place_in(-1001, 77).await.unwrap().unwrap().incarnation, *incarnation);
    let updates = store.unhandled_updates(9).await.unwrap();
    assert_eq!(updates.iter().map(|update| (update.id, update.tries)).collect::<Vec<_>>(), [(502, 1)]);
    let mut tokens = store.tokens().await.unwrap();
    tokens.retain(|token| token.id != "t-bound");
    assert_eq!(
        tokens.iter().map(|token| (token.id.as_str(), token.role)).collect::<Vec<_>>(),
        [("t-owner", Role::Owner), ("t-agent", Role::Agent), ("t-old", Role::Agent)]
    );
    assert!(store.token("00aa").await.unwrap().is_some() && store.token("00cc").await.unwrap().is_none());
    assert_eq!(store.session("5e55", samples::time(0)).await.unwrap().unwrap().csrf, "form");
    assert!(store.login_link("11aa", samples::time(0)).await.unwrap().is_some());
    assert!(store.login_link("11bb", samples::time(0)).await.unwrap().is_none(), "spent");
    assert_eq!(store.kept("telegram.offset").await.unwrap().as_deref(), Some("503"));
}

#[tokio::test]
async fn a_store_of_a_later_version_is_refused_and_left_alone() {
    let (path, _folder) = place();
    old_store(&path, VERSIONS.len() - 1).await;
    let mut connection = raw(&path).await;
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (99, 'later', 1, x'00', 0)";
    sqlx::query(AssertSqlSafe(later)).execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let before = std::fs::read(&path).unwrap();
    let refusal = SqliteStore::open(&path).await.err().unwrap();
    assert!(matches!(refusal, OpenError::Newer { found: 99, .. }), "{refusal:?}");
    assert!(refusal.to_string().contains("use that version or a later one"), "{refusal}");
    assert!(std::fs::read(&path).unwrap() == before);
}

#[tokio::test]
async fn a_store_whose_schema_was_made_by_other_statements_is_refused() {
    let (path, _folder) = place();
    old_store(&path, 0).await;
    let mut connection = raw(&path).await;
    sqlx::query("UPDATE _sqlx_migrations SET checksum = x'00'").execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let refusal = SqliteStore::open(&path).await.err().unwrap();
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{refusal:?}");
}
