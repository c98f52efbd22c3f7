//! This machine's clock beside that of somebody who is asked anyway.

use jiff::Timestamp;

use super::Report;

/// The most seconds that the clocks may differ.
const MAY_DIFFER: i64 = 30;

/// Compares them. `theirs` is what `whose` reply was dated, `ours` this machine's milliseconds at that moment.
pub(super) fn compare(whose: &str, theirs: Option<Timestamp>, ours: i64, report: &mut Report) {
    let Some(theirs) = theirs else {
        let says = format!("{whose}'s answer carries no date to compare with");
        return report.warn("clock", says, "look at the machine's clock by hand");
    };
    let ahead = ours / 1000 - theirs.as_second();
    if ahead.abs() <= MAY_DIFFER {
        return report.ok("clock", format!("it agrees with {whose}'s"));
    }
    let way = if ahead > 0 { "ahead of" } else { "behind" };
    let says = format!("it is {} s {way} {whose}'s", ahead.abs());
    report.fail("clock", says, "set the machine's clock by the network: timedatectl set-ntp true");
}
