//! Reads the folders of one commit. A folder that has not changed since the last look is not read again.

use std::collections::HashSet;

use gix::ObjectId;
use serde_json::Value;

use super::contents::{Archive, Contents, Folder};
use super::line::Line;
use super::watch::undecodable;
use crate::github::{Call, Failure};

/// So many folders of the archive are read one by one; more are read all at once.
const FEW: usize = 3;

/// An entry of a folder.
struct Entry {
    path: String,
    is_folder: bool,
    id: ObjectId,
}

/// What this commit has. `known` is what an earlier one had.
pub(super) async fn contents(line: &Line, commit: ObjectId, known: Option<&Contents>) -> Result<Contents, Failure> {
    let reply = get(line, &format!("/git/commits/{commit}")).await?;
    let root = id(reply.pointer("/tree/sha")).ok_or_else(|| undecodable("a commit"))?;
    let entries = whole_folder(line, root).await?;
    let find = |name: &str| entries.iter().find(|entry| entry.path == name);
    let answers = match find("answers") {
        None => Folder::default(),
        Some(entry) if entry.is_folder => {
            let known = known.map(|known| &known.answers).filter(|known| known.tree == Some(entry.id));
            match known {
                Some(known) => known.clone(),
                None => folder(line, entry.id).await?,
            }
        }
        Some(_) => {
            let reason = "answers is a file in this repository, and has to be a folder; rename it there".to_owned();
            return Err(Failure::Refused { status: 200, reason });
        }
    };
    let archive = match find("archive").filter(|entry| entry.is_folder) {
        None => Archive::default(),
        Some(entry) => archive(line, entry.id, known.map(|known| &known.archive)).await?,
    };
    Ok(Contents { commit, root, answers, archive })
}

/// What is in the folder of this name below a top folder; None when it is no folder.
pub(super) async fn names_in(line: &Line, root: ObjectId, name: &str) -> Result<Option<HashSet<String>>, Failure> {
    let entries = whole_folder(line, root).await?;
    match entries.iter().find(|entry| entry.path == name) {
        None => Ok(Some(HashSet::new())),
        Some(entry) if entry.is_folder => {
            let inside = whole_folder(line, entry.id).await?;
            Ok(Some(inside.into_iter().map(|entry| entry.path).collect()))
        }
        Some(_) => Ok(None),
    }
}

async fn archive(line: &Line, tree: ObjectId, known: Option<&Archive>) -> Result<Archive, Failure> {
    if let Some(known) = known.filter(|known| known.tree == Some(tree)) {
        return Ok(known.clone());
    }
    let mut archive = Archive { tree: Some(tree), ..Archive::default() };
    let mut unread = Vec::new();
    for entry in whole_folder(line, tree).await?.into_iter().filter(|entry| entry.is_folder) {
        let part = known.and_then(|known| known.parts.get(&entry.path)).filter(|part| part.tree == Some(entry.id));
        match part {
            Some(part) => {
                archive.parts.insert(entry.path, part.clone());
            }
            None => unread.push(entry),
        }
    }
    let everything = if unread.len() > FEW { entries(line, tree, true).await? } else { None };
    for entry in unread {
        let part = match &everything {
            Some(everything) => below(everything, &entry),
            None => folder(line, entry.id).await?,
        };
        archive.parts.insert(entry.path, part);
    }
    Ok(archive)
}

/// One folder out of a listing of all.
fn below(everything: &[Entry], folder: &Entry) -> Folder {
    let inside = everything.iter().filter_map(|entry| {
        let name = entry.path.strip_prefix(folder.path.as_str())?.strip_prefix('/')?;
        (!name.contains('/')).then(|| (name.to_owned(), entry.id))
    });
    Folder::read(folder.id, inside)
}

async fn folder(line: &Line, tree: ObjectId) -> Result<Folder, Failure> {
    let entries = whole_folder(line, tree).await?;
    Ok(Folder::read(tree, entries.into_iter().map(|entry| (entry.path, entry.id))))
}

async fn whole_folder(line: &Line, tree: ObjectId) -> Result<Vec<Entry>, Failure> {
    let reason = "a folder of the answers repository has more files than GitHub lists; move them elsewhere";
    entries(line, tree, false).await?.ok_or_else(|| Failure::Refused { status: 200, reason: reason.to_owned() })
}

/// The entries of a folder; None when GitHub would not list them all.
async fn entries(line: &Line, tree: ObjectId, is_recursive: bool) -> Result<Option<Vec<Entry>>, Failure> {
    let query = if is_recursive { "?recursive=1" } else { "" };
    let reply = get(line, &format!("/git/trees/{tree}{query}")).await?;
    if reply.get("truncated").and_then(Value::as_bool) == Some(true) {
        return Ok(None);
    }
    let entries = reply.get("tree").and_then(Value::as_array).ok_or_else(|| undecodable("a folder"))?;
    let entries: Option<Vec<Entry>> = entries
        .iter()
        .map(|entry| {
            let path = entry.get("path")?.as_str()?.to_owned();
            Some(Entry { path, is_folder: entry.get("type")? == "tree", id: id(entry.get("sha"))? })
        })
        .collect();
    entries.map(Some).ok_or_else(|| undecodable("a folder"))
}

async fn get(line: &Line, rest: &str) -> Result<Value, Failure> {
    let reply = line.read(Call::get(line.route(rest))).await?;
    if reply.is_absent() {
        // It was named by GitHub a moment ago: one of its copies lags behind.
        return Err(Failure::Unknown { reason: format!("GitHub does not show {rest} yet") });
    }
    if reply.is_success() { Ok(reply.json()) } else { Err(reply.failure()) }
}

/// The full name of an object.
pub(super) fn id(value: Option<&Value>) -> Option<ObjectId> {
    ObjectId::from_hex(value?.as_str()?.as_bytes()).ok()
}
