//! Fixtures of the benches, as text.

/// A case with one call against this program's own server.
pub fn one_call(number: usize, scope: &str) -> String {
    let program = std::env::current_exe().expect("this program has a path");
    format!(
        "name: case {number}\n\
         server: {{command: \"{}\", args: [serve]}}\n\
         server_scope: {scope}\n\
         steps:\n\
         - id: call\n  \
           tool: echo\n  \
           input: {{message: hello}}\n  \
           expect: {{output_contains: hello}}\n",
        program.display()
    )
}

/// A case that asks no server.
pub fn simulated(number: usize) -> String {
    format!(
        "name: case {number}\n\
         description: \"One of many\"\n\
         steps:\n\
         - id: first\n  \
           tool: search\n  \
           input: {{query: \"number {number}\"}}\n  \
           expected_output: \"result {number}\"\n  \
           expect: {{output_contains: \"{number}\", tool_called: search}}\n"
    )
}
