//! The workflows of the control repository, as they are shipped, and their way there.

use anyhow::bail;
use base64::{Engine, engine::general_purpose::STANDARD};
use http::Method;
use pager_answers::github::{Call, RepositoryName};
use serde_json::json;

use super::asking::Asking;
use crate::commands::repository::Caller;

/// Where the workflow lies that carries events in.
pub(super) const FORWARD: &str = ".github/workflows/pager-forward.yml";

/// Each file with its text.
const FILES: [(&str, &str); 3] = [
    (FORWARD, include_str!("../../../../workflows/pager-forward.yml")),
    (".github/workflows/pager-text.yml", include_str!("../../../../workflows/pager-text.yml")),
    (".github/workflows/pager-answered.yml", include_str!("../../../../workflows/pager-answered.yml")),
];

/// Commits them to the default branch. One that is there and differs is replaced only when somebody at the terminal says so.
///
/// # Errors
/// What GitHub said. Those that were committed before it stay.
pub(super) async fn commit(caller: &Caller, name: &RepositoryName, asking: &mut Asking) -> anyhow::Result<()> {
    for (path, text) in FILES {
        let route = format!("{}/contents/{path}", name.route());
        let there = caller.api().call(name, Call::get(&route)).await.map_err(|failure| refused(path, failure.reason()))?;
        let sha = there.json()["sha"].as_str().map(str::to_owned);
        if sha.is_some() && caller.file(name, path).await.is_ok_and(|found| found.as_deref() == Some(text)) {
            eprintln!("{path} is there already.");
            continue;
        }
        if sha.is_some() && !asking.confirm_in_person(&format!("{path} in {name} is another one. Replace it?"))? {
            eprintln!("{path} stays as it is.");
            continue;
        }
        let mut body = json!({"message": format!("pager: add {path}"), "content": STANDARD.encode(text)});
        if let Some(sha) = sha {
            body["sha"] = sha.into();
        }
        let reply = caller.api().call(name, Call::new(Method::PUT, &route).body(body)).await;
        match reply {
            Ok(reply) if reply.is_success() => eprintln!("Committed {path}."),
            Ok(reply) => bail!(refused(path, reply.failure().reason())),
            Err(failure) => bail!(refused(path, failure.reason())),
        }
    }
    Ok(())
}

fn refused(path: &str, reason: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "{path} cannot be committed: {reason}; give the token the permission Workflows: read and write, or copy the files of workflows/ by hand"
    )
}
