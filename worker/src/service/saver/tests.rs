//! The saver with a keeper that does as the test says, on a clock that stands still until everybody waits.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use pager_answers::{EntryName, KeeperError};
use pager_questions::Incarnation;
use pager_questions::apply::apply;
use tokio::sync::Notify;

use super::*;
use crate::store::StoreError;
use crate::store::conformance::samples::{claimed, plain};

/// What the keeper does with one call.
enum Reply {
    /// This becomes of each, in the order of the batch; what is missing is saved.
    These(Vec<SaveOutcome>),
    /// Nothing is known of any.
    Silent(Option<Duration>),
    /// It never replies.
    Hang,
}

/// A keeper that follows a script, and then saves everything.
#[derive(Default)]
struct Scripted {
    script: Mutex<VecDeque<Reply>>,
    calls: Mutex<Vec<(Instant, Vec<String>)>>,
    called: Notify,
    /// What reading a path brings, one by one; then nothing is there.
    reads: Mutex<VecDeque<Result<Option<Vec<u8>>, KeeperError>>>,
}

fn saved() -> SaveOutcome {
    SaveOutcome::Saved { commit: "c0ffee".to_owned() }
}

fn unknown(pause: Option<Duration>) -> SaveOutcome {
    SaveOutcome::Unknown { reason: "no route".to_owned(), pause }
}

impl Scripted {
    /// The call of this number, from 1: since when the first one it came, and which ids it had.
    async fn call(&self, number: usize) -> (Duration, Vec<String>) {
        loop {
            let called = self.called.notified();
            {
                let calls = self.calls.lock().unwrap();
                if let (Some(first), Some((at, ids))) = (calls.first(), calls.get(number - 1)) {
                    return (*at - first.0, ids.clone());
                }
            }
            called.await;
        }
    }
}

#[async_trait]
impl Keeper for Scripted {
    async fn save(&self, batch: Vec<AnswerFile>) -> Vec<SaveOutcome> {
        let ids = batch.iter().map(|file| file.path.id().to_owned()).collect();
        self.calls.lock().unwrap().push((Instant::now(), ids));
        self.called.notify_waiters();
        let reply = self.script.lock().unwrap().pop_front();
        match reply {
            None => vec![saved(); batch.len()],
            Some(Reply::These(mut outcomes)) => {
                outcomes.resize(batch.len(), saved());
                outcomes
            }
            Some(Reply::Silent(pause)) => vec![unknown(pause); batch.len()],
            Some(Reply::Hang) => std::future::pending().await,
        }
    }

    async fn read(&self, _: &AnswerPath) -> Result<Option<Vec<u8>>, KeeperError> {
        self.reads.lock().unwrap().pop_front().unwrap_or(Ok(None))
    }

    async fn lacks(&self, _: Vec<EntryName>) -> Result<Vec<EntryName>, KeeperError> {
        Ok(Vec::new())
    }

    async fn holds(&self, _: &AnswerPath) -> Result<bool, KeeperError> {
        Ok(false)
    }

    async fn list(&self) -> Result<Vec<String>, KeeperError> {
        Ok(Vec::new())
    }

    async fn live(&self) -> Result<Vec<String>, KeeperError> {
        Ok(Vec::new())
    }

    async fn archive(&self, _: Vec<AnswerPath>) -> Result<(), KeeperError> {
        Ok(())
    }

    async fn head(&self) -> Result<Option<String>, KeeperError> {
        Ok(None)
    }

    async fn check(&self) -> Result<(), KeeperError> {
        Ok(())
    }

    async fn prove(&self) -> Result<String, KeeperError> {
        Ok(String::new())
    }
}

/// The records, and what was stored about them in order: `id event`.
#[derive(Default)]
struct Desk {
    records: Mutex<HashMap<Incarnation, Record>>,
    events: Mutex<Vec<String>>,
    changed: Notify,
    fails: Mutex<usize>,
}

impl Desk {
    fn holds(&self, record: &Record) {
        self.records.lock().unwrap().insert(record.question.incarnation.clone(), record.clone());
    }

    /// The ids of those that were saved, once there are so many.
    async fn saved(&self, count: usize) -> Vec<String> {
        let mut stored = 0;
        loop {
            stored += 1;
            let events = self.events(stored).await;
            let saved: Vec<String> = events.iter().filter_map(|event| event.strip_suffix(" saved")).map(str::to_owned).collect();
            if saved.len() >= count {
                return saved;
            }
        }
    }

    /// What was stored, once there is so much of it.
    async fn events(&self, count: usize) -> Vec<String> {
        loop {
            let changed = self.changed.notified();
            {
                let events = self.events.lock().unwrap();
                if events.len() >= count {
                    return events.clone();
                }
            }
            changed.await;
        }
    }
}

#[async_trait]
impl Claims for Desk {
    async fn answering(&self) -> Stored<Vec<Record>> {
        let mut records: Vec<Record> = self.records.lock().unwrap().values().cloned().collect();
        records.sort_by(|one, other| one.question.id.cmp(&other.question.id));
        Ok(records)
    }

    async fn settle(&self, record: Record, event: &Event) -> Result<Record, ServiceError> {
        let mut fails = self.fails.lock().unwrap();
        if *fails > 0 {
            *fails -= 1;
            return Err(StoreError::Unusable("the disk is full".to_owned()).into());
        }
        let mut records = self.records.lock().unwrap();
        let present = records.get_mut(&record.question.incarnation).expect("a record of this test");
        let applied = apply(present, event.clone(), clock::now());
        *present = applied.map_err(|refusal| ServiceError::Refused(refusal, Box::new(record.clone())))?.0;
        let name = match event {
            Event::Saved { .. } => "saved",
            Event::Refused { .. } => "refused",
            Event::Taken { .. } => "taken",
            Event::Uncertain { .. } => "uncertain",
            Event::Delayed { .. } => "delayed",
            other => panic!("not the saver's: {other:?}"),
        };
        self.events.lock().unwrap().push(format!("{} {name}", record.question.id));
        self.changed.notify_waiters();
        Ok(present.clone())
    }
}

struct Bench {
    keeper: Arc<Scripted>,
    desk: Arc<Desk>,
    saving: Arc<Saving>,
    health: Arc<Health>,
    to_save: mpsc::UnboundedSender<Record>,
}

impl Bench {
    /// A saver that finds these claims at its start.
    fn start(script: impl IntoIterator<Item = Reply>, found: &[Record]) -> Self {
        let keeper = Arc::new(Scripted { script: Mutex::new(script.into_iter().collect()), ..Scripted::default() });
        let desk = Arc::new(Desk::default());
        found.iter().for_each(|record| desk.holds(record));
        let (saving, health) = (Arc::<Saving>::default(), Arc::<Health>::default());
        let (to_save, received) = mpsc::unbounded_channel();
        let saver = Saver {
            claims: desk.clone(),
            keeper: keeper.clone(),
            key: SigningKey::from_seed([7; 32]),
            health: health.clone(),
            metrics: Arc::new(Metrics::new(clock::now())),
            saving: saving.clone(),
            again: to_save.clone(),
            queue: Queue::default(),
            pauses: Pauses::default(),
            trouble: None,
            together: MOST_TOGETHER,
        };
        tokio::spawn(saver.run(received));
        Self { keeper, desk, saving, health, to_save }
    }

    fn claim(&self, name: &str, at: i64) {
        let record = claim_of(name, at);
        self.desk.holds(&record);
        self.to_save.send(record).unwrap();
    }
}

/// A question that was answered at this moment.
fn claim_of(name: &str, at: i64) -> Record {
    claimed(&plain(name), "Go", at)
}

fn within(what: Duration, least: u64, most: u64) {
    let millis = u64::try_from(what.as_millis()).unwrap();
    assert!((least..=most).contains(&millis), "{millis} ms, not between {least} and {most}");
}

#[tokio::test(start_paused = true)]
async fn what_comes_while_the_repository_is_silent_goes_together_in_the_order_of_the_claims() {
    let bench = Bench::start((0..4).map(|_| Reply::Silent(None)), &[]);
    bench.claim("third", 3000);
    assert_eq!(bench.keeper.call(1).await.1, ["third"]);
    bench.claim("second", 2000);
    bench.claim("fourth", 4000);
    bench.claim("first", 1000);
    let all = ["first", "second", "third", "fourth"];
    let mut before = Duration::ZERO;
    // Half as many after each silence, for it may be their size that is in the way.
    for (number, most, count) in [(2, 500, 4), (3, 1000, 2), (4, 2000, 1), (5, 4000, 1)] {
        let (at, ids) = bench.keeper.call(number).await;
        assert_eq!(ids, all[..count]);
        within(at - before, most / 2, most + 2);
        before = at;
    }
    assert_eq!(bench.keeper.call(6).await.1, all[1..], "and all that wait once it replies");
    assert_eq!(bench.desk.saved(4).await, all);
    assert_eq!(bench.saving.unsaved(), Unsaved::default());
    assert_eq!(bench.health.degraded(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn while_it_is_silent_health_and_the_rest_of_pagerd_know_since_when_and_why() {
    let bench = Bench::start([Reply::Silent(None), Reply::Silent(Some(Duration::from_secs(50)))], &[]);
    bench.claim("a", 1000);
    bench.keeper.call(2).await;
    bench.desk.events(1).await;
    let mut watch = bench.saving.watch();
    let unsaved = watch.wait_for(|unsaved| unsaved.trouble.is_some()).await.unwrap().clone();
    assert_eq!((unsaved.waiting, unsaved.trouble.unwrap().reason.as_str()), (1, "no route"));
    assert_eq!(bench.health.degraded(), ["answers: no route"]);
    assert_eq!(bench.saving.saved(), 0);
    bench.keeper.call(3).await;
    watch.wait_for(|unsaved| *unsaved == Unsaved::default()).await.unwrap();
    assert_eq!((bench.saving.saved(), bench.health.is_well(PART)), (1, true));
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_the_repository_asks_for_is_kept_whoever_finds_it_well() {
    let bench = Bench::start([Reply::Silent(Some(Duration::from_secs(90)))], &[]);
    bench.claim("a", 1000);
    bench.desk.events(1).await;
    bench.saving.found_well();
    bench.claim("b", 2000);
    let (at, ids) = bench.keeper.call(2).await;
    within(at, 90_000, 90_002);
    assert_eq!(ids, ["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn a_long_pause_of_our_own_ends_when_somebody_finds_the_repository_well() {
    let bench = Bench::start((0..8).map(|_| Reply::Silent(None)), &[]);
    bench.claim("a", 1000);
    let (before, _) = bench.keeper.call(8).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    bench.saving.found_well();
    let (at, _) = bench.keeper.call(9).await;
    within(at - before, 2_000, 2_010);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_is_cut_off_and_what_waited_meanwhile_goes_with_it() {
    let bench = Bench::start([Reply::Hang], &[]);
    bench.claim("b", 2000);
    bench.keeper.call(1).await;
    bench.claim("a", 1000);
    let (at, ids) = bench.keeper.call(2).await;
    within(at, 120_250, 120_510);
    assert_eq!(ids, ["a", "b"]);
    let events = bench.desk.events(5).await;
    assert_eq!(events[..3], ["a delayed", "b delayed", "b uncertain"], "each is shown once, after five seconds");
    assert_eq!(events[3..], ["a saved", "b saved"]);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_shown_of_a_short_silence() {
    let bench = Bench::start((0..3).map(|_| Reply::Silent(None)), &[]);
    bench.claim("a", 1000);
    let events = bench.desk.events(2).await;
    assert_eq!(events, ["a uncertain", "a saved"], "and the same doubt is stored once");
}

#[tokio::test(start_paused = true)]
async fn one_that_is_refused_in_the_middle_of_a_batch_leaves_the_others_alone() {
    let refused = || SaveOutcome::Refused { reason: "a rule".to_owned() };
    let script = [Reply::Silent(Some(Duration::from_secs(1))), Reply::These(vec![saved(), refused(), SaveOutcome::Taken])];
    let bench = Bench::start(script, &[]);
    for (name, at) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
        bench.claim(name, at);
    }
    let events = bench.desk.events(8).await;
    assert_eq!(events[4..], ["a saved", "b refused", "c taken", "d saved"]);
    assert_eq!(bench.health.degraded(), ["answers: a rule"]);
    bench.claim("e", 5);
    assert_eq!(bench.keeper.call(3).await.1, ["e"], "nothing of the others is written again");
    bench.desk.events(9).await;
    assert!(bench.health.is_well(PART));
}

#[tokio::test(start_paused = true)]
async fn one_that_stays_uncertain_keeps_its_place_and_holds_up_nothing_that_comes_new() {
    let script = [Reply::These(vec![saved(), unknown(None), saved()]), Reply::These(vec![unknown(None)])];
    let bench = Bench::start(script, &["a", "b", "c"].map(|name| claim_of(name, 1000)));
    assert_eq!(bench.keeper.call(1).await.1, ["a", "b", "c"]);
    bench.desk.events(3).await;
    bench.claim("d", 4000);
    let (at, ids) = bench.keeper.call(2).await;
    within(at, 250, 510);
    assert_eq!(ids, ["b", "d"]);
    assert_eq!(bench.keeper.call(3).await.1, ["b"]);
}

#[tokio::test(start_paused = true)]
async fn after_a_kill_every_claim_is_saved_the_oldest_first() {
    let found = [("a", 9000), ("b", 3000), ("c", 7000), ("d", 1000)].map(|(name, at)| claim_of(name, at));
    let bench = Bench::start([], &found);
    // The sweeper sends those again that are old.
    found.iter().for_each(|record| bench.to_save.send(record.clone()).unwrap());
    assert_eq!(bench.keeper.call(1).await.1, ["d", "b", "c", "a"]);
    bench.claim("e", 500);
    assert_eq!(bench.keeper.call(2).await.1, ["e"]);
    let events = bench.desk.events(5).await;
    assert_eq!(events, ["d saved", "b saved", "c saved", "a saved", "e saved"]);
}

#[tokio::test(start_paused = true)]
async fn a_doubt_of_before_a_kill_tells_since_when_the_outage_lasts() {
    let doubtful = claim_of("a", 1000);
    let claim = queue::claim(&doubtful).unwrap().number;
    let since = clock::now().plus_millis(-7_200_000);
    let (doubtful, _) = apply(&doubtful, Event::Uncertain { claim, reason: "before".to_owned() }, since).unwrap();
    let bench = Bench::start([Reply::Silent(Some(Duration::from_secs(9)))], &[doubtful]);
    bench.desk.events(1).await;
    assert_eq!(bench.saving.unsaved().trouble.unwrap().since, since);
}

#[tokio::test(start_paused = true)]
async fn what_could_not_be_stored_is_saved_and_stored_again() {
    let bench = Bench::start([], &[]);
    *bench.desk.fails.lock().unwrap() = 1;
    bench.claim("a", 1000);
    let (at, ids) = bench.keeper.call(2).await;
    within(at, 60_000, 60_002);
    assert_eq!(ids, ["a"]);
    assert_eq!(bench.desk.events(1).await, ["a saved"]);
}

#[tokio::test(start_paused = true)]
async fn of_many_the_first_go_first() {
    let found: Vec<Record> = (0..300).map(|number| claim_of(&format!("q-{number:03}"), 1000 + number)).collect();
    let bench = Bench::start([Reply::Silent(None)], &found);
    let all: Vec<String> = (0..300).map(|number| format!("q-{number:03}")).collect();
    assert_eq!(bench.keeper.call(1).await.1, all[..256]);
    assert_eq!(bench.keeper.call(2).await.1, all[..128], "none gets ahead of those that are uncertain");
    assert_eq!(bench.keeper.call(3).await.1, all[128..]);
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_fails_for_its_size_is_made_smaller_until_it_passes() {
    let found: Vec<Record> = (0..8).map(|number| claim_of(&format!("q-{number}"), 1000 + number)).collect();
    let bench = Bench::start((0..3).map(|_| Reply::Silent(None)), &found);
    for (call, count) in [(1, 8), (2, 4), (3, 2), (4, 1), (5, 7)] {
        assert_eq!(bench.keeper.call(call).await.1.len(), count);
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_is_asked_for_makes_no_batch_smaller() {
    let found: Vec<Record> = (0..8).map(|number| claim_of(&format!("q-{number}"), 1000 + number)).collect();
    let bench = Bench::start([Reply::Silent(Some(Duration::from_secs(9)))], &found);
    bench.keeper.call(1).await;
    assert_eq!(bench.keeper.call(2).await.1.len(), 8);
}

fn refusal() -> SaveOutcome {
    SaveOutcome::Refused { reason: "401".to_owned() }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_may_be_there_is_not_refused_before_its_path_was_read_and_is_empty() {
    let away = || Err(KeeperError::Refused { reason: "401".to_owned() });
    for reads in [vec![away(), away()], vec![Ok(Some(b"1".to_vec())), away()]] {
        let script = [Reply::Silent(None), Reply::These(vec![refusal()]), Reply::These(vec![refusal()])];
        let bench = Bench::start(script, &[]);
        *bench.keeper.reads.lock().unwrap() = reads.into();
        bench.claim("a", clock::now().as_millis());
        bench.keeper.call(4).await;
        bench.desk.saved(1).await;
        let events = bench.desk.events(1).await;
        assert!(!events.iter().any(|event| event == "a refused"), "{events:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_may_be_there_is_refused_once_its_path_is_read_and_empty() {
    let bench = Bench::start([Reply::Silent(None), Reply::These(vec![refusal()])], &[]);
    bench.claim("a", clock::now().as_millis());
    assert_eq!(bench.desk.events(2).await, ["a uncertain", "a refused"]);
}

#[tokio::test(start_paused = true)]
async fn a_new_answer_is_refused_at_once_and_one_from_before_a_kill_is_not() {
    let unreadable = || Err(KeeperError::Refused { reason: "401".to_owned() });
    let found = claim_of("found", clock::now().as_millis());
    let bench = Bench::start([Reply::These(vec![refusal()])], &[found]);
    *bench.keeper.reads.lock().unwrap() = [unreadable()].into();
    assert_eq!(bench.desk.events(2).await, ["found uncertain", "found saved"]);

    let bench = Bench::start([Reply::These(Vec::new()), Reply::These(vec![refusal()])], &[]);
    bench.claim("before", clock::now().as_millis());
    bench.desk.saved(1).await;
    *bench.keeper.reads.lock().unwrap() = [unreadable()].into();
    bench.claim("new", clock::now().as_millis());
    assert_eq!(bench.desk.events(2).await, ["before saved", "new refused"]);
}
