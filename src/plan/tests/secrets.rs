//! Which values no report may show.

use super::{plan, plan_in, plan_with};
use crate::parse::Project;

const STEPS: &str = "steps: [{id: a, tool: t}]\n";

#[test]
fn placeholders_of_the_environment_are_secret_by_their_name() {
    let text = "name: n\nsteps:\n  - id: a\n    tool: t\n    input: {x: \"{{env.MY_TOKEN}}\", y: \"{{env.REGION}}\"}\n    expect: {output_contains: \"{{env.MY_PASSWORD}}\"}\n";
    let variables = [
        ("MY_TOKEN", "hunter22"),
        ("MY_PASSWORD", "password1"),
        ("REGION", "region1"),
    ];
    assert_eq!(plan_with(text, &variables).secrets, ["password1", "hunter22"]);
}

#[test]
fn numbers_and_nested_variables_are_secret_by_their_name() {
    let planned = plan(&format!(
        "name: n\nvars: {{password: 98765432, x: {{password: literal, name: visible}}, max_tokens: 200000}}\n{STEPS}"
    ));
    assert_eq!(planned.secrets, ["98765432", "literal"]);
}

#[test]
fn declared_secrets_are_hidden_whatever_their_length() {
    let project = Project {
        secrets: vec!["PIN".to_owned(), "EMPTY".to_owned()],
        ..Project::default()
    };
    let planned = plan_in(&project, &format!("name: n\n{STEPS}"), &[("PIN", "42"), ("EMPTY", "")]);
    assert_eq!(planned.secrets, ["42"]);
}

#[test]
fn diagnostics_show_what_is_written() {
    let planned = plan_with(
        &format!("name: n\nserver: {{url: \"ws://x/?t=${{PLAIN}}\"}}\n{STEPS}"),
        &[("PLAIN", "hunter22")],
    );
    assert_eq!(
        planned.said(),
        ["2:15 `ws://x/?t=${PLAIN}` is not an http:// or https:// address once its variables are expanded"]
    );
}

#[test]
fn passwords_in_the_addresses_of_a_server_are_secret() {
    let text = format!(
        "name: n\nserver: {{command: c, args: ['--db=postgres://u:${{PW}}@h/d'], env: {{DB: 'amqp://u:hunter23@h'}}}}\n{STEPS}"
    );
    assert_eq!(
        plan_with(&text, &[("PW", "hunter22")]).secrets,
        ["hunter22", "hunter23"]
    );
    let text = format!("name: n\nserver: {{url: 'http://user:hunter24@h/'}}\n{STEPS}");
    assert_eq!(plan(&text).secrets, ["hunter24"]);
}
