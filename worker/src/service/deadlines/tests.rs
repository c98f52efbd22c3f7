//! Deadlines and reminders by a clock that the test holds, with a store of its own.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pager_questions::apply::apply;
use pager_questions::view::state_name;
use pager_questions::{OptionId, Purpose, Question};

use super::*;
use crate::clock::held;
use crate::store::StoreError;
use crate::store::conformance::samples::{agent, claimed, record, saved};

/// The records, and what was stored about them: `id state`, and by which clock.
#[derive(Default)]
struct Desk {
    records: Mutex<Vec<Record>>,
    changes: Mutex<Vec<(String, Time)>>,
    behind: AtomicBool,
    /// The next so many changes cannot be stored.
    fails: AtomicUsize,
}

impl Desk {
    fn open<T>(&self, of: impl Fn(&Record) -> Option<T>) -> Vec<T> {
        let records = self.records.lock().unwrap();
        records.iter().filter(|record| matches!(record.state, State::Open { .. })).filter_map(of).collect()
    }

    fn of(&self, id: &str) -> Record {
        self.records.lock().unwrap().iter().find(|record| record.question.id.as_str() == id).unwrap().clone()
    }

    /// Stores another version.
    fn put(&self, next: Record) {
        let id = next.question.id.clone();
        let mut records = self.records.lock().unwrap();
        *records.iter_mut().find(|record| record.question.id == id).unwrap() = next;
    }

    fn refuse(&self, id: &str) {
        let record = self.of(id);
        let refused = Event::Refused { claim: record.revision, reason: "a rule".to_owned() };
        self.put(apply(&record, refused, clock::now()).unwrap().0);
    }

    fn changes(&self) -> Vec<String> {
        self.changes.lock().unwrap().iter().map(|(change, _)| change.clone()).collect()
    }
}

fn reminder(record: &Record, now: Time) -> Option<Time> {
    let is_wanted = record.reminded_at.is_none() && record.question.put_to.is_none();
    record.question.halfway().filter(|_| is_wanted && record.question.deadline.is_some_and(|deadline| deadline > now))
}

#[async_trait]
impl Questions for Desk {
    async fn next_deadline(&self) -> Stored<Option<Time>> {
        Ok(self.open(|record| record.question.ends_at()).into_iter().min())
    }

    async fn due(&self, now: Time, _: u32) -> Stored<Vec<Record>> {
        Ok(self.open(|record| record.question.ends_at().filter(|at| *at <= now).map(|_| record.clone())))
    }

    async fn next_reminder(&self, now: Time) -> Stored<Option<Time>> {
        Ok(self.open(|record| reminder(record, now)).into_iter().min())
    }

    async fn to_remind(&self, now: Time, _: u32) -> Stored<Vec<Record>> {
        Ok(self.open(|record| reminder(record, now).filter(|at| *at <= now).map(|_| record.clone())))
    }

    async fn is_behind(&self) -> Stored<bool> {
        Ok(self.behind.load(Ordering::SeqCst))
    }

    async fn change(&self, record: Record, event: &Event) -> Result<(), ServiceError> {
        if self.fails.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |fails| fails.checked_sub(1)).is_ok() {
            return Err(StoreError::Unusable("the disk is full".to_owned()).into());
        }
        // Two that look at the same time both come here.
        tokio::task::yield_now().await;
        let present = self.of(record.question.id.as_str());
        let applied = apply(&present, event.clone(), clock::now());
        let next = applied.map_err(|refusal| ServiceError::Refused(refusal, Box::new(present.clone())))?.0;
        if next.revision != present.revision {
            let what = if *event == Event::Remind { "reminded" } else { state_name(&next.state) };
            self.changes.lock().unwrap().push((format!("{} {what}", next.question.id), clock::now()));
            self.put(next);
        }
        Ok(())
    }
}

fn noon() -> Time {
    Time::parse("2026-12-01T12:00:00Z").unwrap()
}

/// Asked at noon, with a deadline so many seconds later and a default.
fn asked(id: &str, seconds: i64, change: impl FnOnce(&mut Question)) -> Record {
    record(id, |question| {
        question.asked_at = noon();
        question.deadline = Some(noon().plus_millis(seconds * 1000));
        question.default = Some(OptionId::parse("2").unwrap());
        change(question);
    })
}

fn plain(id: &str, seconds: i64) -> Record {
    asked(id, seconds, |_| {})
}

struct Bench {
    desk: Arc<Desk>,
    ring: Arc<Notify>,
}

impl Bench {
    /// It is this many seconds behind noon when pagerd starts, with these records.
    fn start_at(seconds: i64, records: impl IntoIterator<Item = Record>) -> Self {
        let bench = Self::set(seconds, records);
        bench.run(None, false);
        bench
    }

    fn set(seconds: i64, records: impl IntoIterator<Item = Record>) -> Self {
        held::set(noon().plus_millis(seconds * 1000));
        let desk = Desk { records: Mutex::new(records.into_iter().collect()), ..Desk::default() };
        Self { desk: Arc::new(desk), ring: Arc::default() }
    }

    fn run(&self, heard: Option<watch::Receiver<bool>>, reminds: bool) {
        let (questions, ring) = (self.desk.clone(), self.ring.clone());
        let deadlines = Deadlines { questions, heard, reminds, behind_since: None, ending: CancellationToken::new() };
        tokio::spawn(async move { deadlines.run(&ring).await });
    }

    /// What has been stored so many milliseconds later.
    async fn after(&self, millis: u64) -> Vec<String> {
        tokio::time::sleep(Duration::from_millis(millis)).await;
        self.desk.changes()
    }
}

const NOTHING: [&str; 0] = [];
const HOUR: u64 = 3_600_000;

#[tokio::test(start_paused = true)]
async fn it_acts_at_the_deadline_and_once() {
    let bench = Bench::start_at(0, [plain("d", 90)]);
    assert_eq!(bench.after(89_999).await, NOTHING);
    assert_eq!(bench.after(3).await, ["d answering"]);
    assert!(bench.desk.changes.lock().unwrap()[0].1 >= noon().plus_millis(90_000));
    assert_eq!(bench.after(HOUR).await, ["d answering"]);
}

#[tokio::test(start_paused = true)]
async fn one_that_passed_while_nothing_ran_acts_at_the_start() {
    let records = [plain("d", 90), asked("a", 91, |question| question.purpose = Purpose::Approval), plain("later", 300)];
    let bench = Bench::start_at(200, records);
    assert_eq!(bench.after(1).await, ["d answering", "a answering"]);
    bench.desk.put(saved(&bench.desk.of("d")));
    bench.run(None, false);
    assert_eq!(bench.after(1).await, ["d answering", "a answering"], "and not at the next start again");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_asked_while_it_sleeps_is_looked_at() {
    let bench = Bench::start_at(0, []);
    bench.after(5000).await;
    bench.desk.records.lock().unwrap().push(plain("d", 10));
    bench.ring.notify_one();
    assert_eq!(bench.after(5003).await, ["d answering"]);
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_forward_is_seen_within_a_minute() {
    let bench = Bench::start_at(0, [plain("d", 86_400)]);
    bench.after(10_000).await;
    held::jump(86_400_000);
    assert_eq!(bench.after(60_000).await, ["d answering"]);
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_back_lets_nothing_act_early() {
    let bench = Bench::start_at(0, [plain("d", 30)]);
    bench.after(10_000).await;
    held::jump(-3_600_000);
    assert_eq!(bench.after(HOUR + 19_990).await, NOTHING);
    assert_eq!(bench.after(60_020).await, ["d answering"]);
    assert!(bench.desk.changes.lock().unwrap()[0].1 >= noon().plus_millis(30_000));
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_back_undoes_nothing() {
    let bench = Bench::start_at(0, [plain("d", 30), plain("e", 30)]);
    bench.after(30_003).await;
    bench.desk.put(saved(&bench.desk.of("d")));
    let before = (bench.desk.of("d"), bench.desk.of("e"));
    held::jump(-20_000);
    assert_eq!(bench.after(HOUR).await, ["d answering", "e answering"]);
    assert_eq!((bench.desk.of("d"), bench.desk.of("e")), before);
}

#[tokio::test(start_paused = true)]
async fn none_acts_before_telegram_was_heard() {
    let bench = Bench::set(100, [plain("d", 90)]);
    let heard = watch::Sender::new(false);
    bench.run(Some(heard.subscribe()), false);
    assert_eq!(bench.after(20_000).await, NOTHING);
    heard.send_replace(true);
    assert_eq!(bench.after(1).await, ["d answering"]);
}

#[tokio::test(start_paused = true)]
async fn a_minute_of_failures_of_telegram_is_waited_for_and_no_longer() {
    let bench = Bench::set(100, [plain("d", 90)]);
    let heard = watch::Sender::new(false);
    bench.run(Some(heard.subscribe()), true);
    assert_eq!(bench.after(59_999).await, NOTHING);
    assert_eq!(bench.after(3).await, ["d answering"]);
}

#[tokio::test(start_paused = true)]
async fn nothing_acts_while_something_that_was_received_waits() {
    let bench = Bench::set(0, [plain("d", 90), plain("later", 178)]);
    bench.run(None, true);
    bench.desk.behind.store(true, Ordering::SeqCst);
    assert_eq!(bench.after(91_000).await, NOTHING, "no deadline and no reminder");
    let in_time = claimed(&bench.desk.of("d"), "Go", 91_000);
    bench.desk.put(in_time);
    bench.desk.behind.store(false, Ordering::SeqCst);
    assert_eq!(bench.after(101).await, ["later reminded"], "what waited was the answer");
}

#[tokio::test(start_paused = true)]
async fn what_was_received_and_cannot_be_handled_holds_a_deadline_up_for_a_minute_and_no_longer() {
    let bench = Bench::start_at(0, [plain("d", 90), plain("later", 600)]);
    bench.after(80_000).await;
    bench.desk.behind.store(true, Ordering::SeqCst);
    assert_eq!(bench.after(69_900).await, NOTHING);
    assert_eq!(bench.after(300).await, ["d answering"]);
    // Handled, and later behind once more: the minute begins anew.
    bench.desk.behind.store(false, Ordering::SeqCst);
    bench.after(449_700).await;
    bench.desk.behind.store(true, Ordering::SeqCst);
    assert_eq!(bench.after(59_900).await, ["d answering"]);
    assert_eq!(bench.after(400).await, ["d answering", "later answering"]);
}

#[tokio::test(start_paused = true)]
async fn two_at_once_end_together_and_two_instances_end_each_once() {
    let bench = Bench::set(0, [plain("d", 90), plain("e", 90)]);
    bench.run(None, true);
    bench.run(None, true);
    let mut changes = bench.after(HOUR).await;
    changes.sort();
    assert_eq!(changes, ["d answering", "d reminded", "e answering", "e reminded"]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_being_saved_is_left_alone_and_once_it_is_refused_the_deadline_acts() {
    let bench = Bench::start_at(0, [plain("d", 90)]);
    bench.after(89_000).await;
    bench.desk.put(claimed(&bench.desk.of("d"), "Go", 89_000));
    assert_eq!(bench.after(11_000).await, NOTHING);
    bench.desk.refuse("d");
    bench.ring.notify_one();
    assert_eq!(bench.after(29_999).await, NOTHING, "it pauses, for whoever answered to answer once more");
    assert_eq!(bench.after(1003).await, ["d answering"]);
}

#[tokio::test(start_paused = true)]
async fn while_the_end_of_one_is_refused_again_and_again_others_go_on() {
    let bench = Bench::start_at(0, [plain("d", 90), plain("e", 100)]);
    assert_eq!(bench.after(90_003).await, ["d answering"]);
    bench.desk.refuse("d");
    bench.ring.notify_one();
    assert_eq!(bench.after(11_003).await, ["d answering", "e answering"]);
    assert_eq!(bench.after(20_000).await, ["d answering", "e answering", "d answering"]);
    bench.desk.put(saved(&bench.desk.of("d")));
    assert_eq!(bench.after(HOUR).await.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn what_could_not_be_stored_is_tried_again_and_holds_up_nothing() {
    let bench = Bench::start_at(0, [plain("d", 90), plain("e", 90)]);
    bench.desk.fails.store(1, Ordering::SeqCst);
    assert_eq!(bench.after(90_003).await, ["e answering"]);
    assert_eq!(bench.after(1000).await, ["e answering", "d answering"]);
}

#[tokio::test(start_paused = true)]
async fn an_owner_is_reminded_halfway_and_once() {
    let bench = Bench::set(0, [asked("d", 90, |question| question.default = None)]);
    bench.run(None, true);
    assert_eq!(bench.after(44_999).await, NOTHING);
    assert_eq!(bench.after(3).await, ["d reminded"]);
    assert_eq!(bench.after(HOUR).await, ["d reminded"], "it stays open behind its deadline, unreminded");
}

#[tokio::test(start_paused = true)]
async fn halfway_that_passed_while_nothing_ran_reminds_at_the_start_unless_the_deadline_has_passed() {
    let stays = |id, seconds| asked(id, seconds, |question| question.default = None);
    let bench = Bench::set(80, [stays("d", 90), stays("over", 70), stays("later", 200)]);
    bench.run(None, true);
    assert_eq!(bench.after(1).await, ["d reminded"]);
    bench.run(None, true);
    assert_eq!(bench.after(1).await, ["d reminded"]);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_reminded_of_what_was_answered_or_is_another_agents_or_when_it_is_off() {
    let agents = asked("agents", 90, |question| question.put_to = Some(agent("helper")));
    let bench = Bench::set(0, [plain("answered", 90), agents]);
    bench.run(None, true);
    bench.after(40_000).await;
    bench.desk.put(claimed(&bench.desk.of("answered"), "Go", 40_000));
    assert_eq!(bench.after(10_000).await, NOTHING);
    let off = Bench::start_at(0, [plain("d", 90)]);
    assert_eq!(off.after(89_000).await, NOTHING);
}
