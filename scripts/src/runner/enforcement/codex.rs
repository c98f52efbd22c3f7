//! Codex, 0.171: its own configuration is left out, nobody is asked for approval, and what it has beside the shell is turned
//! off. Locked there is no shell. In a workspace it reads and edits by commands, which a permission profile keeps in the folder,
//! without a network.

use super::command_line::Known;
use super::{Enforcement, Held, Place, has, unknown_flag, unknown_tools};
use crate::runner::access::Access;

const KNOWN: Known = Known {
    flags: &["-", "--ephemeral", "--json", "--oss", "--skip-git-repo-check"],
    valued: &["--color", "--local-provider", "--model", "-m"],
};
const TOOLS: [&str; 3] = ["shell", "read", "edit"];
/// What gives tools beside the shell, or starts programs by itself.
const FEATURES: [&str; 8] =
    ["apps", "browser_use", "computer_use", "hooks", "image_generation", "plugins", "skill_mcp_dependency_install", "view_image"];
const SHELLS: [&str; 2] = ["shell_tool", "unified_exec"];

pub fn faults(held: Held<'_>) -> Vec<(&'static str, String)> {
    let mut faults = Vec::new();
    match held.command.get(1).map(String::as_str) {
        Some("exec" | "e") => {
            let own = without_model(&held.command[2..]);
            faults.extend(KNOWN.first_unknown(&own).map(|flag| unknown_flag(held, flag)));
        }
        _ => faults.push((
            "command",
            "is not `codex exec`, and the prompt goes to standard input; write [\"codex\", \"exec\"]".to_owned(),
        )),
    }
    faults.extend(unknown_tools(held, &TOOLS));
    faults
}

/// `codex` alone would wait for somebody at a terminal.
pub fn complete(command: &mut Vec<String>) {
    if command.get(1).is_none_or(|argument| argument.starts_with('-')) {
        command.insert(1, "exec".to_owned());
    }
}

/// Without `-c model…=…`, which chooses a model and no access.
fn without_model(arguments: &[String]) -> Vec<String> {
    let mut own = Vec::new();
    let mut rest = arguments.iter().peekable();
    while let Some(argument) = rest.next() {
        let is_setting = matches!(argument.as_str(), "-c" | "--config");
        if !(is_setting && rest.next_if(|value| value.starts_with("model")).is_some()) {
            own.push(argument.clone());
        }
    }
    own
}

pub fn enforcement(held: Held<'_>, place: Place<'_>) -> Enforcement {
    let mut arguments: Vec<String> = ["--ignore-user-config", "--ignore-rules", "--strict-config"].map(str::to_owned).to_vec();
    if !held.command.iter().any(|argument| argument == "--skip-git-repo-check") {
        arguments.push("--skip-git-repo-check".to_owned());
    }
    let mut set = |setting: String| arguments.extend(["-c".to_owned(), setting]);
    set("approval_policy=\"never\"".to_owned());
    set("web_search=\"disabled\"".to_owned());
    let ask = serde_json::Value::from(place.ask);
    set(format!(
        "mcp_servers={{pager={{command={ask},args=[\"mcp\"],env_vars=[\"ASK_URL\",\"ASK_TOKEN\",\"PAGER_RUN\"],\
         default_tools_approval_mode=\"approve\"}}}}"
    ));
    if held.access == Access::Workspace {
        let right = if has(held, "edit") { "write" } else { "read" };
        set("default_permissions=\"pager\"".to_owned());
        set(format!(
            "permissions={{pager={{filesystem={{\":minimal\"=\"read\",\":workspace_roots\"={{\".\"=\"{right}\"}}}},\
             network={{enabled=false}}}}}}"
        ));
    } else {
        arguments.extend(["--sandbox", "read-only"].map(str::to_owned));
        arguments.extend(SHELLS.iter().flat_map(|feature| ["--disable".to_owned(), (*feature).to_owned()]));
    }
    arguments.extend(FEATURES.iter().flat_map(|feature| ["--disable".to_owned(), (*feature).to_owned()]));
    Enforcement { arguments, files: Vec::new() }
}
