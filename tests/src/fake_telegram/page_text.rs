//! Texts with entities as HTML for the page.

use serde_json::Value;

/// Text with every sign that HTML knows escaped.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// A text with its entities as elements. Entities nest and lie in the text: the server saw to it.
pub(super) fn formatted(text: &str, entities: &[Value]) -> String {
    let mut spans: Vec<(usize, usize, (String, &str))> = Vec::new();
    for entity in entities {
        let (Some(start), Some(length)) = (entity["offset"].as_u64(), entity["length"].as_u64()) else {
            continue;
        };
        if let (Ok(start), Ok(length)) = (usize::try_from(start), usize::try_from(length)) {
            spans.push((start, start + length, tags(entity)));
        }
    }
    let mut html = String::new();
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for character in text.chars() {
        close(&mut html, &mut open, at);
        for (start, end, (opening, closing)) in &spans {
            if *start == at {
                html.push_str(opening);
                open.push((*end, closing));
            }
        }
        html.push_str(&escaped(character.encode_utf8(&mut [0; 4])));
        at += character.len_utf16();
    }
    close(&mut html, &mut open, usize::MAX);
    html
}

fn close(html: &mut String, open: &mut Vec<(usize, &str)>, at: usize) {
    while let Some((_, closing)) = open.pop_if(|(end, _)| *end <= at) {
        html.push_str(closing);
    }
}

fn tags(entity: &Value) -> (String, &'static str) {
    let plain = |opening: &str| opening.to_owned();
    match entity["type"].as_str().unwrap_or_default() {
        "bold" => (plain("<b>"), "</b>"),
        "italic" => (plain("<i>"), "</i>"),
        "underline" => (plain("<u>"), "</u>"),
        "strikethrough" => (plain("<s>"), "</s>"),
        "code" => (plain("<code>"), "</code>"),
        "pre" => (plain("<pre>"), "</pre>"),
        "spoiler" => (plain("<span class=\"spoiler\">"), "</span>"),
        "blockquote" | "expandable_blockquote" => (plain("<blockquote>"), "</blockquote>"),
        "text_link" => {
            let url = entity["url"].as_str().unwrap_or_default();
            let is_web = url.starts_with("https://") || url.starts_with("http://");
            let url = if is_web { url } else { "#" };
            (format!("<a rel=\"noreferrer\" href=\"{}\">", escaped(url)), "</a>")
        }
        _ => (plain("<span>"), "</span>"),
    }
}
