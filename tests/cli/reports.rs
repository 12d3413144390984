//! Reports that are written again from the JSON of a run.

use crate::harness::Sandbox;

const FIXTURE: &str = "\
name: adds
server: { command: mcpvals, args: [demo-server] }
steps:
  - { id: sum, tool: add, input: { a: 5, b: 3 }, expect: { output_contains: '9' } }
";

#[test]
fn every_report_is_rendered_from_json_as_the_run_rendered_it() {
    let sandbox = Sandbox::new().file("evals/a.yaml", FIXTURE);
    let ran = sandbox.run(&[
        "run",
        "--json",
        "a.json",
        "--junit",
        "a.xml",
        "--html",
        "a.html",
        "--markdown",
        "a.md",
    ]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let rendered = sandbox.run(&[
        "report",
        "a.json",
        "--json",
        "b.json",
        "--junit",
        "b.xml",
        "--html",
        "b.html",
        "--markdown",
        "b.md",
    ]);
    assert_eq!(rendered.code, 0, "the gate was answered before: {rendered:?}");
    assert_eq!(rendered.stdout, ran.stdout);
    for file in ["json", "xml", "html", "md"] {
        assert_eq!(
            sandbox.read(&format!("b.{file}")),
            sandbox.read(&format!("a.{file}")),
            "{file}"
        );
    }
}

#[test]
fn what_is_no_report_is_refused() {
    let sandbox = Sandbox::new().file("a.json", r#"{"schema": "mcpvals.surface/v1"}"#);
    let finished = sandbox.run(&["report", "a.json"]);
    assert_eq!(finished.code, 2, "{finished:?}");
    let expected = "mcpvals: `a.json` cannot be rendered: it is of the schema `mcpvals.surface/v1`, and this version reads `mcpvals.report/v1`\n";
    assert_eq!(finished.stderr, expected);
    let finished = sandbox.run(&["report", "none.json"]);
    assert_eq!(finished.code, 2, "{finished:?}");
}
