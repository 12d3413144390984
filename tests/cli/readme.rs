//! What the README shows is what happens: its picture is a real run, its table comes from the registry. After a change
//! that is meant, `UPDATE=1 cargo test --test cli readme` writes both anew.

use mcpvals::judge::assertions::ASSERTIONS;
use regex::Regex;

use crate::harness::Sandbox;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// A server whose search has lost a note, and whose division forgot about zero.
const NOTES: &str = "\
name: notes
server: { command: mcpvals, args: [demo-server] }
steps:
  - id: create
    tool: create_note
    input: { title: Milk, body: two bottles }
  - id: read
    tool: get_note
    input: { id: \"{{steps.create.json.id}}\" }
    expect:
      output_equals: '{\"id\":\"n_1\",\"title\":\"Milk\",\"body\":\"three bottles\"}'
      schema_match: { required: [id, title, created] }
";

const SUMS: &str = "\
name: sums
server: { command: mcpvals, args: [demo-server] }
steps:
  - id: sum
    tool: add
    input: { a: 5, b: 3 }
    expect: { output_equals: '8' }
  - id: ratio
    tool: divide
    input: { a: 1, b: 0 }
    expect: { output_matches: '^\\d+$' }
";

#[test]
fn the_picture_is_a_real_run() {
    let sandbox = Sandbox::new()
        .file("evals/notes.yaml", NOTES)
        .file("evals/sums.yaml", SUMS)
        .file("evals/words.yaml", "name: words\nserver: { command: mcpvals, args: [demo-server] }\nsteps: [{ id: say, tool: echo, input: { text: hi }, expect: { output_equals: hi } }]\n");
    let finished = sandbox.run(&["run", "-j", "1"]);
    assert_eq!(finished.code, 1, "{finished:?}");
    let picture = format!("$ mcpvals run\n{}", steady(finished.stdout.trim_end()));
    check("```console\n", "\n```", &picture);
}

#[test]
fn the_table_of_expectations_is_the_registry() {
    let rows: Vec<String> = ASSERTIONS
        .iter()
        .map(|kind| {
            format!(
                "| `{}` | {} | `{}` |",
                kind.key,
                kind.summary,
                kind.example.replace('|', "\\|")
            )
        })
        .collect();
    check("|---|---|---|\n", "\n<!-- /assertions -->", &rows.join("\n"));
}

#[test]
fn the_files_it_shows_are_right() {
    let text = std::fs::read_to_string(README).expect("the README is there");
    let blocks: Vec<&str> = text
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    let [fixture, server, project, gate] = blocks[..] else {
        panic!("a fixture, a server, a project file and a gate are shown, not {blocks:?}")
    };
    let finished = Sandbox::new()
        .file("mcpvals.yaml", &format!("{project}{gate}"))
        .file("evals/a.yaml", fixture)
        .file(
            "evals/b.yaml",
            &format!("name: b\n{server}steps: [{{ id: a, tool: echo }}]\n"),
        )
        .variable("NOTES_TOKEN", "x")
        .run(&["validate"]);
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{finished:?}");
    let pasted = Sandbox::new().file("evals/notes.yaml", fixture).run(&["run"]);
    assert_eq!(pasted.code, 0, "{pasted:?}");
}

/// Times differ from run to run: that of the whole run comes first, the others are those of calls.
fn steady(text: &str) -> String {
    let time = Regex::new(r"<?\d+(\.\d+)? m?s\b").expect("the pattern compiles");
    let first = time.replace(text, "whole time");
    time.replace_all(&first, "1 ms").replace("whole time", "0.2 s")
}

/// Compares a part of the README, or writes it.
fn check(before: &str, after: &str, wanted: &str) {
    let text = std::fs::read_to_string(README).expect("the README is there");
    let start = text.find(before).expect("the part begins") + before.len();
    let end = start + text[start..].find(after).expect("the part ends");
    if std::env::var_os("UPDATE").is_some() {
        let updated = format!("{}{wanted}{}", &text[..start], &text[end..]);
        std::fs::write(README, updated).expect("the README can be written");
    } else {
        assert_eq!(
            &text[start..end],
            wanted,
            "the README is stale: UPDATE=1 cargo test --test cli readme"
        );
    }
}
