//! What every keeper of answers must do, as a suite of asynchronous checks that panic with what went wrong.
//! A keeper's own tests bring the surroundings: a fresh repository, another writer, and a judge that is not the keeper.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use async_trait::async_trait;

use crate::{AnswerFile, AnswerPath, Entry, EntryName, Keeper, SaveOutcome};

/// A fresh repository with a keeper on it, seen through other eyes than the keeper's.
#[async_trait]
pub trait Surroundings: Send + Sync + 'static {
    /// The keeper under test. Always the same one.
    fn keeper(&self) -> Arc<dyn Keeper>;
    /// Writes a file into the same branch as another program would, with as many tries as it takes.
    async fn write_elsewhere(&self, path: &str, bytes: &[u8]);
    /// The file at the head of the branch.
    async fn file(&self, path: &str) -> Option<Vec<u8>>;
    /// The messages of all commits of the branch, newest first.
    async fn messages(&self) -> Vec<String>;
    /// Panics unless the repository is in order.
    async fn assert_sound(&self);
}

/// Runs every check, each on surroundings of its own.
pub async fn all<Place: Surroundings>(fresh: impl Fn() -> Place) {
    what_is_saved_can_be_read(&fresh()).await;
    a_proof_is_a_commit_that_changes_nothing(&fresh()).await;
    the_same_bytes_again_are_saved_without_a_commit(&fresh()).await;
    other_bytes_never_replace_an_answer(&fresh()).await;
    a_batch_is_one_commit(&fresh()).await;
    a_batch_tells_the_fate_of_each(&fresh()).await;
    fifty_at_once_beside_another_writer_are_all_there(&Arc::new(fresh())).await;
    what_goes_beside_an_answer_is_entered_once(&fresh()).await;
    what_is_there_already_is_left_alone_and_keeps_no_answer_back(&fresh()).await;
    what_was_left_out_is_entered_beside_answers_that_are_there(&fresh()).await;
    a_file_in_the_place_of_the_log_keeps_no_answer_back(&fresh()).await;
    an_archived_id_is_used(&fresh()).await;
    moving_to_the_archive_changes_no_answer(&fresh()).await;
    what_cannot_be_archived_stays(&fresh()).await;
    an_unknown_id_reads_as_nothing(&fresh()).await;
    an_id_is_used_from_the_moment_that_anybody_brings_it(&fresh()).await;
    what_others_write_stays(&fresh()).await;
    hostile_ids_have_no_path();
}

/// An answer for `id` with these bytes.
pub fn answer(id: &str, bytes: &str) -> AnswerFile {
    AnswerFile { path: path(id), bytes: bytes.as_bytes().to_vec(), message: format!("answer {id}: chosen"), beside: None }
}

/// Saves one answer.
pub async fn save(keeper: &dyn Keeper, id: &str, bytes: &str) -> SaveOutcome {
    let mut outcomes = keeper.save(vec![answer(id, bytes)]).await;
    assert_eq!(outcomes.len(), 1, "one outcome for one answer");
    outcomes.remove(0)
}

/// Saved, then read back whole by the keeper and by the judge.
pub async fn what_is_saved_can_be_read(place: &impl Surroundings) {
    let keeper = place.keeper();
    keeper.check().await.expect("a fresh repository can be written to");
    let bytes = "{\n  \"answer\": \"Größe: 3 < 4\\u0000\"\n}\n";
    let outcome = save(&*keeper, "rel-42", bytes).await;
    let head = keeper.head().await.expect("the head can be read");
    assert_eq!(outcome, SaveOutcome::Saved { commit: head.expect("there is a commit") });
    assert_eq!(keeper.read(&path("rel-42")).await, Ok(Some(bytes.into())));
    assert_eq!(keeper.holds(&path("rel-42")).await, Ok(true));
    assert_eq!(keeper.list().await, Ok(vec!["rel-42".to_owned()]));
    assert_eq!(place.file("answers/rel-42.json").await.as_deref(), Some(bytes.as_bytes()));
    assert_eq!(place.messages().await.first().map(String::as_str), Some("answer rel-42: chosen"));
    place.assert_sound().await;
}

/// The proof is in the history, and nothing else.
pub async fn a_proof_is_a_commit_that_changes_nothing(place: &impl Surroundings) {
    let keeper = place.keeper();
    assert_saved(&[save(&*keeper, "a", "1").await]);
    let commits = place.messages().await.len();
    let proof = keeper.prove().await.expect("a fresh repository takes a commit");
    assert_eq!(keeper.head().await, Ok(Some(proof)));
    let messages = place.messages().await;
    assert_eq!((messages.len(), messages[0].as_str()), (commits + 1, "check that answers can be saved"));
    assert_eq!(place.file("answers/a.json").await.as_deref(), Some(&b"1"[..]));
    assert_eq!(keeper.list().await, Ok(vec!["a".to_owned()]));
    assert_saved(&[save(&*keeper, "b", "2").await]);
    place.assert_sound().await;
}

/// Our own earlier attempt is success, and makes no second commit.
pub async fn the_same_bytes_again_are_saved_without_a_commit(place: &impl Surroundings) {
    let keeper = place.keeper();
    let first = save(&*keeper, "a", "1").await;
    let commits = place.messages().await.len();
    assert_eq!(save(&*keeper, "a", "1").await, first);
    assert_eq!(place.messages().await.len(), commits);
}

/// Create only.
pub async fn other_bytes_never_replace_an_answer(place: &impl Surroundings) {
    let keeper = place.keeper();
    save(&*keeper, "a", "1").await;
    let before = keeper.head().await;
    assert_eq!(save(&*keeper, "a", "2").await, SaveOutcome::Taken);
    assert_eq!(keeper.head().await, before);
    place.write_elsewhere("answers/b.json", b"theirs").await;
    assert_eq!(save(&*keeper, "b", "ours").await, SaveOutcome::Taken);
    assert_eq!(place.file("answers/a.json").await.as_deref(), Some(&b"1"[..]));
    assert_eq!(place.file("answers/b.json").await.as_deref(), Some(&b"theirs"[..]));
}

/// Several answers go together, and the message names each.
pub async fn a_batch_is_one_commit(place: &impl Surroundings) {
    let keeper = place.keeper();
    let commits = place.messages().await.len();
    let outcomes = keeper.save(vec![answer("c", "3"), answer("a", "1"), answer("b", "2")]).await;
    assert_saved(&outcomes);
    assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]), "one commit for all: {outcomes:?}");
    let messages = place.messages().await;
    assert_eq!(messages.len(), commits + 1);
    assert_eq!(messages[0], "answer 3 questions\n\nanswer c: chosen\nanswer a: chosen\nanswer b: chosen");
    assert_eq!(keeper.save(Vec::new()).await, Vec::new());
    place.assert_sound().await;
}

/// One that is taken does not hold up the others, and the first of two with one id wins.
pub async fn a_batch_tells_the_fate_of_each(place: &impl Surroundings) {
    let keeper = place.keeper();
    save(&*keeper, "old", "1").await;
    let batch = vec![answer("new", "1"), answer("old", "2"), answer("old", "1"), answer("new", "1"), answer("new", "2")];
    let outcomes = keeper.save(batch).await;
    let saved = |outcome: &SaveOutcome| matches!(outcome, SaveOutcome::Saved { .. });
    assert!(saved(&outcomes[0]) && saved(&outcomes[2]) && saved(&outcomes[3]), "{outcomes:?}");
    assert_eq!((&outcomes[1], &outcomes[4]), (&SaveOutcome::Taken, &SaveOutcome::Taken));
    assert_eq!(place.file("answers/new.json").await.as_deref(), Some(&b"1"[..]));
}

/// No answer is lost or doubled when everybody writes at the same time.
pub async fn fifty_at_once_beside_another_writer_are_all_there<Place: Surroundings>(place: &Arc<Place>) {
    const OURS: usize = 50;
    const THEIRS: usize = 10;
    let other = tokio::spawn({
        let place = Arc::clone(place);
        async move {
            for number in 0..THEIRS {
                place.write_elsewhere(&format!("notes/{number}.txt"), b"note").await;
            }
        }
    });
    let saves: Vec<_> = (0..OURS)
        .map(|number| {
            let keeper = place.keeper();
            tokio::spawn(async move { save(&*keeper, &format!("q-{number}"), &format!("answer {number}")).await })
        })
        .collect();
    for saving in saves {
        let outcome = saving.await.expect("saving does not panic");
        assert_saved(&[outcome]);
    }
    other.await.expect("the other writer gets through too");
    for number in 0..THEIRS {
        assert!(place.file(&format!("notes/{number}.txt")).await.is_some(), "note {number} was lost");
    }
    for number in 0..OURS {
        let file = place.file(&format!("answers/q-{number}.json")).await;
        assert_eq!(file, Some(format!("answer {number}").into_bytes()));
    }
    let expected: BTreeSet<String> = (0..OURS).map(|number| format!("q-{number}")).collect();
    assert_eq!(place.keeper().list().await, Ok(expected.into_iter().collect()));
    let history = place.messages().await.join("\n");
    for number in 0..OURS {
        assert_eq!(history.matches(&format!("answer q-{number}: chosen")).count(), 1, "each is committed once");
    }
    place.assert_sound().await;
}

/// An answer with an entry of the decision log beside it.
pub fn decision(id: &str, bytes: &str, page: &str) -> AnswerFile {
    AnswerFile { beside: Some(Entry { name: entry_name(id), bytes: page.as_bytes().to_vec() }), ..answer(id, bytes) }
}

/// The page under this id's entry, once it is there: a keeper may enter it behind the answer.
async fn entered(place: &impl Surroundings, id: &str) -> Vec<u8> {
    for _ in 0..500 {
        if let Some(page) = place.file(&entry_name(id).to_string()).await {
            return page;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the decision {id} was not entered");
}

/// Entered with its answer, not an answer itself, and not entered again.
pub async fn what_goes_beside_an_answer_is_entered_once(place: &impl Surroundings) {
    let keeper = place.keeper();
    let all = ["a", "b", "c"].map(entry_name).to_vec();
    assert_eq!(keeper.lacks(all.clone()).await, Ok(all.clone()));
    assert_saved(&keeper.save(vec![decision("a", "1", "# A")]).await);
    assert_eq!(entered(place, "a").await, b"# A");
    assert_saved(&keeper.save(vec![decision("b", "2", "# B"), answer("x", "4"), decision("c", "3", "# C")]).await);
    assert_eq!((entered(place, "b").await, entered(place, "c").await), (b"# B".to_vec(), b"# C".to_vec()));
    assert_eq!(keeper.lacks(all).await, Ok(Vec::new()));
    assert_eq!(keeper.lacks(vec![entry_name("d")]).await, Ok(vec![entry_name("d")]));
    let commits = place.messages().await.len();
    assert_saved(&keeper.save(vec![decision("a", "1", "# A")]).await);
    assert_saved(&keeper.save(vec![decision("c", "3", "# C"), decision("b", "2", "# B")]).await);
    assert_eq!(place.messages().await.len(), commits, "nothing was to be written");
    assert_eq!(keeper.list().await, Ok(["a", "b", "c", "x"].map(str::to_owned).to_vec()));
    assert_eq!(keeper.live().await, keeper.list().await);
    assert_eq!(keeper.archive(vec![path("a")]).await, Ok(()));
    assert_eq!(entered(place, "a").await, b"# A");
    place.assert_sound().await;
}

/// Somebody else's page stays, and so does somebody's file in the place of the folder.
pub async fn what_is_there_already_is_left_alone_and_keeps_no_answer_back(place: &impl Surroundings) {
    let keeper = place.keeper();
    place.write_elsewhere(&entry_name("a").to_string(), b"theirs").await;
    assert_eq!(keeper.lacks(vec![entry_name("a")]).await, Ok(Vec::new()));
    assert_saved(&keeper.save(vec![decision("a", "1", "ours")]).await);
    assert_saved(&keeper.save(vec![decision("b", "2", "# B"), decision("a", "1", "ours")]).await);
    assert_eq!(entered(place, "b").await, b"# B");
    assert_eq!(entered(place, "a").await, b"theirs");
    assert_eq!(save(&*keeper, "a", "other").await, SaveOutcome::Taken);
    let outcomes = keeper.save(vec![decision("a", "other", "# other"), decision("c", "3", "# C")]).await;
    assert!(matches!(outcomes[..], [SaveOutcome::Taken, SaveOutcome::Saved { .. }]), "{outcomes:?}");
    assert_eq!(entered(place, "a").await, b"theirs");
    place.assert_sound().await;
}

/// After a crash between the two, and for answers that lie in the archive by now.
pub async fn what_was_left_out_is_entered_beside_answers_that_are_there(place: &impl Surroundings) {
    let keeper = place.keeper();
    for id in ["a", "b", "c"] {
        assert_saved(&[save(&*keeper, id, id).await]);
    }
    assert_eq!(keeper.archive(vec![path("b")]).await, Ok(()));
    assert_saved(&keeper.save(vec![decision("a", "a", "# A")]).await);
    assert_saved(&keeper.save(vec![decision("b", "b", "# B"), decision("c", "c", "# C")]).await);
    for (id, page) in [("a", "# A"), ("b", "# B"), ("c", "# C")] {
        assert_eq!(entered(place, id).await, page.as_bytes());
    }
    assert_eq!(place.file("answers/b.json").await, None, "it stays in the archive");
    place.assert_sound().await;
}

/// A file where the folder would be: nothing can be entered, and every answer is saved.
pub async fn a_file_in_the_place_of_the_log_keeps_no_answer_back(place: &impl Surroundings) {
    let keeper = place.keeper();
    place.write_elsewhere("decisions", b"a file").await;
    assert_eq!(keeper.lacks(vec![entry_name("a")]).await, Ok(Vec::new()));
    assert_saved(&keeper.save(vec![decision("a", "1", "# A")]).await);
    assert_saved(&keeper.save(vec![decision("b", "2", "# B"), decision("c", "3", "# C")]).await);
    assert_eq!(place.file("decisions").await.as_deref(), Some(&b"a file"[..]));
    place.assert_sound().await;
}

/// What was moved to the archive is still an answer.
pub async fn an_archived_id_is_used(place: &impl Surroundings) {
    let keeper = place.keeper();
    place.write_elsewhere(&path("old").archived(), b"1").await;
    assert_eq!(keeper.holds(&path("old")).await, Ok(true));
    assert_eq!(keeper.read(&path("old")).await, Ok(Some(b"1".to_vec())));
    assert_eq!(keeper.list().await, Ok(vec!["old".to_owned()]));
    assert_eq!(save(&*keeper, "old", "2").await, SaveOutcome::Taken);
    assert_saved(&[save(&*keeper, "old", "1").await]);
    assert_eq!(place.file("answers/old.json").await, None);
}

/// Moved in one commit, byte for byte, and still answers.
pub async fn moving_to_the_archive_changes_no_answer(place: &impl Surroundings) {
    let keeper = place.keeper();
    for id in ["a", "b", "c"] {
        assert_saved(&[save(&*keeper, id, id).await]);
    }
    place.write_elsewhere("answers/NOTES.md", b"theirs").await;
    let commits = place.messages().await.len();
    assert_eq!(keeper.archive(vec![path("a"), path("c")]).await, Ok(()));
    let messages = place.messages().await;
    assert_eq!((messages.len(), messages[0].as_str()), (commits + 1, "archive 2 answers"));
    assert_eq!(keeper.live().await, Ok(vec!["b".to_owned()]));
    assert_eq!(keeper.list().await, Ok(["a", "b", "c"].map(str::to_owned).to_vec()));
    for id in ["a", "c"] {
        assert_eq!(place.file(&format!("answers/{id}.json")).await, None);
        assert_eq!(place.file(&path(id).archived()).await.as_deref(), Some(id.as_bytes()));
        assert_eq!(keeper.read(&path(id)).await, Ok(Some(id.into())));
        assert_eq!(keeper.holds(&path(id)).await, Ok(true));
        assert_eq!(save(&*keeper, id, "other").await, SaveOutcome::Taken);
        assert_saved(&[save(&*keeper, id, id).await]);
    }
    assert_eq!(place.file("answers/NOTES.md").await.as_deref(), Some(&b"theirs"[..]));
    assert_saved(&[save(&*keeper, "d", "4").await]);
    assert_eq!(keeper.live().await, Ok(["b", "d"].map(str::to_owned).to_vec()));
    place.assert_sound().await;
}

/// A second move, an unknown id and an archive that has something else cost nothing and lose nothing.
pub async fn what_cannot_be_archived_stays(place: &impl Surroundings) {
    let keeper = place.keeper();
    for id in ["a", "b"] {
        assert_saved(&[save(&*keeper, id, "ours").await]);
    }
    place.write_elsewhere(&path("b").archived(), b"theirs").await;
    assert_eq!(keeper.archive(vec![path("a"), path("b"), path("nobody")]).await, Ok(()));
    let commits = place.messages().await.len();
    assert_eq!(keeper.archive(vec![path("a"), path("b")]).await, Ok(()));
    assert_eq!(place.messages().await.len(), commits);
    assert_eq!(place.file("answers/b.json").await.as_deref(), Some(&b"ours"[..]));
    assert_eq!(place.file(&path("b").archived()).await.as_deref(), Some(&b"theirs"[..]));
    assert_eq!(keeper.read(&path("a")).await, Ok(Some(b"ours".to_vec())));
    place.assert_sound().await;
}

/// Not there is not an error.
pub async fn an_unknown_id_reads_as_nothing(place: &impl Surroundings) {
    let keeper = place.keeper();
    assert_eq!(keeper.read(&path("nobody")).await, Ok(None));
    assert_eq!(keeper.holds(&path("nobody")).await, Ok(false));
    assert_eq!(keeper.list().await, Ok(Vec::new()));
}

/// What was seen before is never taken for what is there.
pub async fn an_id_is_used_from_the_moment_that_anybody_brings_it(place: &impl Surroundings) {
    let keeper = place.keeper();
    let holds = async |id: &str| keeper.holds(&path(id)).await.expect("the repository can be read");
    for round in ["a", "b", "c"] {
        let [ours, theirs, old] = ["ours", "theirs", "old"].map(|whose| format!("{whose}-{round}"));
        assert!(!holds(&ours).await && !holds(&theirs).await && !holds(&old).await);
        assert!(!holds(&ours).await, "asked again, with nothing changed");
        assert_saved(&[save(&*keeper, &ours, "1").await]);
        assert!(holds(&ours).await && !holds(&theirs).await);
        place.write_elsewhere(&path(&theirs).to_string(), b"2").await;
        assert!(holds(&theirs).await && holds(&ours).await && !holds(&old).await);
        place.write_elsewhere(&path(&old).archived(), b"3").await;
        assert!(holds(&old).await && holds(&theirs).await && holds(&ours).await);
    }
}

/// A save changes the folder of answers and nothing else, and foreign files there are no answers.
pub async fn what_others_write_stays(place: &impl Surroundings) {
    let keeper = place.keeper();
    for file in ["a.txt", "answers.txt", "answers/NOTES.md", "answers/b/c.txt", "zz/deep/er.txt"] {
        place.write_elsewhere(file, file.as_bytes()).await;
    }
    assert_saved(&keeper.save(vec![answer("b", "1"), answer("b-1", "1"), answer("b0", "1")]).await);
    for file in ["a.txt", "answers.txt", "answers/NOTES.md", "answers/b/c.txt", "zz/deep/er.txt"] {
        assert_eq!(place.file(file).await.as_deref(), Some(file.as_bytes()));
    }
    assert_eq!(keeper.list().await, Ok(vec!["b".to_owned(), "b-1".to_owned(), "b0".to_owned()]));
    place.assert_sound().await;
}

/// Nothing but a question id has a path, so nothing else can be asked of a keeper.
pub fn hostile_ids_have_no_path() {
    for id in [
        "",
        "-a",
        ".",
        "..",
        "../a",
        "a/b",
        "a\\b",
        "a.json",
        "A",
        "ä",
        "a b",
        "a\0",
        "a\n",
        "a%2fb",
        ".git",
        "/etc/passwd",
        "a_b",
        "١",
    ] {
        assert!(AnswerPath::new(id).is_err(), "{id:?} is not a question id");
    }
}

fn entry_name(id: &str) -> EntryName {
    EntryName::new(&format!("2026-11-30-{id}.md")).expect("the suite uses valid names")
}

fn path(id: &str) -> AnswerPath {
    AnswerPath::new(id).expect("the suite uses valid ids")
}

fn assert_saved(outcomes: &[SaveOutcome]) {
    for outcome in outcomes {
        assert!(matches!(outcome, SaveOutcome::Saved { .. }), "expected saved, was {outcome:?}");
    }
}
