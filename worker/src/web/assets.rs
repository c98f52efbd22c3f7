//! The page's style, script and icons, from inside the program. Asked for again each time, sent only when changed.

use std::borrow::Cow;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::secrets;

/// One style in one reply; its files are for whoever edits them.
const STYLE: &str = concat!(
    include_str!("assets/base.css"),
    include_str!("assets/frame.css"),
    include_str!("assets/card.css"),
    include_str!("assets/lists.css"),
);

/// One script, likewise.
const SCRIPT: &str = concat!(include_str!("assets/live.js"), include_str!("assets/cards.js"), include_str!("assets/notify.js"));

const ICON: &str = include_str!("assets/icon.svg");

/// `GET /assets/{name}`.
pub async fn serve(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let (kind, body) = match name.as_str() {
        "page.css" => ("text/css; charset=utf-8", Cow::Borrowed(STYLE)),
        "page.js" => ("text/javascript; charset=utf-8", SCRIPT.into()),
        "icon.svg" => ("image/svg+xml", ICON.into()),
        name => match badge(name) {
            Some(icon) => ("image/svg+xml", icon.into()),
            None => return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
        },
    };
    let tag = format!("\"{}\"", &secrets::hash(&body)[..16]);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let about = [(header::CONTENT_TYPE, kind.to_owned()), (header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag)];
    if known { (StatusCode::NOT_MODIFIED, about).into_response() } else { (about, body).into_response() }
}

/// The icon with a number, `icon-7.svg`: at most two digits, or `99+`.
fn badge(name: &str) -> Option<String> {
    let number = name.strip_prefix("icon-")?.strip_suffix(".svg")?;
    let is_number = matches!(number.len(), 1 | 2) && number.bytes().all(|byte| byte.is_ascii_digit());
    let size = match number {
        "99+" => 17,
        _ if !is_number => return None,
        _ if number.len() == 2 => 22,
        _ => 27,
    };
    let over = format!(
        "<circle cx=\"45\" cy=\"19\" r=\"19\" fill=\"#c2410c\"/><text x=\"45\" y=\"{}\" fill=\"#fff\" text-anchor=\"middle\" \
         font-family=\"system-ui,sans-serif\" font-weight=\"700\" font-size=\"{size}\">{number}</text></svg>",
        19 + size * 36 / 100
    );
    Some(format!("{}{over}", ICON.trim_end().strip_suffix("</svg>")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_icon_carries_a_number_and_nothing_else() {
        for number in ["1", "42", "99+"] {
            let icon = badge(&format!("icon-{number}.svg")).expect("there is one");
            assert!(icon.contains(&format!(">{number}</text></svg>")), "{icon}");
        }
        for other in ["icon-.svg", "icon-100.svg", "icon-<b.svg", "icon-1", "icon-1a.svg", "icon--1.svg"] {
            assert_eq!(badge(other), None, "{other}");
        }
    }
}
