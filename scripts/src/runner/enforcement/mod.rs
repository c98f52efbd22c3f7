//! What makes an access true: for each runtime that is known, the flags that its own program holds the model to. A command
//! is taken only when every flag in it is known to leave that alone; anything else is refused, with the way out.

mod claude;
mod codex;
mod command_line;
mod openclaw;

use std::path::{Path, PathBuf};

use super::access::Access;
use super::runtime::Runtime;

/// What an access is to hold a command to.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// The command, with its program first.
    pub command: &'a [String],
    /// What it is.
    pub runtime: Runtime,
    /// Locked or workspace; inherit holds to nothing.
    pub access: Access,
    /// The tools of a workspace, by their names in the settings.
    pub tools: &'a [String],
    /// The folder of a workspace.
    pub folder: Option<&'a Path>,
}

/// What is added to a command.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Enforcement {
    /// Behind the command's own arguments.
    pub arguments: Vec<String>,
    /// Files that the arguments name, to be written before the start. They hold no secret.
    pub files: Vec<(PathBuf, String)>,
}

/// The program whose `mcp` serves the pager's tools, and a folder for what has to be written.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// This very `ask`.
    pub ask: &'a str,
    /// The runner's own folder.
    pub state: &'a Path,
}

/// What is wrong with such a combination, each with the way out: the setting, and the words.
pub fn faults(held: Held<'_>, enforced_by: Option<&str>) -> Vec<(&'static str, String)> {
    if held.access == Access::Inherit {
        return Vec::new();
    }
    let (access, name) = (held.access.as_str(), held.runtime.as_str());
    match held.runtime {
        Runtime::Other if enforced_by.is_some() => Vec::new(),
        Runtime::Other => vec![(
            "enforced_by",
            format!(
                "is missing: nothing is known of how this command could be held to access = \"{access}\"; say what holds it, like \
                 enforced_by = \"a container without a network\", or write access = \"inherit\""
            ),
        )],
        runtime => {
            if !starts(held.command, runtime) {
                let program = held.command.first().map(String::as_str).unwrap_or_default();
                return vec![(
                    "command",
                    format!(
                        "starts {program:?}, and the flags of {name} hold only {name} itself; write the program {name} first, or \
                         runtime = \"other\" with enforced_by"
                    ),
                )];
            }
            let check = match runtime {
                Runtime::Claude => claude::faults,
                Runtime::Codex => codex::faults,
                Runtime::OpenClaw | Runtime::Other => openclaw::faults,
            };
            check(held)
        }
    }
}

/// Says of a command that names its program alone how that takes its prompt from standard input. An inherited access leaves
/// it as it is.
pub fn complete(command: &mut Vec<String>, runtime: Runtime, access: Access) {
    if access == Access::Inherit || !starts(command, runtime) {
        return;
    }
    match runtime {
        Runtime::Claude => claude::complete(command),
        Runtime::Codex => codex::complete(command),
        Runtime::OpenClaw => openclaw::complete(command),
        Runtime::Other => {}
    }
}

/// What the operator's word is not needed for, since nothing depends on it.
pub fn needs_no_word(access: Access, runtime: Runtime) -> Option<String> {
    match (access, runtime) {
        (Access::Inherit, _) => Some("access = \"inherit\" holds the command to nothing".to_owned()),
        (_, Runtime::Other) => None,
        (_, runtime) => {
            let name = runtime.as_str();
            Some(format!("{name} is held by its own flags; write runtime = \"other\" where something else holds it"))
        }
    }
}

/// What to add to a command without faults.
pub fn of(held: Held<'_>, place: Place<'_>) -> Enforcement {
    match (held.access, held.runtime) {
        (Access::Inherit, _) | (_, Runtime::Other) => Enforcement::default(),
        (_, Runtime::Claude) => claude::enforcement(held, place),
        (_, Runtime::Codex) => codex::enforcement(held, place),
        (_, Runtime::OpenClaw) => openclaw::enforcement(held, place),
    }
}

/// The fault of a command with a flag of its own that is not known to be harmless.
fn unknown_flag(held: Held<'_>, flag: &str) -> (&'static str, String) {
    (
        "command",
        format!(
            "has {flag:?}, which could widen access = \"{}\"; remove it, or write access = \"inherit\" if that is what you want",
            held.access.as_str()
        ),
    )
}

/// The fault of a tool that this runtime cannot keep within a folder.
fn unknown_tools(held: Held<'_>, known: &[&str]) -> Option<(&'static str, String)> {
    let unknown = held.tools.iter().find(|tool| !known.contains(&tool.as_str()))?;
    Some((
        "tools",
        format!(
            "names {unknown:?}, which {} cannot be held to in a folder; the tools are {}; write access = \"inherit\" for more",
            held.runtime.as_str(),
            known.join(", ")
        ),
    ))
}

fn starts(command: &[String], runtime: Runtime) -> bool {
    command.first().is_some_and(|program| Runtime::of(program) == runtime)
}

fn has(held: Held<'_>, tool: &str) -> bool {
    held.access == Access::Workspace && held.tools.iter().any(|named| named == tool)
}

#[cfg(test)]
mod tests;
