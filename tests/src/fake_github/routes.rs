//! From a path to what carries it out, with the right that it needs.

use super::access::{self, Caller, Level, Permission};
use super::refusal::not_found;
use super::reply::{Answer, Given};
use super::repository::Repository;
use super::request::Asked;
use super::state::State;
use super::{actions, apps, blobs, commits, contents, creation, dispatches, refs, repositories, trees, writing};

/// A request for a repository on its way through the routes.
pub(super) struct Visit<'a> {
    pub(super) state: &'a mut State,
    pub(super) asked: &'a Asked,
    pub(super) caller: &'a Caller,
    /// The repository's number.
    pub(super) id: u64,
    /// Where the branch stood when the request came in: what a write of contents goes by.
    pub(super) seen: &'a Seen,
}

/// The heads of a repository's branches when a request came in.
pub(super) type Seen = Vec<(String, gix::ObjectId)>;

impl Visit<'_> {
    pub(super) fn repository(&self) -> &Repository {
        let found = self.state.repositories.iter().find(|it| it.id == self.id);
        found.expect("it was found by its name before")
    }

    pub(super) fn repository_mut(&mut self) -> &mut Repository {
        let found = self.state.repositories.iter_mut().find(|it| it.id == self.id);
        found.expect("it was found by its name before")
    }

    pub(super) fn now_ms(&self) -> i64 {
        self.state.now_ms()
    }

    /// An address below the repository's.
    pub(super) fn url(&self, rest: &str) -> String {
        format!("{}/repos/{}/{rest}", self.state.base_url, self.repository().full_name())
    }
}

/// Carries out any request.
pub(super) fn answer(state: &mut State, asked: &Asked, seen: &Seen) -> Answer {
    let parts: Vec<&str> = asked.parts.iter().map(String::as_str).collect();
    if let ["app", rest @ ..] = parts.as_slice() {
        return apps::answer(state, asked, rest);
    }
    if let ["repos", owner, name, "installation"] = parts.as_slice() {
        return apps::installation(state, asked, &format!("{owner}/{name}"));
    }
    let caller = access::caller(state, asked.bearer())?;
    match parts.as_slice() {
        ["user"] if asked.method == "GET" => repositories::user(state, &caller),
        ["user", "repos"] if asked.method == "POST" => creation::create(state, asked, &caller, None),
        ["orgs", organisation, "repos"] if asked.method == "POST" => creation::create(state, asked, &caller, Some(organisation)),
        ["rate_limit"] if asked.method == "GET" => repositories::rate_limit(state, &caller),
        ["repositories", id, rest @ ..] => by_number(state, asked, &caller, id, rest, seen),
        ["repos", owner, name, rest @ ..] => by_name(state, asked, &caller, &format!("{owner}/{name}"), rest, seen),
        _ => Err(not_found()),
    }
}

fn by_number(state: &mut State, asked: &Asked, caller: &Caller, id: &str, rest: &[&str], seen: &Seen) -> Answer {
    let id = id.parse().map_err(|_| not_found())?;
    state.by_id(id).ok_or_else(not_found)?;
    in_repository(Visit { state, asked, caller, id, seen }, rest)
}

fn by_name(state: &mut State, asked: &Asked, caller: &Caller, name: &str, rest: &[&str], seen: &Seen) -> Answer {
    if let Some(found) = state.repositories.iter().find(|it| it.is_called(name)) {
        let id = found.id;
        return in_repository(Visit { state, asked, caller, id, seen }, rest);
    }
    let moved = state.repositories.iter().find(|it| it.former.iter().any(|former| former.eq_ignore_ascii_case(name)));
    let moved = moved.ok_or_else(not_found)?;
    access::check(caller, moved, None)?;
    let rest = asked.raw_path.split('/').skip(4).map(|part| format!("/{part}")).collect::<String>();
    let query = if asked.raw_query.is_empty() { String::new() } else { format!("?{}", asked.raw_query) };
    let status = if asked.method == "GET" { 301 } else { 307 };
    Ok(Given::moved(status, format!("{}/repositories/{}{rest}{query}", state.base_url, moved.id)))
}

fn in_repository(mut visit: Visit<'_>, rest: &[&str]) -> Answer {
    let method = visit.asked.method.clone();
    let needed = needed(&method, rest).ok_or_else(not_found)?;
    access::check(visit.caller, visit.repository(), needed)?;
    let it = &mut visit;
    match (method.as_str(), rest) {
        ("GET", []) => repositories::get(it),
        ("GET", ["contents"]) => contents::get(it, ""),
        ("GET", ["contents", path @ ..]) => contents::get(it, &path.join("/")),
        ("PUT", ["contents", path @ ..]) => writing::put(it, &path.join("/")),
        ("DELETE", ["contents", path @ ..]) => writing::delete(it, &path.join("/")),
        ("GET", ["commits"]) => commits::list(it),
        ("GET", ["commits", name @ ..]) => commits::get(it, &name.join("/")),
        ("GET", ["branches"]) => refs::branches(it),
        ("GET", ["branches", name @ ..]) => refs::branch(it, &name.join("/")),
        ("GET", ["git", "ref", name @ ..]) => refs::get(it, &name.join("/")),
        ("POST", ["git", "refs"]) => refs::create(it),
        ("PATCH", ["git", "refs", name @ ..]) => refs::update(it, &name.join("/")),
        ("DELETE", ["git", "refs", name @ ..]) => refs::delete(it, &name.join("/")),
        ("GET", ["git", "trees", name @ ..]) => trees::get(it, &name.join("/")),
        ("POST", ["git", "trees"]) => trees::create(it),
        ("GET", ["git", "commits", name]) => commits::get_object(it, name),
        ("POST", ["git", "commits"]) => commits::create(it),
        ("GET", ["git", "blobs", name]) => blobs::get(it, name),
        ("POST", ["git", "blobs"]) => blobs::create(it),
        ("POST", ["dispatches"]) => dispatches::create(it),
        (_, ["actions", rest @ ..]) => actions::answer(it, rest),
        _ => Err(not_found()),
    }
}

/// The right that a route needs; `None` for what is no route, `Some(None)` for what seeing the repository is enough for.
fn needed(method: &str, rest: &[&str]) -> Option<Option<(Permission, Level)>> {
    let level = if method == "GET" { Level::Read } else { Level::Write };
    match (method, rest) {
        ("GET", []) => Some(None),
        (_, ["contents" | "commits" | "branches" | "git", ..]) | ("POST", ["dispatches"]) => {
            Some(Some((Permission::Contents, level)))
        }
        (_, ["actions", "variables", ..]) => Some(Some((Permission::Variables, level))),
        (_, ["actions", "secrets", ..]) => Some(Some((Permission::Secrets, level))),
        _ => None,
    }
}
