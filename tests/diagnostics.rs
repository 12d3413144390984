//! Bad fixtures with the exact diagnostics beside them: `tests/fixtures/bad/*` and `*.stderr`.
//!
//! `UPDATE=1 cargo test --test diagnostics` writes what is said now; read the diff before it is committed.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
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

#[test]
fn good_fixtures_mean_what_they_say() {
    let update = std::env::var_os("UPDATE").is_some();
    for path in fixtures(&root().join("tests/fixtures/good")) {
        let parsed = parse::fixture(&source(&path));
        assert_eq!(say(&path), "", "{} is not good", path.display());
        let read = format!("{:#?}\n", parsed.value.expect("nothing is wrong with it"));
        let expected_path = PathBuf::from(format!("{}.parsed", path.display()));
        if update {
            fs::write(&expected_path, &read).expect("the folder can be written");
        }
        let expected = fs::read_to_string(&expected_path).unwrap_or_default();
        assert!(
            read == expected,
            "{}\n--- expected\n{expected}--- read\n{read}",
            path.display()
        );
    }
}

/// Cut anywhere, with any character changed: a file never brings the parser or the renderer down.
#[test]
fn damaged_fixtures_never_panic() {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let costly = |path: &Path| path.ends_with("bomb.yaml");
    for path in fixtures(&root().join("tests/fixtures"))
        .into_iter()
        .filter(|path| !costly(path))
    {
        let whole = source(&path);
        let chars: Vec<char> = whole.text().chars().take(1500).collect();
        for at in (0..chars.len()).step_by(5) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let odd = ODD[random as usize % ODD.len()];
            let cut = chars[..at].iter().collect::<String>();
            let rest = || chars[at + 1..].iter().collect::<String>();
            for text in [
                format!("{cut}{odd}{}", rest()),
                format!("{cut}{}", rest()),
                format!("{cut}{odd}"),
                cut.clone(),
            ] {
                read_and_render(whole.path(), text);
            }
        }
    }
}

/// What is put in place of a character: everything that means something to YAML or JSON, and some things that do not.
const ODD: &[&str] = &[
    "\t", "\n", "\r\n", " ", "'", "\"", "\\", "{", "}", "[", "]", ":", ": ", ",", "#", " #", "&a ", "*a", "<<: *a",
    "!", "!!int ", "|", ">", "%", "@", "`", "- ", "? ", "---\n", "...\n", "\u{0}", "\u{1b}", "\u{85}", "\u{a0}",
    "\u{feff}", "\u{2028}", "é", "“", "😀", "\\ud83d", "~", "0x", "1e999", ".inf",
];

fn read_and_render(path: &str, text: String) {
    let source = SourceFile::new(path, text);
    let case = parse::fixture(&source);
    let project = parse::project(&source);
    for diagnostic in case.diagnostics.iter().chain(&project.diagnostics) {
        assert!(!render(diagnostic, Style::Plain).is_empty());
    }
    assert!(
        case.value.is_some() || !case.diagnostics.is_empty(),
        "nothing read and nothing said:\n{}",
        source.text()
    );
}

/// Everything that is said about a file, and whether it can be used nonetheless.
fn say(path: &Path) -> String {
    let parsed = parse::fixture(&source(path));
    let mut said = String::new();
    for diagnostic in &parsed.diagnostics {
        writeln!(said, "{}\n", render(diagnostic, Style::Plain)).expect("a string takes all");
    }
    let has_error = parsed.diagnostics.iter().any(|it| it.severity == Severity::Error);
    assert_eq!(
        parsed.is_usable(),
        !has_error,
        "{}: usable means no error",
        path.display()
    );
    said
}

fn source(path: &Path) -> Arc<SourceFile> {
    let name = path.strip_prefix(root()).expect("below the root").display().to_string();
    SourceFile::new(name, fs::read_to_string(path).expect("is text"))
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
