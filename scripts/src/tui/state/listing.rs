//! A list that is shown on a screen of its own, with one selected item, read page by page.

use super::super::wire::Page;

/// A list.
#[derive(Debug)]
pub struct Listing<Item> {
    /// What was read so far; None before the first page came.
    pub items: Option<Vec<Item>>,
    /// Which one is selected.
    pub selected: usize,
    /// Why it could not be read.
    pub trouble: Option<String>,
    /// How many could not be read.
    pub unreadable: usize,
    /// Where the next page begins.
    pub next: Option<String>,
}

impl<Item> Default for Listing<Item> {
    fn default() -> Self {
        Self { items: None, selected: 0, trouble: None, unreadable: 0, next: None }
    }
}

impl<Item> Listing<Item> {
    /// What was read so far.
    pub fn items(&self) -> &[Item] {
        self.items.as_deref().unwrap_or_default()
    }

    /// The selected one.
    pub fn current(&self) -> Option<&Item> {
        self.items().get(self.selected)
    }

    /// Takes a first page, and keeps the selection on the same item.
    pub fn begin(&mut self, page: Page<Item>, is_same: impl Fn(&Item, &Item) -> bool) {
        let kept = self.current().and_then(|old| page.items.iter().position(|new| is_same(old, new)));
        self.selected = kept.unwrap_or(self.selected.min(page.items.len().saturating_sub(1)));
        *self = Self {
            items: Some(page.items),
            trouble: None,
            unreadable: page.unreadable,
            next: page.next,
            selected: self.selected,
        };
    }

    /// Takes a further page.
    pub fn go_on(&mut self, page: Page<Item>) {
        self.items.get_or_insert_default().extend(page.items);
        self.unreadable += page.unreadable;
        self.next = page.next;
        self.trouble = None;
    }

    /// Moves the selection. True when it came to the end and there may be more.
    pub fn go(&mut self, by: isize) -> bool {
        let last = self.items().len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
        self.selected == last && self.next.is_some()
    }
}
