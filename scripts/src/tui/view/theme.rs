//! How things look. Colour only repeats what marks and words say: without it nothing is lost.

use ratatui::style::{Color, Modifier, Style};

use super::super::state::notes::Kind;

/// The looks, with or without colour.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// Whether colours may be used.
    pub has_colour: bool,
}

impl Theme {
    /// A bar between parts.
    pub fn bar(self) -> Style {
        self.coloured(Color::Cyan)
    }

    /// A heading.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What matters less.
    pub fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// What cannot be taken back, and what went wrong.
    pub fn alarm(self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// What is chosen, and what went well.
    pub fn good(self) -> Style {
        self.coloured(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// What the next key does.
    pub fn prompt(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// The line that the keys are about.
    pub fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// A line about what happened.
    pub fn note(self, kind: Kind) -> Style {
        match kind {
            Kind::News => self.coloured(Color::Cyan),
            Kind::Done => self.good(),
            Kind::Trouble | Kind::Outage => self.alarm(),
            Kind::Hint => self.prompt(),
        }
    }

    fn coloured(self, colour: Color) -> Style {
        if self.has_colour { Style::new().fg(colour) } else { Style::new() }
    }
}
