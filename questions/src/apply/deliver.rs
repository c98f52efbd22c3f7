//! News of the delivery. It changes nothing about the question itself, in whatever state that is.

use super::Effect;
use crate::{Delivery, Record};

pub(super) fn apply(record: &Record, delivery: Delivery) -> (Record, Vec<Effect>) {
    if record.delivery == delivery {
        return (record.clone(), Vec::new());
    }
    (Record { delivery, revision: record.revision + 1, ..record.clone() }, Vec::new())
}
