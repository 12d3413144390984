//! Ten fixtures for each official server pass, and one wrong expectation for each is found at its line.

use std::{fs, path::Path, time::Duration};

use serde_json::Value;

use super::{
    scratch::Scratch,
    servers::{self, FOLDER},
};

/// Far beyond what a run takes even where all of them share two busy cores.
const PATIENCE: Duration = Duration::from_secs(500);

#[test]
fn everything_over_stdio() {
    passes_and_fails("everything");
}

#[test]
fn everything_over_http() {
    passes_and_fails("everything-http");
}

#[test]
fn filesystem() {
    passes_and_fails("filesystem");
}

#[test]
fn memory() {
    passes_and_fails("memory");
}

#[test]
fn time() {
    passes_and_fails("time");
}

#[test]
fn git() {
    passes_and_fails("git");
}

#[test]
fn the_surface_of_everything_is_whole_and_stands_still() {
    let installed = servers::installed();
    let surface = || {
        let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_mcpvals"))
            .current_dir(FOLDER)
            .timeout(PATIENCE)
            .args([
                "surface",
                "everything",
                "--startup-timeout",
                "120000",
                "--timeout",
                "60000",
            ])
            .env("NODE_SERVERS", &installed.node)
            .env("PYTHON_SERVERS", &installed.python)
            .output()
            .expect("the binary starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("it is text")
    };
    let text = surface();
    let file: Value = serde_json::from_str(&text).expect("it is JSON");
    for part in ["tools", "resources", "resource_templates", "prompts"] {
        assert!(!list(&file["surface"][part]).is_empty(), "{part}");
    }
    assert!(list(&file["surface"]["missing"]).is_empty());
    let read = |text: &str| mcpvals::schema::v1::SurfaceFile::read(text).expect("it is a surface");
    let changes = mcpvals::compare::surface::surface_changes(&read(&text), &read(&surface()), &[]);
    assert_eq!(changes, []);
}

fn passes_and_fails(server: &str) {
    let fixtures = format!("fixtures/{server}");
    let wrong = format!("wrong/{server}.yaml");
    all_ten_pass(&Run::of(&fixtures));
    the_marked_line_is_named(&Run::of(&wrong), &wrong);
}

fn all_ten_pass(run: &Run) {
    assert_eq!(run.exit_code, Some(0), "{}", run.console);
    assert_eq!(run.report["exit_code"], 0);
    assert_eq!(run.report["verdict"], "passed");
    let cases = list(&run.report["cases"]);
    assert_eq!(cases.len(), 10, "{}", run.console);
    for case in cases {
        assert_eq!(case["status"], "passed", "{case:#}");
        assert_eq!(case["mode"], "live", "{case:#}");
    }
}

fn the_marked_line_is_named(run: &Run, fixture: &str) {
    assert_eq!(run.exit_code, Some(1), "{}", run.console);
    assert_eq!(run.report["exit_code"], 1);
    let outcomes: Vec<&Value> = list(&run.report["cases"])
        .iter()
        .flat_map(|case| list(&case["steps"]))
        .flat_map(|step| list(&step["outcomes"]))
        .filter(|outcome| outcome["status"] == "failed")
        .collect();
    let [outcome] = outcomes[..] else {
        panic!("one outcome fails, but these did: {outcomes:#?}");
    };
    let (line, assertion) = marked(fixture);
    assert_eq!(outcome["line"], line, "{outcome:#}");
    assert_eq!(outcome["assertion"], assertion, "{outcome:#}");
    assert!(run.console.contains(&format!("{fixture}:{line}")), "{}", run.console);
}

/// Number and key of the line that bears the comment `# wrong`.
fn marked(fixture: &str) -> (usize, String) {
    let text = fs::read_to_string(Path::new(FOLDER).join(fixture)).expect("the fixture is there");
    let mut lines = text.lines().enumerate();
    let (index, line) = lines
        .find(|(_, line)| line.ends_with("# wrong"))
        .expect("one line is marked");
    let (key, _) = line.split_once(':').expect("the marked line has a key");
    (index + 1, key.trim().to_owned())
}

/// One run of the binary and what it left behind.
struct Run {
    exit_code: Option<i32>,
    report: Value,
    console: String,
}

impl Run {
    fn of(path: &str) -> Self {
        let installed = servers::installed();
        let scratch = Scratch::new();
        let report = scratch.path().join("report.json");
        let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_mcpvals"))
            .current_dir(FOLDER)
            .timeout(PATIENCE)
            .args([
                "run",
                path,
                "--startup-timeout",
                "120000",
                "--timeout",
                "60000",
                "--json",
            ])
            .arg(&report)
            .env("NODE_SERVERS", &installed.node)
            .env("PYTHON_SERVERS", &installed.python)
            .envs(scratch.variables())
            .env("HARNESS_SECRET", "must not reach a server")
            .output()
            .expect("the binary starts");
        let console = [output.stdout, output.stderr].concat();
        let console = String::from_utf8_lossy(&console).into_owned();
        let report = fs::read_to_string(report).unwrap_or_else(|error| panic!("no report: {error}\n{console}"));
        Self {
            exit_code: output.status.code(),
            report: serde_json::from_str(&report).expect("the report is JSON"),
            console,
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("a list, not {value}"))
}
