//! `pager-forward.yml` and payloads that would like to be commands: they arrive to the byte, and nothing else happens.

use serde_json::{Value, json};

use super::door::Door;
use super::event::{EVENT, event, signing};
use super::steps::step;

fn texts() -> Vec<String> {
    let small = [
        "\"; touch canary; \"",
        "'; touch canary; '",
        "$(touch canary)",
        "`touch canary`",
        "\n touch canary \n",
        "| touch canary",
        "\"; rm -rf .; \"",
        "${{ github.token }}",
        "$GITHUB_TOKEN ${PAGER_SECRET}",
        "%s%n%x %0A::error::forged",
        "\n::error::forged\n::set-output name=x::y\n::add-mask::a\n##[error]forged\n",
        "::stop-commands::x",
        "-rf",
        "--output",
        "@/etc/passwd",
        "\\(env.PAGER_SECRET) \\u0022 \\\\",
        "é 🚨 👩‍🚀 \u{202e} \u{feff} \u{2028}",
        "a\u{0}b\u{7f}\r\t\u{1b}[31m",
        "EOF\nBODY\n",
        "{\"type\":\"ask\"}",
        "{a,b} [1-3] # ~ * ?",
    ];
    let mut texts: Vec<String> = small.iter().map(|text| (*text).to_owned()).collect();
    texts.push("🚨".repeat(15_000));
    texts.push("x".repeat(60 * 1024));
    texts
}

async fn check(fields: &Value) {
    for job in ["forward", "inbox"] {
        let door = Door::with_status(201).await;
        let mut runner = signing(&event("pager-ask", fields), &door.url);
        runner.set("GITHUB_API_URL", &door.url);
        let outcome = runner.run(&step("pager-forward.yml", job)).await;
        assert!(outcome.succeeded && outcome.masked.is_empty(), "{fields}: {outcome:?}");
        assert!(outcome.log.starts_with(&format!("pager-forward: ask {EVENT}: ")), "{outcome:?}");
        assert_eq!(outcome.log.lines().count(), 1, "{outcome:?}");
        assert_eq!(std::fs::read_dir(runner.work()).unwrap().count(), 0, "something was run: {fields}");
        let [received] = &door.received()[..] else { panic!("{:?}", door.lines()) };
        let mut body = if job == "forward" { received.json() } else { super::inbox::written(received) };
        for added in ["type", "sender", "sent_at"] {
            assert!(body.as_object_mut().unwrap().remove(added).is_some());
        }
        assert_eq!(body, *fields);
    }
}

#[tokio::test]
async fn words_of_any_kind_arrive_as_they_are() {
    let [large, small]: [Vec<String>; 2] = {
        let (large, small) = texts().into_iter().partition(|text| text.len() > 1000);
        [large, small]
    };
    for text in large {
        check(&json!({"id": "rel-42", "title": text})).await;
    }
    // All the small ones at once, as values, in lists, as names, and as the id.
    let named: serde_json::Map<String, Value> = small.iter().map(|text| (text.clone(), json!(text))).collect();
    check(&json!({"id": "-rf", "title": small.concat(), "options": small, "more": named})).await;
}

#[tokio::test]
async fn an_id_that_would_like_to_be_an_option_or_a_command_arrives_as_it_is() {
    for id in ["--output=canary", "@/etc/passwd", "$(touch canary)", "\n::error::forged"] {
        check(&json!({"id": id})).await;
    }
}
