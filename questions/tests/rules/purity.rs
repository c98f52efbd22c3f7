//! The rules know no runtime, no file, no socket, no clock and no chance; their manifest proves it.

use std::path::Path;

#[test]
fn the_rules_depend_on_nothing_that_could_act() {
    let manifest = include_str!("../../Cargo.toml");
    let (_, behind) = manifest.split_once("\n[dependencies]\n").unwrap();
    let names: Vec<&str> = behind
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split(['.', ' ', '=']).next().unwrap())
        .collect();
    assert_eq!(names, ["base64", "ed25519-dalek", "jiff", "serde", "serde_jcs", "serde_json", "sha2", "thiserror", "utoipa"]);
    assert!(manifest.contains("\nutoipa = { workspace = true, optional = true }\n"), "shapes are for whoever describes them");
    assert!(!manifest.contains("\n[build-dependencies]") && !manifest.contains("\n[target."));
}

#[test]
fn no_line_of_the_rules_reads_the_world() {
    let outside = [
        "std::fs",
        "std::net",
        "std::env",
        "std::io",
        "std::process",
        "std::thread",
        "SystemTime",
        "Instant",
        "::now(",
        "TimeZone::system",
        "try_system",
        "getrandom",
        "rand::",
        "println!",
        "async fn",
    ];
    let mut files = 0;
    each_source(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut |path, text| {
        files += 1;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for word in outside {
                assert!(!line.contains(word), "{}:{}: {word}", path.display(), number + 1);
            }
        }
    });
    assert!(files > 20, "only {files} files were looked at");
}

fn each_source(folder: &Path, look: &mut dyn FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_source(&path, look);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            look(&path, &std::fs::read_to_string(&path).unwrap());
        }
    }
}
