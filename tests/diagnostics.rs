//! Bad fixtures with the exact diagnostics beside them: `tests/fixtures/bad/*` and `*.stderr`.
//!
//! `UPDATE=1 cargo test --test diagnostics` writes what is said now; read the diff before it is committed.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use mcpvals::{
    parse,
    source::{Severity, SourceFile, Style, render},
};

#[test]
fn bad_fixtures_say_what_is_wrong() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    for path in fixtures(&root().join("tests/fixtures/bad")) {
        let expected_path = PathBuf::from(format!("{}.stderr", path.display()));
        let said = say(&path);
        if update {
            fs::write(&expected_path, &said).expect("the folder can be written");
        }
        let expected = fs::read_to_string(&expected_path).unwrap_or_default();
        if said != expected {
            wrong.push(format!("{}\n--- expected\n{expected}--- said\n{said}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_bad_fixture_has_something_to_say() {
    for path in fixtures(&root().join("tests/fixtures/bad")) {
        assert!(!say(&path).is_empty(), "{} is not bad", path.display());
    }
}

/// Everything that is said about a file, and whether it can be used nonetheless.
fn say(path: &Path) -> String {
    let name = path.strip_prefix(root()).expect("below the root").display().to_string();
    let source = SourceFile::new(name.replace('\\', "/"), fs::read_to_string(path).expect("is text"));
    let parsed = parse::fixture(&source);
    let mut said = String::new();
    for diagnostic in &parsed.diagnostics {
        writeln!(said, "{}\n", render(diagnostic, Style::Plain)).expect("a string takes all");
    }
    let has_error = parsed.diagnostics.iter().any(|it| it.severity == Severity::Error);
    assert_eq!(
        parsed.value.is_none(),
        has_error,
        "{}: a value goes with no error",
        path.display()
    );
    said
}

fn fixtures(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("can be read").path();
        if path.is_dir() {
            found.extend(fixtures(&path));
        } else if path.extension().is_some_and(|it| it == "yaml" || it == "json") {
            found.push(path);
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no fixtures in {}", folder.display());
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
