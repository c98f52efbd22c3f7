//! The bot's own commands: what is never mistaken for an answer.

pub mod menu;

/// One of the bot's own commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Answer in own words, with the key of a question.
    Answer,
    /// Leave the question to its agent.
    Decline,
    /// Call the question off.
    Cancel,
    /// What waits.
    Open,
    /// What waits, and what nobody answered.
    Status,
    /// No new questions for a while.
    Mute,
    /// A link that logs in to the page.
    Login,
    /// How this works; `/start` is the same.
    Help,
}

impl Command {
    /// The command of this name, without slash, in any case.
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "answer" => Some(Self::Answer),
            "decline" => Some(Self::Decline),
            "cancel" => Some(Self::Cancel),
            "open" => Some(Self::Open),
            "status" => Some(Self::Status),
            "mute" => Some(Self::Mute),
            "login" => Some(Self::Login),
            "help" | "start" => Some(Self::Help),
            _ => None,
        }
    }
}

/// What a text is when it begins with a slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slash<'text> {
    /// A command of this bot, with what stands behind it.
    Own(Command, &'text str),
    /// Such a command, addressed to another bot.
    OtherBots,
    /// Text like any other.
    Text,
}

/// The key of a question and what stands behind it, from what stands behind a command. None without a key.
pub fn keyed(rest: &str) -> Option<(&str, &str)> {
    let rest = rest.trim();
    let (key, words) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    (!key.is_empty()).then(|| (key, words.trim()))
}

/// Reads the first word of a text as a command, with or without `@username`.
pub fn read<'text>(text: &'text str, username: &str) -> Slash<'text> {
    let text = text.trim();
    let Some(line) = text.strip_prefix('/') else { return Slash::Text };
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (name, suffix) = word.split_once('@').map_or((word, None), |(name, suffix)| (name, Some(suffix)));
    match (Command::named(name), suffix) {
        (None, _) => Slash::Text,
        (Some(_), Some(other)) if !other.eq_ignore_ascii_case(username.trim_start_matches('@')) => Slash::OtherBots,
        (Some(command), _) => Slash::Own(command, rest.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_commands_are_known_with_and_without_suffix() {
        let check = |text: &str, slash: Slash| assert_eq!(read(text, "asks_bot"), slash, "{text:?}");
        check("/decline", Slash::Own(Command::Decline, ""));
        check("/Decline@Asks_Bot  please", Slash::Own(Command::Decline, "please"));
        check(" /cancel\nbecause", Slash::Own(Command::Cancel, "because"));
        check("/start", Slash::Own(Command::Help, ""));
        check("/help@other_bot", Slash::OtherBots);
        check("/answer 9f3c2a Only\nafter lunch", Slash::Own(Command::Answer, "9f3c2a Only\nafter lunch"));
        check("/mute@asks_bot 2h", Slash::Own(Command::Mute, "2h"));
        check("/open@other_bot", Slash::OtherBots);
        check("/Status", Slash::Own(Command::Status, ""));
    }

    #[test]
    fn a_key_is_the_first_word_and_the_rest_is_left_as_it_was_written() {
        assert_eq!(keyed(" 9f3c2a  Only\n after lunch "), Some(("9f3c2a", "Only\n after lunch")));
        assert_eq!(keyed("9f3c2a"), Some(("9f3c2a", "")));
        assert_eq!(keyed(" \n"), None);
    }

    #[test]
    fn any_other_text_with_a_slash_is_text() {
        for text in
            ["/usr/bin", "/declined", "/", "//decline", "/de cline", "decline", "/etc@asks_bot", "/state", "", "1/decline"]
        {
            assert_eq!(read(text, "asks_bot"), Slash::Text, "{text:?}");
        }
    }
}
