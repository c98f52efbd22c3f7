//! Words that look like a token or a key, so that they are not saved by mistake. A guess that people can overrule: it knows
//! shapes, and means no harm to hashes, ids, addresses and paths.

/// The prefixes of tokens, how many characters follow at least, and whose they are.
const SHAPES: [(&str, usize, &str); 19] = [
    ("ghp_", 20, "a GitHub token"),
    ("gho_", 20, "a GitHub token"),
    ("ghu_", 20, "a GitHub token"),
    ("ghs_", 20, "a GitHub token"),
    ("ghr_", 20, "a GitHub token"),
    ("github_pat_", 20, "a GitHub token"),
    ("glpat-", 16, "a GitLab token"),
    ("sk-", 20, "an API key"),
    ("sk_live_", 16, "an API key"),
    ("rk_live_", 16, "an API key"),
    ("xoxb-", 16, "a Slack token"),
    ("xoxp-", 16, "a Slack token"),
    ("npm_", 30, "an npm token"),
    ("AIza", 30, "an API key"),
    ("whsec_", 16, "a webhook's secret"),
    ("pager_owner_", 16, "a token of pager's"),
    ("pager_device_", 16, "a token of pager's"),
    ("pager_agent_", 16, "a token of pager's"),
    ("pager_observer_", 16, "a token of pager's"),
];
/// The shortest word that is looked at for its disorder alone, and the longest that is.
const LONG: std::ops::RangeInclusive<usize> = 24..=512;
/// How many different characters such a word has at least.
const MANY: usize = 14;

/// What these words look like, as in "it looks like a GitHub token"; None when they look like words.
pub fn looks_secret(words: &str) -> Option<&'static str> {
    if words.contains("-----BEGIN ") && words.contains("PRIVATE KEY") {
        return Some("a private key");
    }
    words.split(|character: char| !is_of_a_token(character)).find_map(of_word)
}

/// Everything else ends a word: white space, quotes, brackets, commas.
fn is_of_a_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_-.:/+=~@%".contains(character)
}

fn of_word(word: &str) -> Option<&'static str> {
    // Behind `KEY=` or `token:` stands the same secret, and in an address it stands anywhere.
    let parts = || word.split([':', '=', '/', '@', '?', '&', '%']);
    let shaped = parts().find_map(shaped).or_else(|| is_bot_token(word).then_some("a Telegram bot's token"));
    shaped.or_else(|| is_jwt(word).then_some("a signed token")).or_else(|| is_disorder(word).then_some("a key"))
}

fn shaped(part: &str) -> Option<&'static str> {
    let is_inside = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let known = SHAPES.iter().find(|(prefix, least, _)| {
        // A few words joined by hyphens, as in `sk-learn-this-is-no-key-at-all`, have no digit.
        part.strip_prefix(prefix).is_some_and(|rest| {
            let length = rest.chars().take_while(|character| is_inside(*character)).count();
            length >= *least && rest.bytes().any(|byte| byte.is_ascii_digit())
        })
    });
    let is_of_cloud = |prefix: &str| {
        let rest = part.strip_prefix(prefix).unwrap_or_default();
        rest.len() == 16 && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    known.map(|(_, _, whose)| *whose).or_else(|| (is_of_cloud("AKIA") || is_of_cloud("ASIA")).then_some("an AWS access key"))
}

/// `<8 to 10 digits>:<35 characters>`.
fn is_bot_token(word: &str) -> bool {
    let is_id = |id: &str| (8..=10).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_digit());
    let is_rest =
        |rest: &str| rest.len() >= 35 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    word.split(['/', '=']).any(|part| {
        let parts: Vec<&str> = part.split(':').collect();
        parts.windows(2).any(|pair| is_id(pair[0].strip_prefix("bot").unwrap_or(pair[0])) && is_rest(pair[1]))
    })
}

/// Three parts of base64, of which the first two are JSON objects.
fn is_jwt(word: &str) -> bool {
    word.split([':', '=', '/']).any(|part| {
        let parts: Vec<&str> = part.split('.').collect();
        matches!(parts[..], [head, body, signature] if head.starts_with("eyJ") && body.starts_with("eyJ") && signature.len() >= 16)
    })
}

/// A long word of small and capital letters and digits in no order, which is neither an address, a path, nor a hash.
fn is_disorder(word: &str) -> bool {
    if word.contains("://") || word.starts_with(['/', '.', '~']) || word.contains("www.") {
        return false;
    }
    let value = word.rsplit([':', '=']).find(|part| !part.is_empty()).unwrap_or_default();
    let value = value.trim_matches(['.', '-', '_']);
    // A path or a sentence of short parts: what a secret is made of is not cut up so often.
    let is_cut_up = value.split(['-', '_', '.', '/', '@']).all(|part| part.len() < 20);
    if !LONG.contains(&value.len()) || is_cut_up {
        return false;
    }
    let has = |is: fn(&u8) -> bool| value.bytes().filter(is).count();
    let (small, capital, digits) = (has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase), has(u8::is_ascii_digit));
    let mut seen: Vec<u8> = value.bytes().collect();
    seen.sort_unstable();
    seen.dedup();
    small >= 3 && capital >= 3 && digits >= 3 && seen.len() >= MANY && changes(value) * 4 >= value.len()
}

/// How often one kind of character follows another. In words that are joined it is seldom.
fn changes(word: &str) -> usize {
    let kind = |byte: u8| (byte.is_ascii_lowercase(), byte.is_ascii_uppercase(), byte.is_ascii_digit());
    word.as_bytes().windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count()
}
