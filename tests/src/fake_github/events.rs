//! Dispatched events, and what a runner would be given for one, so that a test can play a workflow.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::FakeGitHub;
use super::access::{Kind, Level, Permission, Rights, Token, User};
use super::state::State;
use crate::fake_oidc::FakeOidc;

/// A `repository_dispatch`.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// A number of its own; the run's id.
    pub id: u64,
    /// `owner/name`.
    pub repository: String,
    /// Such as `pager-ask`.
    pub event_type: String,
    /// As it was sent.
    pub client_payload: Value,
    /// The default branch.
    pub branch: String,
    /// Who sent it.
    pub sender: User,
    /// By the fake's clock, milliseconds since 1970.
    pub at_ms: i64,
}

/// What a job finds on its machine.
#[derive(Debug, Clone)]
pub struct Runner {
    /// The variables that are there without being set. The variables and secrets of the repository, and the token, are not.
    pub environment: Vec<(String, String)>,
    /// `${{ github.token }}`.
    pub token: String,
    /// `$GITHUB_EVENT_PATH`.
    pub event_path: PathBuf,
    /// `${{ vars.… }}`.
    pub variables: Vec<(String, String)>,
}

impl Event {
    /// The payload of the event, for workflows and webhooks.
    pub(super) fn payload(&self, state: &State) -> Value {
        let repository = state.repository(&self.repository).brief(&state.base_url);
        json!({
            "action": self.event_type, "branch": self.branch, "client_payload": self.client_payload,
            "repository": repository, "sender": self.sender.value(&state.base_url),
        })
    }
}

impl FakeGitHub {
    /// The dispatched events, oldest first.
    pub fn events(&self) -> Vec<Event> {
        self.look(|state| state.events.clone())
    }

    /// Waits for an event of this type beyond the first `after` ones of it.
    ///
    /// # Errors
    /// As [`Self::wait_for`].
    pub async fn wait_for_event(&self, event_type: &str, after: usize) -> anyhow::Result<Event> {
        self.wait_for(&format!("event {event_type}"), |state| {
            state.events.iter().filter(|event| event.event_type == event_type).nth(after).cloned()
        })
        .await
    }

    /// The JSON that a runner has at `$GITHUB_EVENT_PATH`.
    pub fn event_file(&self, event: &Event) -> Value {
        self.look(|state| event.payload(state))
    }

    /// What a job of `.github/workflows/<workflow>` finds on its machine for an event. Its files lie in `folder`; the token has
    /// these rights on its own repository; with an issuer, the job has `id-token: write`.
    ///
    /// # Panics
    /// When the folder cannot be written to.
    pub fn runner(&self, event: &Event, workflow: &str, folder: &Path, rights: Rights, oidc: Option<&FakeOidc>) -> Runner {
        std::fs::create_dir_all(folder.join("work")).expect("the folder can be written to");
        let event_path = folder.join("event.json");
        std::fs::write(&event_path, self.event_file(event).to_string()).expect("the folder can be written to");
        let (token, facts) =
            self.shared().change(|state| (workflow_token(state, event, rights), Facts::of(state, event, workflow)));
        let mut environment = facts.environment(event, workflow, folder);
        environment.push(("GITHUB_EVENT_PATH".to_owned(), event_path.display().to_string()));
        environment.push(("GITHUB_API_URL".to_owned(), self.base_url()));
        if let Some(oidc) = oidc {
            let (url, bearer) = oidc.for_job(facts.claims(event, workflow));
            environment.push(("ACTIONS_ID_TOKEN_REQUEST_URL".to_owned(), url));
            environment.push(("ACTIONS_ID_TOKEN_REQUEST_TOKEN".to_owned(), bearer));
        }
        Runner { environment, token, event_path, variables: facts.variables }
    }
}

/// What the fake knows about the repository of an event.
struct Facts {
    id: u64,
    owner: User,
    is_private: bool,
    sha: String,
    workflow_ref: String,
    variables: Vec<(String, String)>,
}

impl Facts {
    fn of(state: &State, event: &Event, workflow: &str) -> Self {
        let repository = state.repository(&event.repository);
        let sha = repository.git.head(&event.branch).map(|id| id.to_string()).unwrap_or_else(|| "0".repeat(40));
        Self {
            id: repository.id,
            owner: repository.owner.clone(),
            is_private: repository.is_private,
            sha,
            workflow_ref: format!("{}/.github/workflows/{workflow}@refs/heads/{}", event.repository, event.branch),
            variables: repository.variables.clone().into_iter().collect(),
        }
    }

    fn environment(&self, event: &Event, workflow: &str, folder: &Path) -> Vec<(String, String)> {
        let file = |name: &str| folder.join(name).display().to_string();
        let pairs = [
            ("CI", "true".to_owned()),
            ("GITHUB_ACTIONS", "true".to_owned()),
            ("GITHUB_ACTOR", event.sender.login.clone()),
            ("GITHUB_ACTOR_ID", event.sender.id.to_string()),
            ("GITHUB_ENV", file("env")),
            ("GITHUB_EVENT_NAME", "repository_dispatch".to_owned()),
            ("GITHUB_OUTPUT", file("output")),
            ("GITHUB_PATH", file("path")),
            ("GITHUB_REF", format!("refs/heads/{}", event.branch)),
            ("GITHUB_REF_NAME", event.branch.clone()),
            ("GITHUB_REF_TYPE", "branch".to_owned()),
            ("GITHUB_REPOSITORY", event.repository.clone()),
            ("GITHUB_REPOSITORY_ID", self.id.to_string()),
            ("GITHUB_REPOSITORY_OWNER", self.owner.login.clone()),
            ("GITHUB_REPOSITORY_OWNER_ID", self.owner.id.to_string()),
            ("GITHUB_RUN_ATTEMPT", "1".to_owned()),
            ("GITHUB_RUN_ID", event.id.to_string()),
            ("GITHUB_RUN_NUMBER", event.id.to_string()),
            ("GITHUB_SERVER_URL", "https://github.com".to_owned()),
            ("GITHUB_SHA", self.sha.clone()),
            ("GITHUB_STEP_SUMMARY", file("summary")),
            ("GITHUB_WORKFLOW", workflow.to_owned()),
            ("GITHUB_WORKFLOW_REF", self.workflow_ref.clone()),
            ("GITHUB_WORKFLOW_SHA", self.sha.clone()),
            ("GITHUB_WORKSPACE", file("work")),
            ("RUNNER_OS", "Linux".to_owned()),
            ("RUNNER_TEMP", folder.display().to_string()),
        ];
        pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn claims(&self, event: &Event, workflow: &str) -> Value {
        let name = event.repository.split_once('/').map_or("", |(_, name)| name);
        let of_ref = format!("refs/heads/{}", event.branch);
        json!({
            "sub": format!("repo:{}@{}/{name}@{}:ref:{of_ref}", self.owner.login, self.owner.id, self.id),
            "repository": event.repository, "repository_id": self.id.to_string(),
            "repository_owner": self.owner.login, "repository_owner_id": self.owner.id.to_string(),
            "repository_visibility": if self.is_private { "private" } else { "public" },
            "ref": of_ref, "ref_type": "branch", "ref_protected": "false", "sha": self.sha,
            "workflow": workflow, "workflow_ref": self.workflow_ref, "workflow_sha": self.sha,
            "job_workflow_ref": self.workflow_ref, "job_workflow_sha": self.sha,
            "event_name": "repository_dispatch", "actor": event.sender.login, "actor_id": event.sender.id.to_string(),
            "run_id": event.id.to_string(), "run_number": event.id.to_string(), "run_attempt": "1",
            "runner_environment": "github-hosted", "head_ref": "", "base_ref": "",
        })
    }
}

/// `GITHUB_TOKEN`: it reaches its own repository alone, and dies with the job.
fn workflow_token(state: &mut State, event: &Event, mut rights: Rights) -> String {
    let (number, id) = (state.new_id(), state.repository(&event.repository).id);
    let text = format!("ghs_workflow{number}");
    // It can never change workflow files.
    rights.0.remove(&Permission::Workflows);
    let expires_ms = Some(state.now_ms() + 6 * 3_600_000);
    let user = User { login: "github-actions[bot]".to_owned(), id: 41_898_282, is_bot: true };
    let rights = std::collections::BTreeMap::from([(id, rights)]);
    let budget = format!("workflow:{id}");
    state.tokens.insert(text.clone(), Token { user, kind: Kind::Workflow, rights, may_create: false, expires_ms, budget });
    text
}

/// May a listener with these rights be told of dispatches?
pub(super) fn may_hear(rights: &Rights) -> bool {
    rights.0.get(&Permission::Contents) >= Some(&Level::Read)
}
