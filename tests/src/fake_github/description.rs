//! Requests against a cut of GitHub's published description, where `tests/github-description` has fetched one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::request::Asked;

/// One request that is described.
struct Operation {
    method: String,
    /// Such as `repos`, `{owner}`, `{repo}`, `contents`, `{path}`.
    template: Vec<String>,
    /// By the name of the path's part.
    parameters: BTreeMap<String, Validator>,
    body: Option<Validator>,
    needs_body: bool,
}

fn operations() -> &'static [Operation] {
    static OPERATIONS: OnceLock<Vec<Operation>> = OnceLock::new();
    OPERATIONS.get_or_init(|| load().unwrap_or_default())
}

/// Is there a description at hand?
#[cfg(test)]
pub(super) fn is_at_hand() -> bool {
    !operations().is_empty()
}

/// `PAGER_GITHUB_DESCRIPTION`, else a file below the target folder.
fn load() -> Option<Vec<Operation>> {
    let usual = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/github-description.json");
    let file = std::env::var_os("PAGER_GITHUB_DESCRIPTION").map_or_else(usual, PathBuf::from);
    let described: Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    let paths = described.get("paths")?.as_object()?;
    let all = paths.iter().flat_map(|(path, methods)| {
        methods.as_object().into_iter().flatten().map(move |(method, operation)| read(path, method, operation))
    });
    Some(all.collect())
}

fn read(path: &str, method: &str, operation: &Value) -> Operation {
    let validator = |schema: &Value| jsonschema::draft7::new(schema).ok();
    let parameters = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    let in_path = parameters.filter(|it| it["in"] == "path");
    Operation {
        method: method.to_uppercase(),
        template: path.split('/').skip(1).map(str::to_owned).collect(),
        parameters: in_path.filter_map(|it| Some((it["name"].as_str()?.to_owned(), validator(&it["schema"])?))).collect(),
        body: operation.pointer("/requestBody/content/application~1json/schema").and_then(validator),
        needs_body: operation.pointer("/requestBody/required") == Some(&Value::Bool(true)),
    }
}

/// What the description has against a request; nothing for requests that it does not describe.
pub(super) fn violation(asked: &Asked) -> Option<String> {
    let fitting = operations().iter().filter(|it| it.method == asked.method);
    // A path with fewer variable parts is the better description.
    let (operation, variables) = fitting
        .filter_map(|it| Some((it, variables(&it.template, &asked.parts)?)))
        .min_by_key(|(_, variables)| variables.len())?;
    let told = |what: &str| format!("{} {}: {what}", asked.method, asked.path());
    for (name, value) in &variables {
        let Some(schema) = operation.parameters.get(name) else { continue };
        let as_number = value.parse::<i64>().ok().map(Value::from).filter(|number| schema.is_valid(number));
        if as_number.is_none() && !schema.is_valid(&Value::from(value.as_str())) {
            return Some(told(&format!("{name} must not be {value}")));
        }
    }
    let schema = operation.body.as_ref()?;
    let body = match (asked.body.is_empty(), operation.needs_body) {
        (true, false) => return None,
        (true, true) => Value::Object(Map::new()),
        (false, _) => serde_json::from_slice(&asked.body).unwrap_or_default(),
    };
    let error = schema.iter_errors(&body).next()?;
    Some(told(&format!("{error} at {}", error.instance_path())))
}

/// The variable parts of a path, when it is one of this template. The last may hold slashes.
fn variables(template: &[String], parts: &[String]) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    for (place, wanted) in template.iter().enumerate() {
        let part = parts.get(place)?;
        match wanted.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            Some(name) if place + 1 == template.len() && matches!(name, "path" | "ref") => {
                found.push((name.to_owned(), parts[place..].join("/")));
                return Some(found);
            }
            Some(name) => found.push((name.to_owned(), part.clone())),
            None if part == wanted => {}
            None => return None,
        }
    }
    (template.len() == parts.len()).then_some(found)
}
