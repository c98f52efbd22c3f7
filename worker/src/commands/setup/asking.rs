//! Asking whoever sits at the terminal. Answers come from standard input, so they may be piped as well; questions go to
//! standard error.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context, bail};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// The person at the other end.
pub(super) struct Asking {
    says_yes: bool,
}

impl Asking {
    /// With `says_yes`, what only needs a yes is not asked.
    pub(super) fn new(says_yes: bool) -> Self {
        Self { says_yes }
    }

    /// A line that is not shown while it is typed.
    pub(super) fn secret(&mut self, words: &str) -> anyhow::Result<String> {
        eprint!("{words}");
        let _ = std::io::stderr().flush();
        let _hidden = Hidden::begin();
        let line = line()?;
        eprintln!();
        Ok(line)
    }

    /// Yes or no; with `--yes` it is yes.
    pub(super) fn confirm(&mut self, words: &str) -> anyhow::Result<bool> {
        if self.says_yes { Ok(true) } else { self.confirm_in_person(words) }
    }

    /// Yes or no, by a person even with `--yes`. Nothing but a clear yes is one.
    pub(super) fn confirm_in_person(&mut self, words: &str) -> anyhow::Result<bool> {
        eprint!("{words} [y/N] ");
        let _ = std::io::stderr().flush();
        Ok(matches!(line()?.trim().to_lowercase().as_str(), "y" | "yes"))
    }
}

fn line() -> anyhow::Result<String> {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line).context("standard input cannot be read")?;
    if read == 0 {
        bail!("standard input has ended, and something was still to be asked; `pagerd setup --help` shows the flags that say it");
    }
    Ok(line)
}

/// The terminal shows nothing of what is typed, for as long as this lives.
struct Hidden(Option<Termios>);

impl Hidden {
    fn begin() -> Self {
        let input = std::io::stdin();
        if !input.is_terminal() {
            return Self(None);
        }
        let Ok(before) = tcgetattr(&input) else { return Self(None) };
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        match tcsetattr(&input, OptionalActions::Flush, &quiet) {
            Ok(()) => Self(Some(before)),
            Err(_) => Self(None),
        }
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Flush, before);
        }
    }
}
