//! How much of one source may be live, and for how long its past is kept.

use std::time::Duration;

use super::Setup;
use crate::store::Limits;

#[test]
fn a_source_has_256_records_and_512000_bytes_and_the_history_is_kept_for_ever() {
    let limits = Setup::file("").loaded().limits;
    assert_eq!(limits.of_a_source, Limits { records: 256, bytes: 512_000 });
    assert_eq!(limits.history_keep, None);
}

#[test]
fn limits_are_whole_numbers_and_0_is_none() {
    let file = "[limits]\nrecords = 0\nbytes = 1000000\n[history]\nkeep = '90d'\n";
    let limits = Setup::file(file).variable("PAGER_LIMITS__BYTES", "0").loaded().limits;
    assert_eq!(limits.of_a_source, Limits::NONE);
    assert_eq!(limits.history_keep, Some(Duration::from_secs(90 * 24 * 3600)));
    assert_eq!(Setup::file("[history]\nkeep = 'never'\n").loaded().limits.history_keep, None);
}

#[test]
fn what_nobody_answered_is_called_so_after_half_an_hour_or_as_set_and_0_is_never() {
    let after = |file: &str| Setup::file(file).loaded().unanswered_after;
    let millis = [after(""), after("unanswered_after = '2h'"), after("unanswered_after = 0"), after("unanswered_after = '0s'")];
    assert_eq!(millis, [1_800_000, 7_200_000, 0, 0]);
    assert_eq!(Setup::file("").variable("PAGER_UNANSWERED_AFTER", "0").loaded().unanswered_after, 0);
    let faults = Setup::file("unanswered_after = 'soon'").faults();
    assert_eq!(
        faults,
        ["unanswered_after at FILE: is \"soon\", which is not a time like 30m, or 0 for only after a deadline of its own"]
    );
}

#[test]
fn what_is_no_number_and_no_time_is_told() {
    let faults = Setup::file("[limits]\nrecords = 'many'\nbytes = -1\n[history]\nkeep = 'long'\n").faults();
    assert_eq!(
        faults,
        [
            "limits.records at FILE: is \"many\", which is not a whole number; 0 is no limit",
            "limits.bytes at FILE: is \"-1\", which is not a whole number; 0 is no limit",
            "history.keep at FILE: is \"long\", which is not a time like 90d, or never for ever",
        ]
    );
}
