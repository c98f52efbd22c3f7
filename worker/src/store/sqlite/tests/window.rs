//! The counts of the window against counting anew, whatever happens; and that no list scans the table.

use std::collections::BTreeMap;

use pager_questions::{Record, State};
use proptest::prelude::*;
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::samples::{agent, change, claimed, job, record, saved, time, withdrawn};
use super::{SqliteStore, place, raw};
use crate::store::{Job, JobKind, Limits, Mailbox, SETTLED_THAT_STAY, Store, StoreError, Write};

const LIMITS: Limits = Limits { records: 40, bytes: 30_000 };

/// What may happen to a question, which is one of a few of a few sources.
#[derive(Debug, Clone)]
enum Step {
    Ask { source: usize, words: usize },
    Answer { which: usize },
    Withdraw { which: usize },
    AddJob { which: usize },
    FinishJob { which: usize },
    Forget,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..3_usize, 1..900_usize).prop_map(|(source, words)| Step::Ask { source, words }),
        4 => (0..400_usize).prop_map(|which| Step::Answer { which }),
        2 => (0..400_usize).prop_map(|which| Step::Withdraw { which }),
        1 => (0..400_usize).prop_map(|which| Step::AddJob { which }),
        1 => (0..400_usize).prop_map(|which| Step::FinishJob { which }),
        1 => Just(Step::Forget),
    ]
}

/// The store, and what was asked in it as it is by now.
struct Model {
    store: SqliteStore,
    connection: SqliteConnection,
    records: Vec<Record>,
    held: BTreeMap<usize, bool>,
    asked: usize,
}

type Counts = Vec<(String, i64, i64, i64)>;

impl Model {
    async fn counted(&mut self) -> Counts {
        let query = "SELECT agent, live, settled, bytes FROM windows WHERE live > 0 ORDER BY agent";
        sqlx::query_as(query).fetch_all(&mut self.connection).await.unwrap()
    }

    async fn recounted(&mut self) -> Counts {
        let query = "SELECT agent, count(*), count(ended_at), sum(length(CAST(record AS BLOB))) FROM questions \
             WHERE in_window = 1 GROUP BY agent ORDER BY agent";
        sqlx::query_as(query).fetch_all(&mut self.connection).await.unwrap()
    }

    /// Those of a source that can make no room: `(records, bytes)`.
    fn unmovable(&self, source: &str) -> (usize, usize) {
        let of_source = self.records.iter().enumerate().filter(|(_, record)| record.question.source.agent.as_str() == source);
        let stays = of_source.filter(|(index, record)| !record.is_over() || self.held.get(index).copied().unwrap_or(false));
        stays.fold((0, 0), |(count, bytes), (_, record)| (count + 1, bytes + size(record)))
    }

    async fn take(&mut self, step: &Step) {
        match *step {
            Step::Ask { source, words } => self.ask(["ada", "bob", "zoe"][source], words).await,
            Step::Answer { which } => {
                let Some((index, open)) = self.nth(which, |record| matches!(record.state, State::Open { .. })) else { return };
                let claim = claimed(&open, "So be it.", 2000 + i64::try_from(index).unwrap());
                let end = saved(&claim);
                self.store.commit(vec![change(&claim, 1), change(&end, 2)]).await.unwrap();
                self.records[index] = end;
            }
            Step::Withdraw { which } => {
                let Some((index, open)) = self.nth(which, |record| matches!(record.state, State::Open { .. })) else { return };
                let end = withdrawn(&open);
                self.store.commit(vec![change(&end, 1)]).await.unwrap();
                self.records[index] = end;
            }
            Step::AddJob { which } => {
                let Some((index, record)) = self.nth(which, |record| !record.is_over()) else { return };
                let incarnation = Some(record.question.incarnation.clone());
                let job = Job { incarnation, kind: JobKind::EditQuestion, ..job(&format!("j-{index}"), 1, 0) };
                self.store.commit(vec![Write::AddJob(job)]).await.unwrap();
                self.held.insert(index, true);
            }
            Step::FinishJob { which } => {
                let Some((&index, _)) = self.held.iter().nth(which % self.held.len().max(1)) else { return };
                self.store.commit(vec![Write::FinishJob { job: format!("j-{index}") }]).await.unwrap();
                self.held.remove(&index);
            }
            Step::Forget => {
                let old = self.store.forgettable(time(4_000_000_000_000), time(0), 3).await.unwrap();
                self.store.commit(old.into_iter().map(Write::ForgetRecord).collect()).await.unwrap();
            }
        }
    }

    async fn ask(&mut self, source: &str, words: usize) {
        self.asked += 1;
        let asked = record(&format!("q-{}", self.asked), |question| {
            question.source.agent = agent(source);
            question.text = "ü".repeat(words);
        });
        let write =
            Write::Create { record: Box::new(asked.clone()), fingerprint: String::new(), is_unnamed: false, limits: LIMITS };
        let (records, bytes) = self.unmovable(source);
        let fits = records < LIMITS.records as usize && bytes + size(&asked) <= LIMITS.bytes as usize;
        match self.store.commit(vec![write]).await {
            Ok(()) => {
                assert!(fits, "{records} records and {bytes} bytes of {source} cannot leave");
                self.records.push(asked);
            }
            Err(StoreError::Full(_)) => assert!(!fits, "{records} records and {bytes} bytes of {source} leave room"),
            Err(other) => panic!("{other}"),
        }
    }

    fn nth(&self, which: usize, fits: impl Fn(&Record) -> bool) -> Option<(usize, Record)> {
        let fitting: Vec<usize> = (0..self.records.len()).filter(|index| fits(&self.records[*index])).collect();
        let index = *fitting.get(which % fitting.len().max(1))?;
        Some((index, self.records[index].clone()))
    }
}

fn size(record: &Record) -> usize {
    serde_json::to_string(record).unwrap().len() + 100
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn what_is_counted_is_what_is_there_and_only_what_fits_is_stored(steps in proptest::collection::vec(step(), 150)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            let (path, _folder) = place();
            let store = SqliteStore::open(&path).await.unwrap();
            let connection = raw(&path).await;
            let mut model = Model { store, connection, records: Vec::new(), held: BTreeMap::new(), asked: 0 };
            for step in &steps {
                model.take(step).await;
                let counted = model.counted().await;
                assert_eq!(counted, model.recounted().await, "after {step:?}");
                for (_, live, settled, _) in counted {
                    let held = i64::try_from(model.held.len()).unwrap();
                    assert!(live <= i64::from(LIMITS.records), "{live} live after {step:?}");
                    assert!(settled <= i64::from(SETTLED_THAT_STAY) + held, "{settled} settled after {step:?}");
                }
            }
        });
    }
}

#[tokio::test]
async fn every_list_walks_an_index() {
    let (path, _folder) = place();
    let store = SqliteStore::open(&path).await.unwrap();
    // The statements are those of the store itself, as it sends them.
    for (source, state) in [
        (None, None),
        (None, Some("open")),
        (None, Some("answering")),
        (None, Some("declined")),
        (Some("ada"), None),
        (Some("ada"), Some("open")),
        (Some("ada"), Some("declined")),
    ] {
        let mailbox = Mailbox { source: source.map(agent), state: state.map(str::to_owned), limit: 50, after: None };
        store.mailbox(&mailbox).await.unwrap();
        let plan = plan(&path, &super::super::mailbox::statement(&mailbox)).await;
        assert!(plan.contains("USING INDEX questions_"), "{source:?} {state:?}: {plan}");
        assert_eq!(plan.contains("questions_mailbox_ended"), state == Some("declined"), "{source:?}: {plan}");
        // Those of one source that are pending are few: its limit says how many.
        let is_few = source.is_some() && state == Some("open");
        assert!(is_few || !plan.contains("TEMP B-TREE"), "{source:?} {state:?}: {plan}");
    }
    for search in [None, Some("go"), Some("リリース")] {
        let plan = plan(&path, &super::super::history::statement(search.unwrap_or_default()).unwrap()).await;
        assert!(!plan.contains("TEMP B-TREE") && !plan.contains("SCAN questions "), "{search:?}: {plan}");
        let is_unspaced = search == Some("リリース");
        assert_eq!(plan.contains("questions_unspaced"), is_unspaced, "{search:?}: {plan}");
    }
}

pub(super) async fn plan(path: &std::path::Path, statement: &str) -> String {
    let mut connection = raw(path).await;
    let query = sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}")));
    let rows: Vec<(i64, i64, i64, String)> = query.fetch_all(&mut connection).await.unwrap();
    rows.into_iter().map(|(.., detail)| format!("{detail} \n")).collect()
}
