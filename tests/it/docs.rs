//! The documents against the repository: links lead somewhere, files and tests that are named exist, and every direct
//! dependency has its reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const ROOMS: [&str; 7] = ["questions/", "answers/", "bot/", "worker/", "scripts/", "tests/", "docs/"];
const CODE: [&str; 6] = ["rs", "md", "toml", "sql", "html", "sh"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Every Markdown file of the root and of `docs/`, with its text.
fn documents() -> Vec<(PathBuf, String)> {
    let mut found = files(&root().join("docs"), "md");
    found.extend(std::fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| has_ending(path, "md")));
    found.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if has_ending(&path, ending) {
            found.push(path);
        }
    }
    found
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension == ending)
}

/// The text without what stands in fences, where brackets and words are those of other languages.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What stands between backticks.
fn spans(prose: &str) -> Vec<&str> {
    prose.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// The targets of links, `[words](target)`.
fn targets(prose: &str) -> Vec<&str> {
    prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target).collect()
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|character| character.is_alphanumeric() || matches!(character, '-' | '_')).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut dead = Vec::new();
    for (path, text) in documents() {
        let prose = prose(&text);
        for target in targets(&prose).into_iter().filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let to = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let is_there = to.exists() && (anchor.is_empty() || anchors(&std::fs::read_to_string(&to).unwrap()).contains(anchor));
            if !is_there {
                dead.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn every_file_that_a_document_names_exists() {
    let mut missing = Vec::new();
    for (path, text) in documents() {
        for span in spans(&prose(&text)) {
            let is_file =
                ROOMS.iter().any(|room| span.starts_with(room)) && CODE.iter().any(|end| has_ending(Path::new(span), end));
            if is_file && !span.contains(['<', ' ']) && !root().join(span).exists() {
                missing.push(format!("{}: {span}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_test_that_the_threat_model_names_exists() {
    let text = std::fs::read_to_string(root().join("docs/threat-model.md")).unwrap();
    let sources: Vec<String> = ROOMS
        .iter()
        .filter(|room| **room != "docs/")
        .flat_map(|room| files(&root().join(room), "rs"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let is_name =
        |span: &&str| span.matches('_').count() >= 2 && span.chars().all(|each| each.is_ascii_lowercase() || each == '_');
    let prose = prose(&text);
    let names: BTreeSet<&str> = spans(&prose).into_iter().filter(is_name).collect();
    assert!(names.len() > 20, "the names are not found: {names:?}");
    let missing: Vec<&&str> =
        names.iter().filter(|name| !sources.iter().any(|source| source.contains(&format!("fn {name}(")))).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_direct_dependency_has_its_reason_and_none_besides() {
    let text = std::fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    let row = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    let explained: BTreeSet<String> = text.lines().filter_map(row).collect();
    let mut used = BTreeSet::new();
    for room in ROOMS.iter().filter(|room| **room != "docs/") {
        let manifest = std::fs::read_to_string(root().join(room).join("Cargo.toml")).unwrap();
        let mut is_dependency = false;
        for line in manifest.lines() {
            if let Some(section) = line.strip_prefix('[') {
                is_dependency = section.ends_with("dependencies]");
            } else if is_dependency && let Some((name, _)) = line.split_once(['.', '=', ' ']) {
                used.insert(name.trim().to_owned());
            }
        }
    }
    let used: BTreeSet<String> =
        used.into_iter().filter(|name| !name.is_empty() && !name.starts_with("pager-") && !name.starts_with('#')).collect();
    assert_eq!(explained, used);
}

#[test]
fn the_readme_begins_with_the_two_commands() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let fences: Vec<&str> = text.split("```").skip(1).step_by(2).filter_map(|fence| fence.strip_prefix("sh\n")).collect();
    assert_eq!(fences[..2], ["cargo run --release -- try\n", "tests/run\n"]);
}
