//! Wake targets: what an agent may name when it asks, so that it need not wait. An agent only names one.

use std::collections::BTreeSet;

use pager_questions::WakeName;

use super::reader::Reader;

/// `wake.<name>.*`
#[derive(Debug, Default)]
pub struct Wakes {
    /// Those of kind `dispatch`: the event `pager-answered` to the control repository.
    pub names: BTreeSet<WakeName>,
    /// Those of kind `runner`: the agent's own runner hears of it, as of everything else that concerns the agent.
    pub runners: BTreeSet<WakeName>,
}

impl Wakes {
    /// `can_dispatch`: is there a control repository, and something to call GitHub with?
    pub(super) fn read(reader: &mut Reader, can_dispatch: bool) -> Self {
        let (mut names, mut runners) = (BTreeSet::new(), BTreeSet::new());
        for name in reader.names_below("wake") {
            let key = |last: &str| format!("wake.{name}.{last}");
            // Nothing but another kind has an address and a secret.
            let has_more = ["url", "secret", "secret_file"].map(|last| reader.discard(&key(last))).contains(&true);
            let kind = reader.text(&key("kind"));
            let parsed = WakeName::parse(&name);
            match (kind.as_deref(), parsed) {
                (_, Err(error)) => reader.problem(&key("kind"), &format!("cannot be named so: {error}")),
                (Some(kind @ ("dispatch" | "runner")), Ok(_)) if has_more => {
                    reader.problem(&key("kind"), &format!("is {kind}, which takes no url and no secret; take them out"));
                }
                (Some("runner"), Ok(name)) => {
                    runners.insert(name);
                }
                (Some("dispatch"), Ok(_)) if !can_dispatch => {
                    let detail = "is dispatch, which needs control.repo, and github.token or a GitHub App; set them";
                    reader.problem(&key("kind"), detail);
                }
                (Some("dispatch"), Ok(name)) => {
                    names.insert(name);
                }
                (Some("webhook"), Ok(_)) => {
                    reader.problem(&key("kind"), "is webhook, which this version does not have yet; use dispatch or runner");
                }
                (Some(other), Ok(_)) => reader.problem(&key("kind"), &format!("is {other:?}; the kinds are dispatch and runner")),
                (None, Ok(_)) => reader.missing(&key("kind"), "is missing; set it to dispatch or runner"),
            }
        }
        Self { names, runners }
    }
}
