//! Which reserved actions an agent may do without asking: by category, and stricter by project. What is not set asks.

use std::collections::BTreeMap;

use pager_questions::GateCategory;
use pager_questions::gate::{NEVER_DELEGATED, Policies, Policy};

use super::reader::Reader;

/// What a policy may be.
const SHAPE: &str = "owner or delegated";

/// `gates.<category>` and `projects.<name>.gates.<category>`.
#[derive(Debug, Default)]
pub struct Gates {
    /// As the service asks of them.
    pub policies: Policies,
}

impl Gates {
    pub(super) fn read(reader: &mut Reader) -> Self {
        let mut policies = Policies::default();
        for key in reader.keys_below("gates") {
            if let Some((category, policy)) = one(reader, &key, key.strip_prefix("gates.").unwrap_or_default()) {
                policies.everywhere.insert(category, policy);
            }
        }
        for key in reader.keys_below("projects") {
            let inner = key.strip_prefix("projects.").and_then(|rest| rest.rsplit_once(".gates."));
            let Some((project, category)) = inner else { continue };
            if let Some((category, policy)) = one(reader, &key, category) {
                let of_project: &mut BTreeMap<_, _> = policies.projects.entry(project.to_owned()).or_default();
                of_project.insert(category, policy);
            }
        }
        Self { policies }
    }
}

/// The policy at this key, and the category that it is about.
fn one(reader: &mut Reader, key: &str, category: &str) -> Option<(GateCategory, Policy)> {
    let word = reader.text(key)?;
    let category = GateCategory::parse(category)
        .map_err(|error| reader.problem(key, &format!("is about no category: {error}; correct its name")))
        .ok()?;
    let policy = Policy::parse(word.trim());
    match policy {
        None => reader.problem(key, &format!("is {word:?}, which is not {SHAPE}")),
        Some(Policy::Delegated) if category.as_str() == NEVER_DELEGATED => {
            reader.problem(key, "is delegated, which an action never is; set it to owner, or take it out");
            return None;
        }
        Some(_) => {}
    }
    policy.map(|policy| (category, policy))
}
