//! The terminal itself: raw, on its other screen, and given back as it was on every way out.

use std::io::{self, IsTerminal, Stdout, Write, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

/// Whether there is something to give back.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A terminal that is ours until this is dropped.
pub struct Terminal {
    screen: ratatui::Terminal<CrosstermBackend<Stdout>>,
    _taken: Taken,
}

/// Can one be had? Both ends have to be one: keys come from standard input, the screen goes to standard output.
pub fn is_there() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

/// May colours be used? `NO_COLOR` with any text in it, and a terminal that calls itself dumb, say no.
pub fn has_colour(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable("NO_COLOR").is_none_or(|value| value.is_empty()) && variable("TERM").is_none_or(|term| term != "dumb")
}

impl Terminal {
    /// Takes it. From here on a panic, in whatever thread, gives it back and ends the process.
    ///
    /// # Errors
    /// When it cannot be set.
    pub fn take() -> io::Result<Self> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            before(panic);
            std::process::exit(i32::from(crate::exit::Exit::Failed.code()));
        }));
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        // Given back also when the rest fails.
        let taken = Taken;
        execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
        let screen = ratatui::Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(Self { screen, _taken: taken })
    }

    /// Columns and rows.
    ///
    /// # Errors
    /// When it does not say.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        self.screen.size().map(|size| (size.width, size.height))
    }

    /// Draws a screen.
    ///
    /// # Errors
    /// When it is gone.
    pub fn draw(&mut self, draw: impl FnOnce(&mut ratatui::Frame)) -> io::Result<()> {
        self.screen.draw(draw).map(drop)
    }
}

/// Gives the terminal back when it is dropped.
struct Taken;

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, unless that was done already.
pub fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // A terminal that is gone takes nothing back.
        let _ = execute!(stdout(), DisableBracketedPaste, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
        let _ = stdout().flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_and_a_dumb_terminal_mean_no_colour() {
        let check = |no_color: Option<&str>, term: Option<&str>, expected: bool| {
            let variable = |name: &str| if name == "NO_COLOR" { no_color } else { term }.map(str::to_owned);
            assert_eq!(has_colour(variable), expected, "{no_color:?} {term:?}");
        };
        check(None, Some("xterm-256color"), true);
        check(None, None, true);
        check(Some(""), Some("xterm"), true);
        check(Some("1"), Some("xterm"), false);
        check(None, Some("dumb"), false);
    }
}
