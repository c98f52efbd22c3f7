//! The action that installs `ask`: from an archive or a program with a checksum, or from the sources at a commit.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::door::{Answer, Door};
use super::runner::{Outcome, Runner};
use super::steps::action;

const PROGRAM: &str = "#!/bin/sh\necho ask 0.0.1\n";

async fn install(inputs: &Value) -> (Runner, Outcome) {
    let mut runner = Runner::new(&Value::Null);
    runner.context.set("toJSON(inputs)", &inputs.to_string());
    let outcome = runner.run(&action("install-ask/action.yml")).await;
    (runner, outcome)
}

fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn archive() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("ask-0.0.1")).unwrap();
    std::fs::write(folder.path().join("ask-0.0.1/ask"), PROGRAM).unwrap();
    let packed = Command::new("tar")
        .arg("--create")
        .arg("--gzip")
        .arg("--directory")
        .arg(folder.path())
        .arg("ask-0.0.1")
        .output()
        .unwrap();
    assert!(packed.status.success());
    packed.stdout
}

async fn serving(bytes: Vec<u8>) -> Door {
    Door::answering(move |_, _| Answer(200, None, bytes.clone())).await
}

/// Whether the folder that was put on the path holds an `ask` that runs.
fn is_on_the_path(outcome: &Outcome) -> bool {
    let ask = Path::new(outcome.paths.trim_end()).join("ask");
    ask.is_absolute() && Command::new(ask).arg("--version").output().is_ok_and(|ran| ran.stdout == b"ask 0.0.1\n")
}

#[tokio::test]
async fn an_archive_or_a_program_with_the_right_checksum_is_put_on_the_path() {
    for (name, bytes) in [("ask.tar.gz", archive()), ("ask", PROGRAM.as_bytes().to_vec())] {
        let door = serving(bytes.clone()).await;
        let inputs = json!({"url": format!("{}/{name}", door.url), "sha256": checksum(&bytes), "repository": "", "ref": ""});
        let (_runner, outcome) = install(&inputs).await;
        assert!(outcome.succeeded && is_on_the_path(&outcome), "{outcome:?}");
    }
}

#[tokio::test]
async fn another_checksum_installs_nothing() {
    for name in ["ask.tar.gz", "ask"] {
        let door = serving(archive()).await;
        let (runner, outcome) = install(&json!({"url": format!("{}/{name}", door.url), "sha256": checksum(b"other")})).await;
        assert!(!outcome.succeeded && outcome.paths.is_empty(), "{outcome:?}");
        assert!(outcome.log.contains("what lies at url has another checksum than sha256"));
        assert!(!runner.folder().join("temp/install-ask/bin/ask").exists());
    }
}

#[tokio::test]
async fn an_input_that_does_not_exist_is_an_error() {
    let good = checksum(PROGRAM.as_bytes());
    let door = serving(PROGRAM.as_bytes().to_vec()).await;
    let (_, outcome) =
        install(&json!({"url": format!("{}/ask", door.url), "sha256": good, "sha-256": "x", "::error::\nforged": ""})).await;
    assert!(!outcome.succeeded && door.lines().is_empty());
    let said =
        "::error::install-ask: there is no input ??error???forged, sha-256; there are url and sha256, or repository and ref";
    assert_eq!(outcome.log, said);
}

#[tokio::test]
async fn inputs_that_do_not_belong_together_or_are_not_exact_are_refused() {
    let sha = "a".repeat(64);
    let commit = "a".repeat(40);
    for (inputs, said) in [
        (json!({}), "give url and sha256, or repository and ref"),
        (json!({"url": "https://a.example/ask", "sha256": sha, "ref": commit}), "give url and sha256, or repository and ref"),
        (
            json!({"repository": "https://a.example/pager", "ref": commit, "sha256": sha}),
            "give url and sha256, or repository and ref",
        ),
        (json!({"url": "https://a.example/ask"}), "sha256 must be 64 hex digits"),
        (json!({"url": "https://a.example/ask", "sha256": "$(touch canary)"}), "sha256 must be 64 hex digits"),
        (json!({"url": "http://a.example/ask", "sha256": sha}), "url must begin with https://"),
        (json!({"url": "-o/etc/x", "sha256": sha}), "url must begin with https://"),
        (json!({"repository": "https://a.example/pager", "ref": "v1"}), "ref must be a whole commit"),
    ] {
        let (runner, outcome) = install(&inputs).await;
        assert!(!outcome.succeeded && outcome.log.contains(said), "{inputs}: {outcome:?}");
        assert!(!outcome.arguments.contains("curl") && std::fs::read_dir(runner.work()).unwrap().count() == 0);
    }
}

#[tokio::test]
async fn cargo_builds_the_sources_of_that_commit_and_no_other() {
    let sources = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let names = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"];
        let ran = Command::new("git").current_dir(sources.path()).args(names).args(arguments).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8(ran.stdout).unwrap().trim().to_owned()
    };
    let write = |version: &str| {
        let manifest = "[package]\nname = \"pager-scripts\"\nversion = \"0.0.1\"\nedition = \"2024\"\n[[bin]]\nname = \"ask\"\npath = \"ask.rs\"\n";
        std::fs::write(sources.path().join("Cargo.toml"), manifest).unwrap();
        std::fs::write(
            sources.path().join("Cargo.lock"),
            "version = 4\n\n[[package]]\nname = \"pager-scripts\"\nversion = \"0.0.1\"\n",
        )
        .unwrap();
        std::fs::write(sources.path().join("ask.rs"), format!("fn main() {{ println!(\"ask {version}\"); }}")).unwrap();
        git(&["add", "--all"]);
        git(&["commit", "--quiet", "--message", version]);
    };
    git(&["init", "--quiet"]);
    write("0.0.1");
    let commit = git(&["rev-parse", "HEAD"]);
    write("0.0.2");

    let mut runner = Runner::new(&Value::Null);
    let inputs = json!({"repository": format!("file://{}", sources.path().display()), "ref": commit, "url": "", "sha256": ""});
    runner.context.set("toJSON(inputs)", &inputs.to_string());
    runner.set("CARGO_HOME", runner.folder().join("cargo").to_str().unwrap());
    runner.set("RUSTUP_HOME", &std::env::var("RUSTUP_HOME").unwrap_or(format!("{}/.rustup", std::env::var("HOME").unwrap())));
    if let Ok(toolchain) = std::env::var("RUSTUP_TOOLCHAIN") {
        runner.set("RUSTUP_TOOLCHAIN", &toolchain);
    }
    let outcome = runner.run(&action("install-ask/action.yml")).await;
    assert!(outcome.succeeded && is_on_the_path(&outcome), "{outcome:?}");
}
