//! What the bot says to a text that does not become an answer, and its help. Plain text.

use jiff::tz::TimeZone;
use pager_questions::text::{one_line, reveal, title};
use pager_questions::words::MOST_CHARACTERS;
use pager_questions::{Purpose, Question, Record, Time, Unanswered};

use super::MOST_UNITS;
use super::builder::{beginning, units};
use crate::chat::ChatKind;
use crate::key::key;

/// The most characters of a reason that is passed on.
const MOST_REASON: usize = 500;
/// The most characters of a key that is shown back.
const MOST_KEY: usize = 20;
/// The most UTF-16 units of what `/status` lists: there is room for how many more there are.
const MOST_STATUS: usize = MOST_UNITS - 60;
/// The most UTF-16 units of a link in a list; ten lines always fit a message.
const MOST_LINK: usize = 250;

/// To a text that comes too late and looks like a secret: every agent can read where it would be kept.
pub fn late_and_secret(looks: &str) -> String {
    format!(
        "Not kept: that looks like {looks}, and this came too late to be the answer; every agent can read the thread that it would \
         be kept in. Write it again without that. What you wrote still stands in this chat: delete it if it is a secret."
    )
}

/// To what only an agent may answer.
pub fn put_to(agent: &str, key: &str) -> String {
    format!("Only {agent} answers this question, since it is about a request of that agent's. /cancel {key} calls it off.")
}

/// To a text that is too long to be an answer.
pub fn too_long(characters: usize) -> String {
    format!(
        "Not saved: that is too long for an answer. It has {characters} characters; at most {MOST_CHARACTERS} are taken. \
         The question stays open: please write it shorter."
    )
}

/// To a text that shows nothing.
pub fn blank() -> String {
    "Not saved: there is nothing to see in that text. The question stays open: please write your answer in words.".to_owned()
}

/// To a text in the topic of a secret question that cannot take it any more.
pub fn nothing_kept() -> String {
    "Not passed on, and nothing was kept of your text: this question takes no answer any more, and texts at it are private."
        .to_owned()
}

/// To a text whose private words were held in memory when pagerd was restarted.
pub fn write_it_again() -> String {
    "pagerd was restarted before it took this: write it again. Nothing was kept of your text.".to_owned()
}

/// About a question whose private words were lost: what its owner is asked for.
pub fn private_words_lost(question: &Question, in_topic: bool) -> String {
    let lost = "pagerd was restarted before your private answer reached the agent.";
    match in_topic {
        true => format!("{lost} Write it here once more."),
        false => format!("{lost} Write it once more: /answer {} and your words.", key(&question.incarnation)),
    }
}

/// To a message with private words that the bot may not delete.
pub fn delete_by_hand() -> String {
    "The bot may not delete this message, which holds private words: please delete it by hand. (In a group the bot needs the right \
     to delete messages; Telegram lets it for 48 hours.)"
        .to_owned()
}

/// To an answer that the answers repository refused.
pub fn not_saved(reason: &str) -> String {
    let reason = title(&reveal(&one_line(reason)), MOST_REASON);
    format!("Could not be saved: {reason}\nThe question is open again: please answer once more.")
}

/// To a text that GitHub does not take, stored as this request.
pub fn not_passed_on(request: &str, reason: &str) -> String {
    let reason = title(&reveal(&one_line(reason)), MOST_REASON);
    format!(
        "Stored as {request}, but not passed on: GitHub refuses it for good. {reason}\nOnce that is mended, please write it again."
    )
}

/// The same while it is still tried, because somebody can mend what GitHub refuses.
pub fn not_passed_on_yet(request: &str, reason: &str) -> String {
    let reason = title(&reveal(&one_line(reason)), MOST_REASON);
    format!(
        "Stored as {request}, but not passed on yet: GitHub refuses it. {reason}\nOnce that is mended it goes by itself and gets 👀; that is tried for a day."
    )
}

/// In the topic of a question that ended, when what waits for its end cannot be woken.
pub fn not_woken(reason: &str) -> String {
    let reason = title(&reveal(&one_line(reason)), MOST_REASON);
    format!("Your answer is saved, but its agent could not be woken: GitHub refuses that for good. {reason}")
}

/// To an answer to a question that is being settled by another one: it is stored as a request.
pub fn being_saved() -> String {
    "Not taken as the answer: another one to this question is being saved. Your text is kept as a request about it.".to_owned()
}

/// To words at a question that takes none; in its topic no key is needed.
pub fn takes_no_words(question: &Question, in_topic: bool) -> String {
    let called = question.purpose.rules().called;
    let decline = if in_topic { "/decline".to_owned() } else { format!("/decline {}", key(&question.incarnation)) };
    format!(
        "Not taken: {called} takes no words of your own. Pick a button, or write {decline} to leave it to the agent. The question \
         stays open."
    )
}

/// To a photo, a voice message, a sticker, … in the topic of an open question.
pub fn only_text(question: &Question) -> String {
    match (question.purpose.rules().takes_words, question.purpose.has_options()) {
        (true, true) => "Only a text counts as an answer. Please type it, or press a button. The question stays open.",
        (true, false) => "Only a text counts as an answer. Please type it. The question stays open.",
        (false, _) => "Only a button counts as an answer here. Please press one. The question stays open.",
    }
    .to_owned()
}

/// To a photo, a voice message, a sticker, … in the topic of a request.
pub fn only_text_in_thread() -> String {
    "Only a text goes into this thread, so nothing was kept of that. Please type it.".to_owned()
}

/// To a picture or file whose caption was taken as the answer's text.
pub fn only_the_caption() -> String {
    "The caption is taken as your text; the picture or file itself is not passed on.".to_owned()
}

/// In a topic that was made because the first one of its question was deleted.
pub fn topic_made_anew() -> String {
    "The topic of this question was deleted while it was open, so it stands here again. /cancel calls the question off."
        .to_owned()
}

/// In a topic of updates that was made because the one before was deleted.
pub fn updates_topic_made_anew() -> String {
    "The topic of these updates was deleted, so they go on here.".to_owned()
}

/// In the topic of each open question, after Telegram could not be heard for so long that it dropped presses.
pub fn presses_lost(since: &str) -> String {
    format!("Telegram could not be heard from {since} until now. Presses made meanwhile are lost: please press again.")
}

/// In General, while more questions wait than the budget carries.
pub fn more_wait(count: usize) -> String {
    let (questions, wait) = if count == 1 { ("question", "waits") } else { ("questions", "wait") };
    format!("{count} more {questions} {wait} to be shown; /open or the page lists them.")
}

/// In the place of that line, where it can no longer be deleted.
pub fn none_wait() -> String {
    "No more questions wait to be shown.".to_owned()
}

/// In General, while answers wait for an answers repository that does not reply.
pub fn answers_wait(count: usize, since: &str, reason: &str) -> String {
    let reason = title(&reveal(&one_line(reason)), MOST_REASON);
    let (answers, wait) = if count == 1 { ("answer", "waits") } else { ("answers", "wait") };
    format!(
        "⏳ {count} {answers} {wait} to be saved: the answers repository has not replied since {since}. Nothing is lost; they are \
         saved in order once it does.\n{reason}"
    )
}

/// In General, once no answer waits any more.
pub fn no_answer_waits() -> String {
    "The answers repository replies again, and no answer waits any more.".to_owned()
}

/// To `/decline` or `/cancel` without a key where there is no question.
pub fn no_question_here(kind: ChatKind) -> String {
    if kind.has_topics() {
        "There is no question in this topic. Write the command in the topic of the question that you mean.".to_owned()
    } else {
        "Which question? Write the command with the key that its message shows, like: /decline 9f3c2a. /open lists what waits."
            .to_owned()
    }
}

/// To `/answer` without a key or without words.
pub fn how_to_answer() -> String {
    "Not saved. Write the key that the question's message shows, and then your words, like: /answer 9f3c2a after lunch".to_owned()
}

/// To a command with a key that no question has.
pub fn unknown_key(key: &str) -> String {
    let key = title(&reveal(&one_line(key)), MOST_KEY);
    format!("No question has the key {key}. Its message shows it, and /open lists the keys of what waits.")
}

/// To a command with a key that several open questions begin with.
pub fn ambiguous_key(key: &str, records: &[Record]) -> String {
    let key = title(&reveal(&one_line(key)), MOST_KEY);
    let lines = records.iter().map(|record| format!("\n{}  {}", record.question.incarnation, record.question.title()));
    format!("More than one question begins with {key}. Write one of these instead:{}", lines.collect::<String>())
}

/// To a command about a question that has ended, or whose answer is being saved.
pub fn no_longer_open(what_happened: &str) -> String {
    format!("Not taken: that question is no longer open. {what_happened}")
}

/// To `/login` anywhere but in an owner's private chat with the bot.
pub fn login_in_private(bot_username: &str) -> String {
    format!("Login links are given in private only: write /login to https://t.me/{bot_username}")
}

/// The answer to `/login` in private.
pub fn login_link(link: &str, minutes: i64) -> String {
    format!("This link logs one browser in, once, within {minutes} minutes. Whoever has it is you: pass it to nobody.\n{link}")
}

/// To `/mute` with a time.
pub fn muted(until: Time, zone: &TimeZone) -> String {
    format!(
        "No new questions but approvals, and no updates, until {}. They are kept and come then; what you answer is still confirmed. /mute off ends it.",
        until.for_people(zone)
    )
}

/// To `/mute off`.
pub fn unmuted() -> String {
    "New questions and updates are sent again, and those that were held back come now.".to_owned()
}

/// To `/mute` without a time, or with something else behind it.
pub fn how_to_mute(muted_until: Option<Time>, zone: &TimeZone) -> String {
    let now = match muted_until {
        Some(until) => format!("No new questions but approvals, and no updates, until {}.", until.for_people(zone)),
        None => "Nothing is muted.".to_owned(),
    };
    format!(
        "{now} /mute 2h sends no new questions but approvals, and no updates, for two hours; 30m, 1d and at most 30d work as well. /mute off ends it."
    )
}

/// To `/open`: the first of what waits, and how many there are. With keys where questions are named by them.
pub fn open(records: &[Record], count: u64, kind: ChatKind) -> String {
    if records.is_empty() {
        return "Nothing waits for you.".to_owned();
    }
    let mut text = waits(count);
    for record in records {
        let hard = if record.question.is_hard_to_reverse() { "⚠️ " } else { "" };
        text.push_str(&format!("\n\n• {hard}{}{}", mark(record.question.purpose), record.question.title()));
        if !kind.has_topics() {
            text.push_str(&format!("\n   key {}", key(&record.question.incarnation)));
        }
        if let Some(link) = &record.delivery.link {
            text.push_str(&format!("\n   {}", beginning(link, MOST_LINK)));
        }
    }
    let more = count.saturating_sub(u64::try_from(records.len()).unwrap_or(u64::MAX));
    if more > 0 {
        text.push_str(&format!("\n\n… and {more} more."));
    }
    text
}

/// To `/status`: how many questions wait, and of each request that nobody answered its notice.
pub fn status(count: u64, unanswered: &[Unanswered]) -> String {
    let lines = (count > 0).then(|| waits(count)).into_iter().chain(unanswered.iter().map(|request| request.notice.clone()));
    let mut text = String::new();
    let mut shown = 0;
    for line in lines {
        let line = if text.is_empty() { line } else { format!("\n\n{line}") };
        if units(&text) + units(&line) > MOST_STATUS {
            break;
        }
        text.push_str(&line);
        shown += 1;
    }
    let more = unanswered.len() + usize::from(count > 0) - shown;
    match (text.is_empty(), more) {
        (true, 0) => "Nothing waits for you, and nothing that you asked is unanswered.".to_owned(),
        (_, 0) => text,
        (_, more) => format!("{text}\n\n… and {more} more unanswered.").trim_start().to_owned(),
    }
}

fn waits(count: u64) -> String {
    if count == 1 { "1 question waits.".to_owned() } else { format!("{count} questions wait.") }
}

/// What is asked for, where it is more than an answer.
fn mark(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Question | Purpose::Clarification => "",
        Purpose::Decision => "Decision: ",
        Purpose::Approval => "Approval: ",
        Purpose::Action => "Action: ",
        Purpose::Verify => "Verify: ",
        Purpose::Offer => "Offer: ",
    }
}

/// To `/help` and `/start` in the chat that questions are shown in.
pub fn help(kind: ChatKind) -> String {
    let answering = match kind {
        ChatKind::Forum => in_topics("in General"),
        // There is no General: what is written outside topics begins one of its own.
        ChatKind::PrivateTopics => in_topics("in a new topic"),
        ChatKind::Flat => BY_KEY.to_owned(),
    };
    format!("{answering}\n{EVERYWHERE}\n• Any other text that begins with a slash is text.")
}

fn in_topics(elsewhere: &str) -> String {
    format!(
        "Each question has a topic of its own.\n\n\
         • Press a button to answer, or write your answer as a text in the topic: the first one counts.\n\
         • A decision takes no text. At an approval, an action or a verification a text means no.\n\
         • A text gets 👍 once it is saved. Until then it does not count.\n\
         • Only a text of at most 1000 characters counts. An edit never changes a saved answer.\n\
         • A question about the question would be its answer, too: ask {elsewhere} instead.\n\
         • /decline in a question's topic leaves it to the agent's own judgement.\n\
         • /cancel in a question's topic calls it off."
    )
}

const BY_KEY: &str = "Each question is a message of its own, with a key.\n\n\
    • Press a button to answer, or write /answer KEY and your words: the first one counts.\n\
    • A decision takes no words. At an approval, an action or a verification words mean no.\n\
    • Your message gets 👍 once it is saved. Until then it does not count.\n\
    • At most 1000 characters are taken. An edit never changes a saved answer.\n\
    • A text without /answer is never an answer, also not as a reply to the question.\n\
    • /decline KEY leaves it to the agent's own judgement.\n\
    • /cancel KEY calls it off.";

/// To `/help` and `/start` in an owner's private chat with the bot, when questions are shown elsewhere.
pub fn help_in_private() -> String {
    format!("Questions are shown and answered in another chat. Here you can write:\n\n{EVERYWHERE}")
}

const EVERYWHERE: &str = "• /open lists what waits.\n\
    • /status says what waits, and what you asked that nobody answered.\n\
    • /mute 2h sends no new questions but approvals, and no updates, for two hours; /mute off ends it.\n\
    • /login, in a private chat with the bot, gives a link to the page.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::MOST_UNITS;

    #[test]
    fn every_reply_fits_a_message() {
        let hostile = "\u{202e}👍\n".repeat(5000);
        let replies = [
            too_long(usize::MAX),
            blank(),
            not_saved(&hostile),
            being_saved(),
            only_text_in_thread(),
            only_the_caption(),
            no_question_here(ChatKind::Forum),
            no_question_here(ChatKind::Flat),
            how_to_answer(),
            unknown_key(&hostile),
            no_longer_open("You answered: yes"),
            login_in_private("asks_bot"),
            login_link("https://pager.example/login/secret", 10),
            how_to_mute(None, &TimeZone::UTC),
            unmuted(),
            help(ChatKind::Forum),
            help(ChatKind::PrivateTopics),
            help(ChatKind::Flat),
            help_in_private(),
            topic_made_anew(),
            updates_topic_made_anew(),
            presses_lost("2036-01-01 10:00"),
            more_wait(usize::MAX),
            none_wait(),
            answers_wait(usize::MAX, "2036-01-01 10:00", &hostile),
            no_answer_waits(),
        ];
        for reply in replies {
            assert!(!reply.is_empty() && reply.encode_utf16().count() <= MOST_UNITS, "{reply}");
        }
    }

    #[test]
    fn a_text_that_is_too_long_is_told_both_numbers() {
        insta::assert_snapshot!(too_long(1234), @"Not saved: that is too long for an answer. It has 1234 characters; at most 1000 are taken. The question stays open: please write it shorter.");
    }

    #[test]
    fn what_could_not_be_saved_says_why_and_that_it_is_open_again() {
        insta::assert_snapshot!(not_saved("refused by a rule:\nanswers/ is protected"), @"
        Could not be saved: refused by a rule: answers/ is protected
        The question is open again: please answer once more.
        ");
    }
}
