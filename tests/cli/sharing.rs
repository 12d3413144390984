//! Cases that share a server and must not suffer from one another.

use crate::harness::{Sandbox, statuses};

const FAKES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/servers/fake");

/// A case that shares a fake server over HTTP.
fn over_http(name: &str, step: &str) -> String {
    format!(
        "name: {name}\nserver_scope: run\nserver:\n  transport: shttp\n  url: 'http://127.0.0.1:{{{{port}}}}/mcp'\n  \
         start: {{ command: python3, args: [{FAKES}/http_server.py, '{{{{port}}}}'] }}\nsteps: [{step}]\n"
    )
}

#[test]
fn a_server_that_is_replaced_is_not_closed_under_a_call() {
    let slow = "{ id: a, tool: slow, input: { seconds: 1.5 }, expect: { output_equals: s-1 } }";
    let (finished, report) = Sandbox::new()
        .file("evals/a.yaml", &over_http("slow", slow))
        .file("evals/b.yaml", &over_http("drops", "{ id: a, tool: drop }"))
        .file("evals/c.yaml", &over_http("next", "{ id: a, tool: echo }"))
        .report(&["-j", "2"]);
    assert_eq!(
        statuses(&report),
        [("slow", "passed"), ("drops", "errored"), ("next", "passed")],
        "{finished:?}"
    );
    assert_eq!(report["cases"][2]["findings"][0]["code"], "server-restarted");
}

#[test]
fn remarks_stay_with_the_case_in_which_they_came_up() {
    let case = |name: &str, tool: &str| {
        let behaviour = "'def call(id, name, arguments): name == \"noisy\" and raw(b\"oh no\\n\"); \
                         name == \"silent\" or ok(id, text(1))'";
        format!(
            "name: {name}\nserver_scope: run\nserver:\n  command: python3\n  args: [{FAKES}/server.py, {behaviour}]\n\
             steps: [{{ id: a, tool: {tool}, timeout: 300ms }}]\n"
        )
    };
    let (finished, report) = Sandbox::new()
        .file("evals/a.yaml", &case("first", "noisy"))
        .file("evals/b.yaml", &case("second", "silent"))
        .file("evals/c.yaml", &case("third", "noisy"))
        .report(&["-j", "1"]);
    assert_eq!(
        statuses(&report),
        [("first", "passed"), ("second", "errored"), ("third", "passed")],
        "{finished:?}"
    );
    let count = |case: usize| report["cases"][case]["findings"].as_array().map(Vec::len);
    assert_eq!([count(0), count(1), count(2)], [Some(1), Some(0), Some(1)]);
    let evidence = report["cases"][1]["steps"][0]["error"]["evidence"].to_string();
    assert!(!evidence.contains("oh no"), "{evidence}");
}
