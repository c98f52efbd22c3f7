//! Every file of this binary is a part of it: a test that nobody compiles proves nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn no_file_of_the_tests_was_forgotten() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("it");
    let mut present = BTreeSet::new();
    files(&root, &mut present);
    let mut reached = BTreeSet::new();
    reach(&root.join("main.rs"), &root, &mut reached);
    let forgotten: Vec<&PathBuf> = present.difference(&reached).collect();
    assert!(forgotten.is_empty(), "no `mod` line leads to {forgotten:?}");
}

fn files(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.insert(path);
        }
    }
}

/// Follows the `mod` lines of a file whose modules lie in `folder`.
fn reach(file: &Path, folder: &Path, reached: &mut BTreeSet<PathBuf>) {
    reached.insert(file.to_owned());
    let text = std::fs::read_to_string(file).unwrap();
    for line in text.lines() {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) else { continue };
        let beneath = folder.join(name);
        let beside = folder.join(format!("{name}.rs"));
        let module = if beside.exists() { beside } else { beneath.join("mod.rs") };
        reach(&module, &beneath, reached);
    }
}
