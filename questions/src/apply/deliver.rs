//! News of the delivery. It changes nothing about the question itself, in whatever state that is.

use super::Effect;
use crate::{Delivery, Record};

pub(super) fn apply(record: &Record, delivery: Delivery) -> (Record, Vec<Effect>) {
    // Where it could be seen before, it still can.
    let delivery = Delivery { link: delivery.link.or_else(|| record.delivery.link.clone()), ..delivery };
    if record.delivery == delivery {
        return (record.clone(), Vec::new());
    }
    (Record { delivery, revision: record.revision + 1, ..record.clone() }, Vec::new())
}
