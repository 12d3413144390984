//! The HTML report in a real browser: what `tests/browser/report.mjs` does with it is what a reader does. After a change
//! of the page, `UPDATE=1 cargo test --test cli html` takes the picture for the README anew.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    harness::{Finished, Sandbox},
    installation,
};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser");
const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
const PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/report.png");
/// Bytes that the picture stays below: it is loaded with every look at the README.
const LARGEST_PICTURE: u64 = 200_000;

const PROJECT: &str = "\
version: 2
servers: { notebook: { command: python3, args: [server.py] } }
defaults: { server_scope: run }
";

/// Each case: its name, the tool it calls with what, and what it expects.
const CASES: [(&str, &str, &str, &str); 8] = [
    (
        "the shopping list is read",
        "get_note",
        "{ id: n_1 }",
        r##"{ output_equals: "# Shopping\n\n- two bottles of milk\n- bread\n- a pound of butter\n- apples\n\nsaved by Ada" }"##,
    ),
    (
        "a note is written",
        "create_note",
        "{ title: Milk }",
        "{ output_contains: n_7 }",
    ),
    (
        "notes are found",
        "search_notes",
        "{ query: milk }",
        "{ output_contains: Milk }",
    ),
    (
        "few notes are found",
        "search_notes",
        "{ query: milk, limit: 3 }",
        "{ output_contains: found 3 }",
    ),
    (
        "notes are counted",
        "count_notes",
        "{}",
        "{ schema_match: { required: [notes] } }",
    ),
    ("tags are listed", "list_tags", "{}", "{ output_contains: shopping }"),
    ("tags are quick", "list_tags", "{}", "{ latency_under: 60s }"),
    (
        "all notes are exported",
        "export_notes",
        "{ format: md }",
        "{ output_contains: 12 of 12 }",
    ),
];

#[test]
fn a_reader_finds_what_broke() {
    let sandbox = compared();
    let said = browse(&sandbox.path("report.html"));
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    check_picture();
}

/// The README shows the page as it was when somebody last looked, and stays quick to load.
fn check_picture() {
    let picture = std::fs::metadata(PICTURE).expect("UPDATE=1 cargo test --test cli html takes the picture");
    assert!(picture.len() < LARGEST_PICTURE, "{} bytes", picture.len());
    let readme = std::fs::read_to_string(README).expect("the README is there");
    assert!(readme.contains("](docs/report.png)"));
}

/// Two builds of one server: the second answers otherwise, and asks for more. Its report lies beside its fixtures.
fn compared() -> Sandbox {
    let mut sandbox = Sandbox::new()
        .file("mcpvals.yaml", PROJECT)
        .file("server.py", include_str!("../browser/server.py"))
        .file("build.json", include_str!("../browser/before.json"));
    for (name, tool, input, expect) in CASES {
        let text = format!(
            "name: {name}\nserver: notebook\nsteps:\n  - id: call\n    tool: {tool}\n    input: {input}\n    expect: {expect}\n"
        );
        sandbox = sandbox.file(&format!("evals/{}.yaml", name.replace(' ', "-")), &text);
    }
    let before = sandbox.run(&["run", "--repeat", "6", "--write-baseline", "main.json"]);
    assert_eq!(before.code, 1, "the export is known to lose a note: {before:?}");
    let sandbox = sandbox.file("build.json", include_str!("../browser/after.json"));
    let after = sandbox.run(&[
        "run",
        "--repeat",
        "6",
        "--baseline",
        "main.json",
        "--html",
        "report.html",
    ]);
    assert_eq!(after.code, 1, "{after:?}");
    sandbox
}

fn browse(page: &Path) -> Finished {
    let installed = installation::kept(
        "browser",
        FOLDER,
        &["package.json", "package-lock.json"],
        installation::npm_packages,
    );
    let mut script = Command::new("node");
    script
        .arg(Path::new(FOLDER).join("report.mjs"))
        .arg(page)
        .env("CHROMIUM", chromium())
        .env("PLAYWRIGHT", installed.join("node_modules/playwright-core/index.mjs"));
    if env::var_os("UPDATE").is_some() {
        script.env("PICTURE", PICTURE);
    }
    Finished::from(script.output().expect("Node.js has just installed packages"))
}

/// The machine's own browser, else the one of a package. Playwright would bring its own from a place that not every
/// machine reaches.
fn chromium() -> PathBuf {
    if let Some(named) = env::var_os("CHROMIUM") {
        return named.into();
    }
    let path = env::var_os("PATH").expect("there is a PATH");
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let mut places = env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    places
        .find(|place| place.is_file())
        .unwrap_or_else(|| packaged_chromium().join("chromium"))
}

/// It comes compressed, and unpacks itself into the temporary folder.
fn packaged_chromium() -> PathBuf {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/chromium");
    installation::kept("chromium", source, &["package.json", "package-lock.json"], |home| {
        installation::npm_packages(home);
        let unpack = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
        installation::succeed(
            Command::new("node")
                .args(["-e", unpack])
                .current_dir(home)
                .env("TMPDIR", home),
            "install Chromium or Google Chrome, or name one in CHROMIUM",
        );
    })
}
