//! What looks like a secret, and what must not.

use pager_questions::looks_secret::looks_secret;

/// Made up here, and joined so that no scanner of this repository takes them for real ones.
fn secrets() -> Vec<(String, &'static str)> {
    let mixed = "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4fG6";
    vec![
        (format!("ghp_{mixed}"), "a GitHub token"),
        (format!("github_pat_11ABCDEFG0{mixed}_{mixed}"), "a GitHub token"),
        (format!("glpat-{}", &mixed[..20]), "a GitLab token"),
        (format!("sk-{mixed}"), "an API key"),
        (format!("sk-ant-api03-{mixed}"), "an API key"),
        (format!("xoxb-{}", "123456789012-abcDEF123456"), "a Slack token"),
        (format!("AKIA{}", "IOSFODNN7EXAMPLE"), "an AWS access key"),
        (format!("123456789:AA{}", &mixed[..33]), "a Telegram bot's token"),
        (format!("pager_owner_{mixed}"), "a token of pager's"),
        (format!("-----BEGIN {} PRIVATE KEY-----\nMIIE\n-----END", "RSA"), "a private key"),
        (format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{}", &mixed[..22]), "a signed token"),
        (mixed.to_owned(), "a key"),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY0".replace('/', "9"), "a key"),
    ]
}

#[test]
fn known_shapes_and_long_disorder_look_like_secrets_wherever_they_stand() {
    for (secret, whose) in secrets() {
        assert_eq!(looks_secret(&secret), Some(whose), "{secret}");
        for around in ["Use {} please", "TOKEN={}", "\"{}\"", "Es ist ({}).", "password: {}", "a\n{}\nb", "`{}`", "key:{}"] {
            let words = around.replace("{}", &secret);
            assert_eq!(looks_secret(&words), Some(whose), "{words}");
        }
    }
    let in_address = format!("https://x-access-token:ghp_{}@git.example/a.git", "aB3dE5gH7jK9mN1pQ3sT5vW7");
    assert_eq!(looks_secret(&in_address), Some("a GitHub token"));
}

#[test]
fn what_people_write_every_day_does_not() {
    for words in [
        "",
        "Yes, release it after lunch.",
        "9f3c2a715be04d18c0ffee00deadbeef12345678",
        "commit 09214a8a4fad0a505972784b7e1cc43cb7496621 is fine",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "0198f2c4-7d5e-7c11-a2b0-9a1f1f7e0c55",
        "0198F2C4-7D5E-7C11-A2B0-9A1F1F7E0C55",
        "https://github.example/owner/repo/pull/42#discussion_r1234567890",
        "https://docs.example/Path/To/SomeVeryLongPageName2024/Index.html?Query=AbCdEf123456",
        "/home/Olga/Projects/Pager2/target/debug/Build-1a2B3c4D/Output.log",
        "worker/src/service/saver/mod.rs:123",
        "crates/Some_Long_Module_Name_2/src/VeryLongFileName42.rs",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz2024",
        "Nimm die Kraftfahrzeughaftpflichtversicherung von 2024, bitte.",
        "DE89 3704 0044 0532 0130 00",
        "DE89370400440532013000",
        "2026-11-30T13:25:03.120Z",
        "+49 30 1234567890",
        "sk-learn-is-a-library-and-not-a-key",
        "task-force-one",
        "AKIA is a prefix, ghp_ is one, and glpat- too",
        "someVeryLongCamelCaseIdentifierThatNobodyLikes2",
        "SCREAMING_SNAKE_CASE_CONSTANT_NUMBER_42",
        "olga.petrova+pager2026@mail.example",
        "192.168.100.200:8080, fe80::1ff:fe23:4567:890a",
        "v2.4.0-rc.1+build.20261130",
        "1234567890:1234567890",
        "k8s-prod-eu-central-1a-node-0042.internal.example",
        "q-0123456789abcdef",
        "user@host:/srv/git/Answers2.git",
    ] {
        assert_eq!(looks_secret(words), None, "{words}");
    }
}
