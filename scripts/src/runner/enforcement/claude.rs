//! Claude Code, 2.1: its built-in tools are named one by one, its own settings and servers are left out, and what would need
//! a person's permission is denied. `--restricted` also keeps the file tools within the folder that it runs in.

use serde_json::json;

use super::command_line::Known;
use super::{Enforcement, Held, Place, has, unknown_flag, unknown_tools};
use crate::runner::access::Access;

const KNOWN: Known = Known {
    flags: &["-p", "--print", "--verbose", "--no-session-persistence", "--include-partial-messages"],
    valued: &[
        "--append-system-prompt",
        "--effort",
        "--fallback-model",
        "--max-budget-usd",
        "--max-turns",
        "--model",
        "--output-format",
        "--system-prompt",
    ],
};
/// Each with the program's names for it.
const TOOLS: [(&str, &[&str]); 2] = [("read", &["Read", "Glob", "Grep"]), ("edit", &["Edit", "Write"])];
/// Every tool of the server `pager`.
const PAGER_TOOLS: &str = "mcp__pager";

pub fn faults(held: Held<'_>) -> Vec<(&'static str, String)> {
    let arguments = &held.command[1..];
    let mut faults = Vec::new();
    faults.extend(KNOWN.first_unknown(arguments).map(|flag| unknown_flag(held, flag)));
    faults.extend(unknown_tools(held, &TOOLS.map(|(name, _)| name)));
    faults
}

/// Without `-p` it would wait for somebody at a terminal.
pub fn complete(command: &mut Vec<String>) {
    if !command.iter().any(|argument| matches!(argument.as_str(), "-p" | "--print")) {
        command.insert(1, "-p".to_owned());
    }
}

pub fn enforcement(held: Held<'_>, place: Place<'_>) -> Enforcement {
    let tools: Vec<&str> = TOOLS.iter().filter(|(name, _)| has(held, name)).flat_map(|(_, tools)| *tools).copied().collect();
    let server = json!({"mcpServers": {"pager": {"type": "stdio", "command": place.ask, "args": ["mcp"]}}});
    let allowed = [&[PAGER_TOOLS], tools.as_slice()].concat();
    let built_in = if held.access == Access::Locked { String::new() } else { tools.join(",") };
    let arguments = [
        "--restricted",
        "--disable-slash-commands",
        "--strict-mcp-config",
        "--mcp-config",
        &server.to_string(),
        "--permission-mode",
        "dontAsk",
        "--tools",
        &built_in,
        "--allowedTools",
        &allowed.join(","),
    ];
    Enforcement { arguments: arguments.map(str::to_owned).to_vec(), files: Vec::new() }
}
