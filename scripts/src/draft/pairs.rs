//! `--link LABEL=URL` and `--media TYPE[:ALT]=URL` of an update. The name ends where the web address begins, so that it
//! may hold an = itself.

use serde_json::{Value, json};

/// Reads one `--link`.
///
/// # Errors
/// When it is not `LABEL=URL`.
pub fn link(text: &str) -> Result<Value, &'static str> {
    let (label, url) = split(text).ok_or("write it as LABEL=URL, with a URL that begins with https:// or http://")?;
    Ok(json!({"label": label, "url": url}))
}

/// Reads one `--media`.
///
/// # Errors
/// When it is not `TYPE=URL` or `TYPE:ALT=URL`.
pub fn media(text: &str) -> Result<Value, &'static str> {
    const SHAPE: &str = "write it as TYPE=URL or TYPE:ALT=URL, like image/png:The chart=https://…";
    let (name, url) = split(text).ok_or(SHAPE)?;
    let (mime_type, alt) = name.split_once(':').map_or((name, None), |(mime_type, alt)| (mime_type, Some(alt)));
    if !mime_type.contains('/') {
        return Err(SHAPE);
    }
    Ok(match alt {
        Some(alt) => json!({"url": url, "mime_type": mime_type, "alt": alt}),
        None => json!({"url": url, "mime_type": mime_type}),
    })
}

fn split(text: &str) -> Option<(&str, &str)> {
    let place = ["=https://", "=http://"].iter().filter_map(|mark| text.find(mark)).min()?;
    (place > 0).then(|| (&text[..place], &text[place + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_a_label_and_media_a_type() {
        assert_eq!(link("The log=https://ci.example/1?a=b"), Ok(json!({"label": "The log", "url": "https://ci.example/1?a=b"})));
        assert_eq!(link("a=b=http://x/"), Ok(json!({"label": "a=b", "url": "http://x/"})));
        let plain = json!({"url": "https://x/y.png?u=https://z", "mime_type": "image/png"});
        assert_eq!(media("image/png=https://x/y.png?u=https://z"), Ok(plain));
        let described = json!({"url": "https://x/y.png", "mime_type": "image/png", "alt": "Load: last week"});
        assert_eq!(media("image/png:Load: last week=https://x/y.png"), Ok(described));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "https://x", "=https://x", "log=ftp://x", "log"] {
            assert!(link(text).is_err() && media(text).is_err(), "{text:?}");
        }
        assert!(media("png=https://x").is_err());
    }
}
