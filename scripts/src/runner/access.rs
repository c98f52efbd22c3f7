//! What a run may use, and the one sentence of its prompt that says so. What makes the sentence true is elsewhere
//! (`enforcement`).

use std::path::Path;

use super::runtime::Runtime;

/// What a run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The pager's tools alone.
    Locked,
    /// The pager's tools, and the named ones in one folder.
    Workspace,
    /// What the runtime's own configuration gives.
    Inherit,
}

impl Access {
    /// Every kind there is, from the narrowest.
    pub const ALL: [Self; 3] = [Self::Locked, Self::Workspace, Self::Inherit];

    /// Its name in the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::Workspace => "workspace",
            Self::Inherit => "inherit",
        }
    }

    /// Reads such a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|access| access.as_str() == name)
    }
}

/// The sentence for `{access}`. `tools` and `folder` are those of a workspace.
pub fn sentence(access: Access, runtime: Runtime, tools: &[String], folder: Option<&Path>) -> String {
    let granted = match runtime {
        Runtime::OpenClaw => "In this run OpenClaw's tool policy grants you",
        Runtime::Claude | Runtime::Codex | Runtime::Other => "In this run you have",
    };
    match access {
        Access::Locked => format!(
            "{granted} the pager's tools and no others: no shell, no files, no compiler and no interpreter, so nothing can be run, \
             built or tested in this run."
        ),
        Access::Workspace => format!(
            "{granted} the pager's tools, and {} in the folder {} and nothing outside it{}.",
            listed(tools),
            folder.unwrap_or(Path::new(".")).display(),
            by_commands(runtime, tools)
        ),
        Access::Inherit if runtime == Runtime::OpenClaw => format!("{granted} the tools that it is set up to grant."),
        Access::Inherit => format!("{granted} the tools that the configuration of your own runtime gives you."),
    }
}

/// Codex has no other way to read and edit than commands, which are held to the folder.
fn by_commands(runtime: Runtime, tools: &[String]) -> &'static str {
    if runtime == Runtime::Codex && !tools.iter().any(|tool| tool == "shell") {
        ", by commands that are kept in that folder and have no network"
    } else {
        ""
    }
}

fn listed(tools: &[String]) -> String {
    match tools {
        [] => "no other tools".to_owned(),
        [only] => format!("the tool {only}"),
        [first @ .., last] => format!("the tools {} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(access: Access, runtime: Runtime) -> String {
        sentence(access, runtime, &["read".to_owned(), "edit".to_owned()], Some(Path::new("/srv/work")))
    }

    #[test]
    fn each_access_is_one_sentence() {
        insta::assert_snapshot!(
            Access::ALL.map(|access| told(access, Runtime::Claude)).join("\n"),
            @r"
        In this run you have the pager's tools and no others: no shell, no files, no compiler and no interpreter, so nothing can be run, built or tested in this run.
        In this run you have the pager's tools, and the tools read and edit in the folder /srv/work and nothing outside it.
        In this run you have the tools that the configuration of your own runtime gives you.
        "
        );
    }

    #[test]
    fn a_codex_without_a_shell_is_told_how_it_reads_and_edits() {
        let expected = "nothing outside it, by commands that are kept in that folder and have no network.";
        assert!(told(Access::Workspace, Runtime::Codex).ends_with(expected));
        let shell = sentence(Access::Workspace, Runtime::Codex, &["shell".to_owned()], None);
        assert!(shell.ends_with("nothing outside it."), "{shell}");
    }

    #[test]
    fn openclaw_is_told_of_its_tool_policy() {
        for access in Access::ALL {
            assert!(told(access, Runtime::OpenClaw).contains("OpenClaw's tool policy"), "{access:?}");
            assert!(!told(access, Runtime::Codex).contains("OpenClaw"), "{access:?}");
        }
    }
}
