//! Which reserved actions an agent may do without asking. Whatever no policy allows asks.

use std::collections::BTreeMap;

use pager_questions::gate::{Policies, Policy};
use pager_questions::{GateCategory, Purpose, Question, Source};

use super::samples::{agent, question};

fn category(name: &str) -> GateCategory {
    GateCategory::parse(name).unwrap()
}

/// An approval of this category, of work that its agent says is for this project.
fn approval(gate: Option<&str>, project: Option<&str>) -> Question {
    let source = Source { agent: agent(), run: None, task: None, project: project.map(str::to_owned), seat_hint: None };
    Question { purpose: Purpose::Approval, gate: gate.map(category), source, ..question() }
}

fn policies(everywhere: &[(&str, Policy)], projects: &[(&str, &str, Policy)]) -> Policies {
    let mut policies = Policies {
        everywhere: everywhere.iter().map(|(name, policy)| (category(name), *policy)).collect(),
        projects: BTreeMap::new(),
    };
    for (project, name, policy) in projects {
        policies.projects.entry((*project).to_owned()).or_default().insert(category(name), *policy);
    }
    policies
}

#[test]
fn what_no_policy_speaks_of_asks() {
    let some = policies(&[("merge", Policy::Delegated), ("spend", Policy::Owner)], &[]);
    assert!(some.delegates(&approval(Some("merge"), None), None));
    for gate in [None, Some("spend"), Some("plan"), Some("merge2")] {
        assert!(!some.delegates(&approval(gate, None), None), "{gate:?}");
    }
    assert!(!Policies::default().delegates(&approval(Some("merge"), None), None));
}

#[test]
fn only_an_approval_is_delegated_and_an_action_never_is() {
    let all = policies(&[("merge", Policy::Delegated), ("action", Policy::Delegated)], &[("web", "action", Policy::Delegated)]);
    for purpose in Purpose::ALL {
        let asked = Question { purpose, ..approval(Some("merge"), None) };
        assert_eq!(all.delegates(&asked, None), purpose == Purpose::Approval, "{purpose:?}");
    }
    assert!(!all.delegates(&approval(Some("action"), Some("web")), Some("web")));
}

#[test]
fn a_project_that_is_only_claimed_makes_a_policy_stricter_and_never_laxer() {
    let strict = policies(&[("merge", Policy::Delegated)], &[("web", "merge", Policy::Owner)]);
    assert!(!strict.delegates(&approval(Some("merge"), Some("web")), None));
    assert!(strict.delegates(&approval(Some("merge"), Some("other")), None));
    let lax = policies(&[("merge", Policy::Owner)], &[("web", "merge", Policy::Delegated), ("web", "spend", Policy::Delegated)]);
    for gate in ["merge", "spend"] {
        assert!(!lax.delegates(&approval(Some(gate), Some("web")), None), "{gate}");
    }
}

#[test]
fn a_project_that_the_token_is_bound_to_decides_for_itself() {
    let own = policies(&[("merge", Policy::Owner)], &[("web", "merge", Policy::Delegated), ("shop", "merge", Policy::Owner)]);
    for claimed in [None, Some("web")] {
        assert!(own.delegates(&approval(Some("merge"), claimed), Some("web")), "{claimed:?}");
    }
    // A token of one project that works on another one.
    for claimed in ["shop", "other"] {
        assert!(!own.delegates(&approval(Some("merge"), Some(claimed)), Some("web")), "{claimed}");
    }
    let strict = policies(&[("merge", Policy::Delegated)], &[("web", "merge", Policy::Owner)]);
    for claimed in [None, Some("web"), Some("other")] {
        assert!(!strict.delegates(&approval(Some("merge"), claimed), Some("web")), "{claimed:?}");
    }
}
