//! What holds for every file in `workflows/`, whoever changes it: rights, expressions, time limits, nobody else's code.

use serde_json::{Value, json};

use super::steps::{file, folder};

const WORKFLOWS: [&str; 3] = ["pager-answered.yml", "pager-forward.yml", "pager-text.yml"];

fn jobs(workflow: &Value) -> impl Iterator<Item = (&String, &Value)> {
    workflow["jobs"].as_object().unwrap().iter()
}

fn steps(of: &Value) -> &[Value] {
    of["steps"].as_array().unwrap()
}

#[test]
fn these_are_all_the_workflows() {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut found: Vec<String> = entries.filter(|name| name.ends_with("yml")).collect();
    found.sort();
    assert_eq!(found, WORKFLOWS);
}

#[test]
fn a_workflow_has_no_right_and_each_job_only_its_own() {
    let mut granted = Vec::new();
    for name in WORKFLOWS {
        let workflow = file(name);
        assert_eq!(workflow["permissions"], json!({}), "{name}");
        granted.extend(jobs(&workflow).map(|(job, body)| format!("{name} {job} {}", body["permissions"])));
    }
    let expected = [
        r#"pager-answered.yml repeat {"actions":"read"}"#,
        "pager-answered.yml resume {}",
        r#"pager-forward.yml forward {"id-token":"write"}"#,
        r#"pager-forward.yml inbox {"contents":"write"}"#,
        "pager-text.yml agent {}",
        r#"pager-text.yml reply {"contents":"write"}"#,
    ];
    assert_eq!(granted, expected);
}

#[test]
fn each_job_has_an_end_and_a_name_and_runs_nobody_elses_code() {
    for name in WORKFLOWS {
        let workflow = file(name);
        assert_eq!(workflow["defaults"]["run"]["shell"], "bash", "{name}: only then does a pipe fail as a whole");
        for (job, body) in jobs(&workflow) {
            assert!(body["timeout-minutes"].as_u64().is_some_and(|minutes| minutes <= 60), "{name} {job}");
            assert!(body["name"].is_string(), "{name} {job}");
            assert!(steps(body).iter().all(|step| step["uses"].is_null() && step["timeout-minutes"].is_null()), "{name} {job}");
        }
    }
    assert!(steps(&file("install-ask/action.yml")["runs"]).iter().all(|step| step["uses"].is_null() && step["shell"] == "bash"));
}

#[test]
fn each_step_is_whole_by_itself() {
    for name in WORKFLOWS {
        let workflow = file(name);
        assert!(workflow["env"].is_null() && jobs(&workflow).all(|(_, body)| body["env"].is_null()), "{name}");
    }
}

#[test]
fn no_script_holds_an_expression() {
    for name in WORKFLOWS {
        let workflow = file(name);
        for (job, body) in jobs(&workflow) {
            assert!(steps(body).iter().all(|step| !step["run"].as_str().unwrap().contains("${{")), "{name} {job}");
        }
    }
    assert!(steps(&file("install-ask/action.yml")["runs"]).iter().all(|step| !step["run"].as_str().unwrap().contains("${{")));
}

#[test]
fn a_newer_event_cancels_no_older_one() {
    let group = |name: &str| {
        let workflow = file(name);
        assert_eq!(workflow["concurrency"]["cancel-in-progress"], false, "{name}");
        workflow["concurrency"]["group"].as_str().unwrap().to_owned()
    };
    assert_eq!(group("pager-forward.yml"), "pager-forward-${{ github.run_id }}");
    assert_eq!(group("pager-text.yml"), "pager-text-${{ github.run_id }}");
    assert_eq!(group("pager-answered.yml"), "pager-answered-${{ github.event.client_payload.pager.delivery }}");
}

#[test]
fn the_workflows_listen_to_their_events_and_to_nothing_else() {
    let types = |name: &str| {
        let workflow = file(name);
        let on = workflow["on"].as_object().unwrap().clone();
        assert_eq!(on.keys().collect::<Vec<_>>(), ["repository_dispatch"], "{name}");
        on["repository_dispatch"]["types"].clone()
    };
    let carried = json!(["pager-ask", "pager-withdraw", "pager-update", "pager-request", "pager-reply", "pager-offer"]);
    assert_eq!(types("pager-forward.yml"), carried);
    assert_eq!(types("pager-text.yml"), json!(["pager-text"]));
    assert_eq!(types("pager-answered.yml"), json!(["pager-answered"]));
}

#[test]
fn the_address_alone_decides_between_forwarding_and_the_branch() {
    let workflow = file("pager-forward.yml");
    assert_eq!(workflow["jobs"]["forward"]["if"], "vars.PAGER_URL != ''");
    assert_eq!(workflow["jobs"]["inbox"]["if"], "vars.PAGER_URL == ''");
}

#[test]
fn a_step_that_runs_an_agent_has_no_token_and_one_key_of_its_own() {
    for (name, job) in [("pager-text.yml", "agent"), ("pager-answered.yml", "resume")] {
        let workflow = file(name);
        let [step] = steps(&workflow["jobs"][job]) else { panic!("{name}: more than one step") };
        let variables = step["env"].as_object().unwrap();
        let environment: Vec<&str> = variables.values().map(|value| value.as_str().unwrap()).collect();
        let given: Vec<&str> = environment.into_iter().filter(|value| !value.starts_with("${{ vars.")).collect();
        assert_eq!(given, ["${{ secrets.AGENT_KEY }}"], "{name}");
    }
}

#[test]
fn the_pauses_of_the_forwarder_fit_into_its_time() {
    for job in ["forward", "inbox"] {
        let workflow = file("pager-forward.yml");
        let pauses = workflow["jobs"][job]["steps"][0]["env"]["PAUSES"].as_str().unwrap().to_owned();
        let pauses: Vec<u64> = pauses.split(' ').map(|pause| pause.parse().unwrap()).collect();
        let calls = (pauses.len() as u64 + 1) * (20 + 30);
        let limit = workflow["jobs"][job]["timeout-minutes"].as_u64().unwrap() * 60;
        assert!(pauses.iter().sum::<u64>() > 120 && pauses.iter().sum::<u64>() + calls < limit, "{job}");
    }
}
