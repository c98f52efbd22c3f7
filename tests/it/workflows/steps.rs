//! Reads workflows and actions as GitHub does: which script a step runs, with which environment. Knows only the few
//! expressions that are used; any other is an error, so that none comes in unseen.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Where the workflows lie.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../workflows").canonicalize().unwrap()
}

/// A workflow or an action, as it stands in its file.
pub fn file(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// One `run:` block with its environment, not evaluated yet.
#[derive(Debug, Clone)]
pub struct Step {
    /// What bash gets.
    pub script: String,
    /// Its `env`; workflows and jobs have none.
    pub environment: BTreeMap<String, String>,
    /// The `permissions` of its job; null in an action.
    pub permissions: Value,
}

/// The only step with a script in this job of this workflow.
pub fn step(workflow: &str, job: &str) -> Step {
    let file = file(workflow);
    let job = &file["jobs"][job];
    only(&job["steps"], &job["permissions"])
}

/// The only step of this action.
pub fn action(name: &str) -> Step {
    only(&file(name)["runs"]["steps"], &Value::Null)
}

fn only(steps: &Value, permissions: &Value) -> Step {
    let [step] = steps.as_array().unwrap().as_slice() else { panic!("there is more than one step: {steps}") };
    let variables = step["env"].as_object().into_iter().flatten();
    let environment = variables.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect();
    Step { script: step["run"].as_str().unwrap().to_owned(), environment, permissions: permissions.clone() }
}

/// What expressions stand for in one run: `vars.NAME`, `secrets.NAME` and so on. What is not set is empty, as on GitHub.
#[derive(Debug, Default, Clone)]
pub struct Context(pub BTreeMap<String, String>);

impl Context {
    /// Sets one name.
    pub fn set(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), value.to_owned());
    }

    /// The text with each `${{ … }}` replaced. Panics at an expression that is not in the table.
    pub fn evaluate(&self, text: &str) -> String {
        let mut parts = text.split("${{");
        let mut evaluated = parts.next().unwrap().to_owned();
        for part in parts {
            let (expression, rest) = part.split_once("}}").expect("an expression ends");
            evaluated.push_str(&self.value(expression.trim()));
            evaluated.push_str(rest);
        }
        evaluated
    }

    fn value(&self, expression: &str) -> String {
        let known = ["vars.", "secrets.", "needs."].iter().any(|kind| expression.starts_with(kind));
        let known = known || ["github.token", "github.run_id", "toJSON(inputs)"].contains(&expression);
        let is_plain = expression.chars().all(|each| each.is_ascii_alphanumeric() || "._()-".contains(each));
        assert!(known && is_plain, "the expression {expression} is not in the table of these tests");
        self.0.get(expression).cloned().unwrap_or_default()
    }
}
