//! Questions that were asked together stand together, where the first of them stands.

use super::card::Card;

/// The cards in this order, but those of one set after the first of it. A card that is alone is in no set.
pub fn together(cards: Vec<Card>) -> Vec<Card> {
    let mut sets: Vec<Vec<Card>> = Vec::with_capacity(cards.len());
    for card in cards {
        let is_same =
            |set: &&mut Vec<Card>| set.first().is_some_and(|first| first.group.is_some() && is_of_one_set(first, &card));
        match sets.iter_mut().find(is_same) {
            Some(set) => set.push(card),
            None => sets.push(vec![card]),
        }
    }
    for set in sets.iter_mut().filter(|set| set.len() > 1) {
        set.iter_mut().for_each(|card| card.is_in_set = true);
    }
    sets.into_iter().flatten().collect()
}

/// An id of a set means nothing beyond its agent.
pub fn is_of_one_set(one: &Card, other: &Card) -> bool {
    one.group == other.group && one.agent == other.agent
}
