//! The directive: twelve cells, and what each of them keeps.

use std::collections::BTreeSet;

use pager_questions::directive::HEADING;
use pager_questions::{Autonomy, Tier, directive};

/// Who makes agents, models and what they run in. None of them is named.
const VENDORS: [&str; 14] = [
    "anthropic",
    "claude",
    "openai",
    "codex",
    "gpt",
    "google",
    "gemini",
    "microsoft",
    "copilot",
    "github",
    "telegram",
    "mistral",
    "cursor",
    "openclaw",
];
/// Tools, commands and functions that an agent may or may not have.
const TOOLS: [&str; 25] = [
    "pager",
    "pagerd",
    "request_clarification",
    "request_project_decision",
    "request_approval",
    "request_owner_action",
    "wait_for_answer",
    "withdraw_question",
    "list_questions",
    "publish_update",
    "request_help",
    "pick_offer",
    "ask new",
    "ask wait",
    "ask gate",
    "ask update",
    "askuserquestion",
    "exitplanmode",
    "mcp",
    "shell",
    "bash",
    "tool",
    "command",
    "function",
    "terminal",
];
/// American spellings that such a text might have.
const AMERICAN: [&str; 8] = ["behavior", "license to", "favor", "color", "organiz", "recogniz", "summariz", "prioritiz"];

fn cells() -> Vec<(Autonomy, Tier, String)> {
    let tiers = |autonomy| Tier::ALL.map(|tier| (autonomy, tier, directive(autonomy, tier)));
    Autonomy::ALL.into_iter().flat_map(tiers).collect()
}

fn body(section: &str) -> &str {
    section.strip_prefix(&format!("## {HEADING}\n\n")).unwrap()
}

/// On every cell: what is wrong with it, or None.
fn check(fault: impl Fn(Tier, &str) -> Option<String>) {
    for (autonomy, tier, section) in cells() {
        let found = fault(tier, &section);
        assert!(found.is_none(), "{} {}: {}\n{section}", autonomy.as_str(), tier.as_str(), found.unwrap_or_default());
    }
}

fn named(words: &[&str], section: &str) -> Option<String> {
    let section = section.to_lowercase();
    words.iter().find(|word| section.contains(**word)).map(|word| format!("names {word}"))
}

#[test]
fn every_tier_of_a_level_says_what_the_level_is_about() {
    for (autonomy, tier, section) in cells() {
        let words: &[&str] = match autonomy {
            Autonomy::Full => &["no licence to guess", "a person", "all else is yours", "assumption"],
            Autonomy::Semi => &["ask rather than guess", "routine", "easily revers"],
            Autonomy::Supervised => &["ask rather than guess", "plan", "propose", "at once", "fork", "mid-step"],
            Autonomy::Locked => &["never yours to settle quietly", "surface the fork", "alternatives while it is open"],
        };
        let section = section.to_lowercase();
        for word in words {
            assert!(section.contains(word), "{} {} lacks {word:?}:\n{section}", autonomy.as_str(), tier.as_str());
        }
    }
}

#[test]
fn no_cell_is_blank_and_each_has_its_heading() {
    check(|_, section| (body(section).trim().len() < 80).then(|| "is nearly blank".to_owned()));
    assert_eq!(HEADING, "Asking Rather Than Guessing");
}

#[test]
fn every_cell_keeps_the_two_words_that_it_turns_on() {
    check(|_, section| {
        let missing = ["material", "hard to reverse"].into_iter().find(|words| !section.contains(words));
        missing.map(|words| format!("lacks {words}"))
    });
}

#[test]
fn the_full_tier_says_what_the_two_words_mean() {
    let material = "material when it moves cost, scope, public behaviour, data or someone else's work";
    let hard = "hard to reverse when undoing it costs real rework rather than a quick edit";
    check(|tier, section| match tier {
        Tier::Full => [material, hard].into_iter().find(|words| !section.contains(words)).map(str::to_owned),
        Tier::Summary | Tier::Minimal => None,
    });
}

#[test]
fn no_cell_names_a_tool_or_a_vendor() {
    check(|_, section| named(&VENDORS, section).or_else(|| named(&TOOLS, section)));
    check(|_, section| section.contains(['`', '_', '/', '(', '{']).then(|| "holds something like code".to_owned()));
}

#[test]
fn no_cell_writes_american_or_names_a_time() {
    check(|_, section| named(&AMERICAN, section));
    check(|_, section| section.contains(|letter: char| letter.is_ascii_digit()).then(|| "holds a number".to_owned()));
}

#[test]
fn every_cell_says_that_it_grants_no_authority() {
    check(|_, section| (!section.contains("grants no authority")).then(|| "does not say it".to_owned()));
}

#[test]
fn no_cell_is_like_another() {
    let different: BTreeSet<String> = cells().into_iter().map(|(_, _, section)| section).collect();
    assert_eq!(different.len(), 12);
}

#[test]
fn the_tiers_are_as_long_as_they_say() {
    check(|tier, section| {
        let (paragraphs, sentences) = (body(section).trim().split("\n\n").count(), section.matches(['.', '?']).count());
        let fits = match tier {
            Tier::Full => paragraphs > 2,
            Tier::Summary => paragraphs == 1 && section.len() < 500,
            Tier::Minimal => paragraphs == 1 && sentences <= 2,
        };
        (!fits).then(|| format!("{paragraphs} paragraphs, {sentences} sentences"))
    });
}

#[test]
fn autonomy_and_tier_are_read_by_their_names_alone() {
    for autonomy in Autonomy::ALL {
        assert_eq!(Autonomy::parse(autonomy.as_str()), Some(autonomy));
        assert_eq!(serde_json::to_value(autonomy).unwrap(), autonomy.as_str());
    }
    for tier in Tier::ALL {
        assert_eq!(Tier::parse(tier.as_str()), Some(tier));
        assert_eq!(serde_json::to_value(tier).unwrap(), tier.as_str());
    }
    assert_eq!((Autonomy::default(), Tier::default()), (Autonomy::Semi, Tier::Full));
    assert_eq!((Autonomy::parse("Full"), Autonomy::parse(""), Tier::parse("short")), (None, None, None));
}

#[test]
fn the_cells_change_on_purpose_only() {
    let all = cells().into_iter().map(|(autonomy, tier, section)| {
        format!("=== {} {}\n{}", autonomy.as_str(), tier.as_str(), body(&section).replace("\n\n", "\n"))
    });
    insta::assert_snapshot!(all.collect::<String>(), @"
    === full full
    Autonomy is no licence to guess. When a choice is both material and hard to reverse, put it to a person before you act on it.
    A choice is material when it moves cost, scope, public behaviour, data or someone else's work. It is hard to reverse when undoing it costs real rework rather than a quick edit. What is only one of the two is not meant.
    All else is yours: decide, state the assumption that you made where others will see it, and go on.
    Say what the fork is, what its alternatives are and what each of them costs, and which one you would take. Until somebody has answered the choice is open: silence settles nothing. Go on with whatever does not hang on it.
    This section governs when to ask. It grants no authority: what you may do is laid down elsewhere, and having asked does not widen it.
    === full summary
    Autonomy is no licence to guess. Put a choice that is both material and hard to reverse to a person before you act on it, and hold it open until somebody has answered. All else is yours: decide, and state the assumption that you made. This governs when to ask, and grants no authority.
    === full minimal
    Autonomy is no licence to guess: a choice that is material and hard to reverse goes to a person, and all else is yours, with the assumption stated. This grants no authority.
    === semi full
    Ask rather than guess when a choice is both material and hard to reverse: put it to a person, and act on it once it is settled.
    A choice is material when it moves cost, scope, public behaviour, data or someone else's work. It is hard to reverse when undoing it costs real rework rather than a quick edit. What is only one of the two is not meant.
    Routine choices, and those that are easily reversed, are yours: decide, and go on without asking.
    Say what the fork is, what its alternatives are and what each of them costs, and which one you would take. Until somebody has answered the choice is open: silence settles nothing. Go on with whatever does not hang on it.
    This section governs when to ask. It grants no authority: what you may do is laid down elsewhere, and having asked does not widen it.
    === semi summary
    Ask rather than guess when a choice is both material and hard to reverse: put it to a person, and hold it open until somebody has answered. Routine choices, and those that are easily reversed, are yours. This governs when to ask, and grants no authority.
    === semi minimal
    Ask rather than guess on a choice that is material and hard to reverse; routine and easily reversible ones are yours. This grants no authority.
    === supervised full
    Ask rather than guess when a choice is both material and hard to reverse. Where you can see it coming, put it into the plan that you propose, so that it is settled together with the plan. When such a fork appears mid-step, ask at once, not at the end of the step.
    A choice is material when it moves cost, scope, public behaviour, data or someone else's work. It is hard to reverse when undoing it costs real rework rather than a quick edit. What is only one of the two is not meant.
    On every other choice this section is silent: there the rest of what you were told holds.
    Say what the fork is, what its alternatives are and what each of them costs, and which one you would take. Until somebody has answered the choice is open: silence settles nothing. Go on with whatever does not hang on it.
    This section governs when to ask. It grants no authority: what you may do is laid down elsewhere, and having asked does not widen it.
    === supervised summary
    Ask rather than guess when a choice is both material and hard to reverse: put it to a person in the plan that you propose where that is possible, and at once when such a fork appears mid-step. Hold it open until somebody has answered. This governs when to ask, and grants no authority.
    === supervised minimal
    Ask rather than guess on a choice that is material and hard to reverse, in the proposed plan where possible, and at once when such a fork appears mid-step. This grants no authority.
    === locked full
    A choice that is both material and hard to reverse is never yours to settle quietly. Surface the fork with its alternatives while it is open: before any work leans to one side, not in a report afterwards. To take the likelier side and to say so later is to settle it.
    A choice is material when it moves cost, scope, public behaviour, data or someone else's work. It is hard to reverse when undoing it costs real rework rather than a quick edit. What is only one of the two is not meant.
    On every other choice this section is silent: there the rest of what you were told holds.
    Say what the fork is, what its alternatives are and what each of them costs, and which one you would take. Until somebody has answered the choice is open: silence settles nothing. Go on with whatever does not hang on it.
    This section governs when to ask. It grants no authority: what you may do is laid down elsewhere, and having asked does not widen it.
    === locked summary
    A choice that is both material and hard to reverse is never yours to settle quietly. Surface the fork with its alternatives while it is open, and hold it open until a person has settled it. This governs when to ask, and grants no authority.
    === locked minimal
    A choice that is material and hard to reverse is never yours to settle quietly: surface the fork with its alternatives while it is open. This grants no authority.
    ");
}
