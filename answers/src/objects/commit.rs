//! The commit objects that keepers write, and what stands in their messages.

use gix::{ObjectId, actor::Signature, objs::Commit};

use crate::AnswerFile;

/// What a repository of answers says of itself.
pub(crate) const README: &str = "# Answers\n\nOne file for each answered question: `answers/<id>.json`, later `archive/<xx>/<id>.json`, where `xx` is the\nbeginning of the SHA-256 of the id. Each is signed, written once, and never changed.\n";

/// The commit that writes `root`.
pub(crate) fn commit(root: ObjectId, parent: Option<ObjectId>, message: String) -> Commit {
    let service = Signature { name: "pager".into(), email: "pager@localhost".into(), time: gix::date::Time::now_utc() };
    Commit {
        tree: root,
        parents: parent.into_iter().collect(),
        author: service.clone(),
        committer: service,
        encoding: None,
        message: message.into(),
        extra_headers: Vec::new(),
    }
}

/// The message of a commit that saves these; without any it only enters what was left out before.
pub(crate) fn message(files: &[&AnswerFile]) -> String {
    match files {
        [] => "enter decisions\n".to_owned(),
        [only] => one_line(&only.message),
        several => {
            let lines: String = several.iter().map(|file| one_line(&file.message)).collect();
            format!("answer {} questions\n\n{lines}", several.len())
        }
    }
}

/// Git takes a line break for the end of the subject, and refuses a zero byte.
fn one_line(message: &str) -> String {
    let mut line = message.replace(char::is_control, " ");
    line.push('\n');
    line
}
