//! What stands around every page of somebody who is logged in: the ways to the other pages, and how much waits there.

use super::session::Visitor;
use crate::events;
use crate::store::{Store, StoreError};

/// The pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Open questions.
    Inbox,
    /// News of agents.
    Updates,
    /// What owners and agents asked of agents.
    Requests,
    /// What ended.
    History,
    /// Decisions that were made.
    Decisions,
    /// Tokens, rules, how pagerd is.
    Settings,
}

impl Place {
    /// In the order of the bar.
    const ALL: [Self; 6] = [Self::Inbox, Self::Updates, Self::Requests, Self::History, Self::Decisions, Self::Settings];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inbox => "Inbox",
            Self::Updates => "Updates",
            Self::Requests => "Requests",
            Self::History => "History",
            Self::Decisions => "Decisions",
            Self::Settings => "Settings",
        }
    }

    /// Its address.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Inbox => "/",
            Self::Updates => "/updates",
            Self::Requests => "/requests",
            Self::History => "/history",
            Self::Decisions => "/decisions",
            Self::Settings => "/settings",
        }
    }
}

/// One way in the bar.
pub struct Way {
    /// Where it leads.
    pub place: Place,
    /// It leads to where one is.
    pub is_current: bool,
    /// How much waits there; 0 for places where nothing does.
    pub count: u64,
    /// What that is: `open`, `unread`.
    pub counted: &'static str,
}

/// The frame of a page.
pub struct Shell {
    /// Where one is.
    pub place: Place,
    /// The event up to which the page shows everything.
    pub seen: String,
    /// How many questions are open.
    pub open: u64,
    /// How many updates are unread.
    pub unread: u64,
    /// The name of the visitor's token.
    pub name: String,
    /// What each form carries.
    pub csrf: String,
}

impl Shell {
    /// Counts what waits. Gathered before the page itself: what happens in between is told after it.
    pub async fn gather(store: &dyn Store, visitor: &Visitor, place: Place) -> Result<Self, StoreError> {
        let session = &visitor.session;
        let seen = events::position(store.last_happened().await?);
        let (open, unread) = (store.count_open().await?, store.count_unread_updates().await?);
        Ok(Self { place, seen, open, unread, name: session.name.clone(), csrf: session.csrf.clone() })
    }

    /// The ways of the bar.
    pub fn ways(&self) -> impl Iterator<Item = Way> {
        Place::ALL.into_iter().map(|place| {
            let (count, counted) = match place {
                Place::Inbox => (self.open, "open"),
                Place::Updates => (self.unread, "unread"),
                Place::Requests | Place::History | Place::Decisions | Place::Settings => (0, ""),
            };
            Way { place, is_current: place == self.place, count, counted }
        })
    }

    /// The title of the window: the number of open questions first.
    pub fn title(&self) -> String {
        let name = match self.place {
            Place::Inbox => "pager".to_owned(),
            place => format!("{} · pager", place.name()),
        };
        if self.open == 0 { name } else { format!("({}) {name}", self.open) }
    }

    /// The address of the window's icon, which shows the same number.
    pub fn icon(&self) -> String {
        icon(self.open)
    }
}

impl Way {
    /// The number, as short as its badge needs it.
    pub fn badge(&self) -> String {
        if self.count > 999 { "999+".to_owned() } else { self.count.to_string() }
    }
}

/// The address of the icon for so many open questions.
fn icon(open: u64) -> String {
    match open {
        0 => "/assets/icon.svg".to_owned(),
        1..=99 => format!("/assets/icon-{open}.svg"),
        _ => "/assets/icon-99+.svg".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(place: Place, open: u64) -> Shell {
        Shell { place, seen: String::new(), open, unread: 2, name: "olga".to_owned(), csrf: String::new() }
    }

    #[test]
    fn the_number_of_open_questions_stands_in_title_icon_and_bar() {
        let inbox = shell(Place::Inbox, 3);
        assert_eq!((inbox.title().as_str(), inbox.icon().as_str()), ("(3) pager", "/assets/icon-3.svg"));
        let counts: Vec<u64> = inbox.ways().map(|way| way.count).collect();
        assert_eq!(counts, [3, 2, 0, 0, 0, 0]);
        let quiet = shell(Place::History, 0);
        assert_eq!((quiet.title().as_str(), quiet.icon().as_str()), ("History · pager", "/assets/icon.svg"));
    }

    #[test]
    fn a_badge_stays_short_and_the_title_whole() {
        let many = shell(Place::Updates, 10_000);
        assert_eq!(many.title(), "(10000) Updates · pager");
        assert_eq!(many.icon(), "/assets/icon-99+.svg");
        assert_eq!(many.ways().next().map(|way| way.badge()), Some("999+".to_owned()));
    }
}
