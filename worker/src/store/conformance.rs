//! What every store must do, as a suite of asynchronous checks that panic with what went wrong. A back-end's own tests
//! bring the surroundings: a fresh store for each check.
#![expect(clippy::unwrap_used, reason = "a check that cannot go on has failed")]

mod asks;
mod control;
mod deadlines;
mod dispatches;
mod event_files;
mod gates;
mod guards;
mod happenings;
mod history;
mod inbox;
mod keys;
mod lists;
mod mailbox;
mod old_requests;
mod outbox;
mod people;
mod private_answers;
mod records;
mod requests;
pub(crate) mod samples;
mod threads;
mod together;
mod updates;
mod wakes;
mod window;

use super::{SharedStore, StoreError, Stored};

macro_rules! each {
    ($fresh:ident: $($check:path),+ $(,)?) => {
        $({
            let (store, _surroundings) = $fresh().await;
            $check(&*store).await;
        })+
    };
}

/// Runs every check, each on a store of its own.
pub async fn all<Surroundings>(fresh: impl AsyncFn() -> (SharedStore, Surroundings)) {
    each!(fresh:
        records::a_record_is_found_by_each_of_its_names,
        records::an_id_is_used_once_and_for_ever,
        records::a_publication_is_used_once_by_each_agent,
        records::a_change_needs_the_revision_it_was_made_from,
        records::an_identical_draft_is_found_while_it_is_pending,
        records::records_are_found_by_how_far_their_answer_is,
        records::of_several_those_that_ended_tell_when,
        guards::a_refused_guard_leaves_nothing_behind_wherever_it_stands,
        guards::guards_that_hold_let_the_whole_list_through,
        asks::of_many_asked_at_once_each_is_stored_or_refused_for_its_own_reason,
        happenings::each_change_tells_itself_in_order_with_the_record_as_it_is,
        happenings::what_is_refused_tells_nothing,
        happenings::of_many_at_once_each_tells_itself_once,
        happenings::pages_of_what_happened_join_and_the_end_is_empty,
        happenings::what_happened_to_something_else_is_told_by_whoever_stores_it,
        happenings::a_place_is_known_until_what_follows_it_was_forgotten,
        happenings::whoever_listens_is_told_after_the_commit_and_of_nothing_else,
        lists::the_open_list_is_hard_first_then_oldest,
        lists::pages_of_the_open_list_join_without_gap_or_double,
        lists::a_key_finds_pending_ones_first_and_nothing_that_only_sorts_near_it,
        lists::the_newest_come_first_and_filters_hold,
        lists::pages_of_the_newest_join_without_gap_or_double,
        gates::the_approvals_of_a_run_are_found_open_and_ended_each_agent_s_own,
        inbox::an_update_is_received_once_and_handled_in_order,
        inbox::what_cannot_be_handled_is_counted_and_set_aside,
        inbox::only_old_handled_updates_are_forgotten,
        inbox::updates_are_found_by_words_in_them_handled_or_not,
        outbox::jobs_go_by_class_then_by_age,
        outbox::a_job_waits_until_it_is_due,
        outbox::a_job_lives_until_it_is_finished,
        outbox::a_job_may_be_about_no_question,
        outbox::a_failed_job_is_kept_and_never_tried,
        outbox::a_job_that_is_there_already_stays_as_it_is,
        outbox::a_topic_leads_to_its_question_and_back,
        private_answers::a_private_answer_waits_until_it_is_confirmed,
        deadlines::deadlines_that_end_a_question_come_earliest_first,
        deadlines::whoever_is_to_be_reminded_comes_at_half_of_the_time_and_once,
        control::an_event_is_handled_once_and_its_reply_kept,
        control::a_proof_counts_once_and_tells_for_which_event,
        control::of_early_withdrawals_the_one_that_was_sent_last_is_remembered,
        control::what_is_old_is_forgotten,
        requests::a_request_is_stored_once_for_its_origin,
        requests::pages_of_requests_join_without_gap_or_double,
        threads::a_request_takes_an_id_that_no_question_has_and_keeps_it,
        threads::whoever_asks_too_much_has_no_room_until_something_is_answered_or_over,
        threads::a_reply_is_stored_once_for_its_origin_and_within_the_room_of_whoever_writes,
        threads::requests_are_found_by_their_side_their_tag_and_whether_they_are_answered,
        threads::what_is_put_to_an_agent_is_not_among_what_waits_for_the_owner,
        old_requests::only_a_request_that_is_answered_or_over_and_quiet_since_is_old,
        old_requests::a_request_about_which_something_is_open_or_ended_since_is_not_old,
        old_requests::a_request_stays_while_something_is_still_done_about_its_thread,
        old_requests::a_request_outlasts_what_its_author_or_a_helper_is_still_to_be_woken_for,
        old_requests::a_forgotten_request_is_gone_with_its_thread_and_its_id_stays_used,
        outbox::what_is_held_is_counted_and_a_try_makes_no_job_younger,
        outbox::a_job_that_was_set_aside_waits_again_once_all_are_let_go,
        outbox::questions_that_wait_to_be_shown_are_told_in_the_order_of_the_queue,
        outbox::a_place_is_forgotten_by_message_by_topic_and_with_its_chat,
        dispatches::events_of_one_line_keep_their_order_and_hold_up_no_other_line,
        dispatches::an_event_reads_back_whole_and_a_replay_changes_nothing,
        dispatches::an_event_that_was_given_up_is_counted_and_holds_nothing_up,
        dispatches::events_and_calls_to_telegram_know_nothing_of_each_other,
        event_files::a_file_of_an_event_is_kept_with_what_came_of_it_until_it_is_gone,
        updates::an_update_is_found_by_id_and_publication_and_a_publication_is_used_once,
        updates::a_mark_needs_the_state_that_it_was_made_from,
        updates::updates_are_listed_newest_first_by_source_and_by_state,
        updates::pages_of_updates_join_without_gap_or_double,
        updates::a_source_has_room_for_so_many_and_for_so_many_bytes,
        updates::only_the_newest_dismissed_of_a_source_are_kept,
        updates::a_dismissed_update_is_kept_until_its_message_shows_it,
        updates::what_waits_to_be_sent_and_what_is_shown_nowhere_is_told_apart,
        people::a_revoked_token_is_listed_and_no_longer_found,
        people::a_session_ends_by_time_by_logout_and_with_its_token,
        people::a_login_link_works_once_and_not_too_late,
        people::what_is_kept_is_replaced,
        people::what_is_kept_of_messages_is_forgotten_in_time_and_nothing_else,
        together::many_at_once_all_land_and_a_refused_one_fails_alone,
        together::of_two_claims_at_once_exactly_one_is_stored,
        wakes::what_happens_to_an_agent_is_kept_from_its_registration_on_and_once,
        wakes::a_deadline_that_passed_within_a_month_before_the_registration_is_kept,
        wakes::a_deadline_that_passed_longer_before_the_registration_is_left_alone,
        wakes::replies_late_picks_and_what_is_put_to_an_agent_are_kept_for_whom_they_concern,
        wakes::a_wake_is_changed_by_whoever_has_its_mark_alone,
        wakes::requests_of_interest_are_others_that_nobody_answered_and_the_agent_left_alone,
        wakes::of_too_many_wakes_the_agents_own_come_first_and_no_author_hides_another,
        wakes::what_is_too_old_for_one_runner_stays_for_another,
        wakes::a_record_that_is_still_to_be_woken_for_is_kept_for_so_long,
        wakes::old_wakes_that_are_over_are_forgotten_and_a_passed_deadline_is_not,
        window::a_source_has_room_for_so_many_records_and_no_more,
        window::a_source_has_room_for_so_many_bytes_and_spare_ones_for_each_record,
        window::no_limit_is_no_limit,
        window::a_new_record_pushes_the_oldest_settled_ones_out_and_no_more_than_it_must,
        window::what_something_is_still_done_about_stays,
        window::a_used_id_is_told_before_a_full_source,
        window::what_grows_is_never_refused,
        window::of_many_asked_at_once_no_more_are_stored_than_fit,
        window::the_newest_settled_ones_stay_and_older_ones_are_history,
        window::a_forgotten_record_is_gone_and_its_id_stays_used,
        window::only_what_is_old_and_beyond_the_window_is_forgotten,
        keys::a_key_is_used_once_by_each_actor_and_tells_what_for,
        keys::a_key_is_stored_with_the_claim_or_not_at_all,
        keys::a_refused_claim_frees_its_key,
        keys::old_keys_are_forgotten,
        mailbox::the_newest_come_first_then_sources_by_name_then_the_newest_insertion,
        mailbox::pages_of_the_mailbox_join_without_gap_or_double_while_questions_arrive,
        mailbox::the_mailbox_is_narrowed_by_source_and_state,
        history::ends_of_every_kind_come_newest_first_and_pages_join,
        history::words_are_found_wherever_they_stand,
        history::every_word_has_to_be_there_and_case_and_accents_do_not_matter,
        history::no_text_is_an_error,
        history::pages_of_a_search_join_and_forgotten_records_are_not_found,
    );
}

/// Nothing was stored, because something else was stored before.
#[track_caller]
fn assert_conflict(outcome: Stored<()>) {
    assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
}
