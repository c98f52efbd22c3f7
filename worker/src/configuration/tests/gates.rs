//! Gates: a policy a category, stricter by project, and words that are no policy.

use pager_questions::GateCategory;
use pager_questions::gate::Policy;

use super::Setup;

fn category(name: &str) -> GateCategory {
    GateCategory::parse(name).unwrap()
}

#[test]
fn a_category_has_a_policy_and_a_project_one_of_its_own() {
    let file = "[gates]\nmerge = 'delegated'\nspend = 'owner'\n[projects.'my.site'.gates]\nmerge = 'owner'\n";
    let policies = Setup::file(file).loaded().gates.policies;
    let everywhere: Vec<_> = policies.everywhere.into_iter().collect();
    assert_eq!(everywhere, [(category("merge"), Policy::Delegated), (category("spend"), Policy::Owner)]);
    assert_eq!(policies.projects["my.site"][&category("merge")], Policy::Owner);
    assert!(Setup::file("").loaded().gates.policies.everywhere.is_empty());
}

#[test]
fn the_environment_names_both() {
    let setup = Setup::file("[gates]\nmerge = 'owner'\n")
        .variable("PAGER_GATES__MERGE", "delegated")
        .variable("PAGER_GATES__EXTERNAL_WRITE", "owner")
        .variable("PAGER_PROJECTS__WEB__GATES__MERGE", "owner");
    let policies = setup.loaded().gates.policies;
    assert_eq!(policies.everywhere[&category("merge")], Policy::Delegated);
    assert_eq!(policies.everywhere[&category("external_write")], Policy::Owner);
    assert_eq!(policies.projects["web"][&category("merge")], Policy::Owner);
}

#[test]
fn a_word_that_is_no_policy_does_not_start() {
    let file = "[gates]\nmerge = 'allow'\naction = 'delegated'\n'Merge it' = 'owner'\n[projects.web.gates]\nspend = ''\n";
    let faults = Setup::file(file).faults();
    let expected = [
        "gates.Merge it at FILE: is about no category: a category is 1 to 64 of a-z, 0-9, _ and -, and begins with a letter or \
         digit, such as merge or spend; correct its name",
        "gates.action at FILE: is delegated, which an action never is; set it to owner, or take it out",
        "gates.merge at FILE: is \"allow\", which is not owner or delegated",
        "projects.web.gates.spend at FILE: is \"\", which is not owner or delegated",
    ];
    assert_eq!(faults, expected);
}

#[test]
fn a_key_of_a_project_that_is_no_gate_is_unknown() {
    let faults = Setup::file("[projects.web]\ngate = 'owner'\n[projects.web.gates.merge]\nwhen = 'now'\n").faults();
    let unknown = "is not a setting of this version; correct its name or take it out";
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults.contains(&format!("projects.web.gate at FILE: {unknown}")), "{faults:?}");
    assert!(
        faults.iter().any(|fault| fault.starts_with("projects.web.gates.merge.when at FILE: is about no category")),
        "{faults:?}"
    );
}
