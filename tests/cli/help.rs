//! What `--help` says, in full: a change of it is a change of the product.

use crate::harness::Sandbox;

#[test]
fn every_command_explains_itself() {
    for command in [
        "",
        "run",
        "list",
        "validate",
        "history",
        "history export",
        "compare",
        "regression-report",
        "gate",
        "report",
        "surface",
        "diff",
        "schema",
        "demo-server",
        "completions",
    ] {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let finished = Sandbox::new().variable("COLUMNS", "100").run(&arguments);
        assert_eq!(finished.code, 0, "{finished:?}");
        let name = if command.is_empty() { "mcpvals" } else { command }.replace(' ', "-");
        insta::assert_snapshot!(name, finished.stdout);
    }
}

#[test]
fn a_wrong_flag_is_a_usage_error_with_a_hint() {
    let finished = Sandbox::new().run(&["run", "--concurency", "3"]);
    assert_eq!(finished.code, 2, "{finished:?}");
    assert!(finished.stderr.contains("--concurrency"), "{}", finished.stderr);
}

#[test]
fn completions_are_a_script() {
    let finished = Sandbox::new().run(&["completions", "bash"]);
    assert!(finished.stdout.contains("_mcpvals"), "{finished:?}");
}
