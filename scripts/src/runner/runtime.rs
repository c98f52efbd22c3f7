//! Which program the command is: what is known of its flags decides how an access is enforced.

use std::path::Path;

/// A program that runs agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runtime {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// OpenClaw.
    OpenClaw,
    /// Any other; nothing is known of it.
    Other,
}

impl Runtime {
    /// Every one there is.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Codex, Self::OpenClaw, Self::Other];

    /// Its name in the settings, which is its program's name, too.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::OpenClaw => "openclaw",
            Self::Other => "other",
        }
    }

    /// Reads such a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|runtime| runtime.as_str() == name)
    }

    /// The one that a command starts, by the name of its program.
    pub fn of(program: &str) -> Self {
        let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        Self::parse(name).unwrap_or(Self::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_tells_the_runtime() {
        assert_eq!(Runtime::of("claude"), Runtime::Claude);
        assert_eq!(Runtime::of("/opt/bin/codex"), Runtime::Codex);
        assert_eq!(Runtime::of("openclaw"), Runtime::OpenClaw);
        for program in ["claude-wrapper", "sh", "npx", "", "claude/"] {
            let expected = if program == "claude/" { Runtime::Claude } else { Runtime::Other };
            assert_eq!(Runtime::of(program), expected, "{program:?}");
        }
    }
}
