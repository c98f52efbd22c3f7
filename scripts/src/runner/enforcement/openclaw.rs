//! OpenClaw, 2026.9: `openclaw agent exec` with a configuration of the runner's alone, whose tool policy allows what is
//! named. The user's own configuration is left out; models are chosen in the command, logins are those that are stored.

use serde_json::json;

use super::command_line::Known;
use super::{Enforcement, Held, Place, has, unknown_flag, unknown_tools};

const KNOWN: Known =
    Known { flags: &["--json", "--local-model-lean"], valued: &["--fallback", "--model", "--thinking", "--timeout"] };
/// Each with the policy's names for it.
const TOOLS: [(&str, &[&str]); 2] = [("read", &["read"]), ("edit", &["edit", "write", "apply_patch"])];
/// Every tool of the server `pager`.
const PAGER_TOOLS: &str = "pager__*";
/// Denied whatever is allowed: what runs things, and what reaches elsewhere.
const DENIED: [&str; 9] = [
    "group:runtime",
    "group:sessions",
    "group:web",
    "group:ui",
    "group:automation",
    "group:messaging",
    "group:nodes",
    "group:agents",
    "group:media",
];

pub fn faults(held: Held<'_>) -> Vec<(&'static str, String)> {
    let mut faults = Vec::new();
    match held.command.get(1..3) {
        Some([agent, exec]) if agent == "agent" && exec == "exec" => {
            faults.extend(KNOWN.first_unknown(&held.command[3..]).map(|flag| unknown_flag(held, flag)));
        }
        _ => faults.push((
            "command",
            "is not `openclaw agent exec`, the only form whose tool policy one run can set; write [\"openclaw\", \"agent\", \"exec\"]"
                .to_owned(),
        )),
    }
    faults.extend(unknown_tools(held, &TOOLS.map(|(name, _)| name)));
    faults
}

/// `openclaw` alone starts no run, and `openclaw agent` one that has the user's own tool policy.
pub fn complete(command: &mut Vec<String>) {
    for (place, word) in [(1, "agent"), (2, "exec")] {
        match command.get(place) {
            Some(argument) if argument == word => {}
            Some(argument) if !argument.starts_with('-') => return,
            _ => command.insert(place, word.to_owned()),
        }
    }
}

pub fn enforcement(held: Held<'_>, place: Place<'_>) -> Enforcement {
    let tools: Vec<&str> = TOOLS.iter().filter(|(name, _)| has(held, name)).flat_map(|(_, tools)| *tools).copied().collect();
    let mut denied = DENIED.to_vec();
    if tools.is_empty() {
        denied.push("group:fs");
    }
    let allowed = [&[PAGER_TOOLS], tools.as_slice()].concat();
    let configuration = json!({
        "tools": {"allow": allowed, "deny": denied, "fs": {"workspaceOnly": true}},
        "mcp": {"servers": {"pager": {"command": place.ask, "args": ["mcp"]}}},
    });
    let file = place.state.join("openclaw.json");
    let mut arguments =
        vec!["--message-file".to_owned(), "-".to_owned(), "--config".to_owned(), file.to_string_lossy().into_owned()];
    if let Some(folder) = held.folder {
        arguments.extend(["--cwd".to_owned(), folder.to_string_lossy().into_owned()]);
    }
    Enforcement { arguments, files: vec![(file, configuration.to_string())] }
}
