//! Placeholders that are wrong, and where it is said.

use std::time::{Duration, Instant};

use super::{plan, plan_with};

const TWO_STEPS: &str = "\
name: n
steps:
  - {id: a, tool: t}
  - id: b
    tool: t
";

#[test]
fn a_bad_reference_is_marked_where_it_stands() {
    let planned = plan(&format!(
        "{TWO_STEPS}    input:\n      good: \"{{{{steps.a.output}}}}\"\n      deep: [x, \"<{{{{steps.c.output}}}} {{{{steps.c.output}}}}>\"]\n"
    ));
    assert_eq!(
        planned.said(),
        [
            "8:19 step `b`: this case has no step `c`",
            "8:38 step `b`: this case has no step `c`"
        ]
    );
}

#[test]
fn an_aliased_or_escaped_one_is_marked_at_its_input() {
    let planned = plan(
        "name: n\nsteps:\n  - {id: a, tool: t, input: &i {x: \"\\x7b{vars.n}}\"}}\n  - {id: b, tool: t, input: *i}\n",
    );
    let variable = "this case has no variable `n` in `vars`";
    assert_eq!(
        planned.said(),
        [
            format!("3:36 step `a`: {variable}"),
            format!("4:29 step `b`: {variable}")
        ]
    );
}

#[test]
fn a_text_is_marked_in_its_own_step_whatever_the_order_of_keys() {
    let planned = plan(
        "name: n\nvars: {x: 1}\nsteps:\n  - tool: \"{{vars.x}}\"\n    id: a\n  - tool: \"t {{vars.x}}\"\n    id: b\n",
    );
    let refused = "the placeholder `{{vars.x}}` stands in `tool`, where none is filled in";
    assert_eq!(planned.said(), [format!("4:12 {refused}"), format!("6:14 {refused}")]);
}

#[test]
fn a_case_without_variables_is_told_where_they_stand() {
    let help = |text: &str| plan(text).diagnostics.remove(0).help;
    let input = "input: {x: \"{{vars.title}}\"}";
    let with = |vars: &str| format!("name: n\n{vars}steps: [{{id: a, tool: t, {input}}}]\n");
    assert_eq!(help(&with("")).as_deref(), Some("declare it under `vars:`"));
    assert_eq!(
        help(&with("vars: {titel: x}\n")).as_deref(),
        Some("did you mean `titel`?")
    );
}

#[test]
fn an_escaped_placeholder_is_not_mistaken_for_a_bad_one() {
    let planned = plan(&format!(
        "{TWO_STEPS}    input: {{lit: '\\{{{{vars.x}}}}', bad: '{{{{vars.x}}}}', both: '\\{{{{vars.y}}}} {{{{vars.y}}}}'}}\n"
    ));
    assert_eq!(
        planned.said(),
        [
            "6:39 step `b`: this case has no variable `x` in `vars`",
            "6:71 step `b`: this case has no variable `y` in `vars`"
        ]
    );
}

#[test]
fn a_key_with_a_placeholder_is_refused() {
    let planned = plan(&format!("{TWO_STEPS}    input: {{\"{{{{steps.a.output}}}}\": 1}}\n"));
    assert_eq!(
        planned.said(),
        ["6:14 step `b`: the placeholder `{{steps.a.output}}` stands in a key, where none is filled in"]
    );
}

#[test]
fn texts_that_are_no_place_for_placeholders_refuse_them() {
    let planned = plan(
        "name: n\nvars: {z: [\"{{steps.a.output}}\"]}\nsteps:\n  - {id: a, tool: \"{{vars.z}}\", expected_output: \"x {{env.HOME}}\"}\n",
    );
    let refused = "where none is filled in";
    assert_eq!(
        planned.said(),
        [
            format!("2:13 the placeholder `{{{{steps.a.output}}}}` stands in `vars`, {refused}"),
            format!("4:20 the placeholder `{{{{vars.z}}}}` stands in `tool`, {refused}"),
            format!("4:53 the placeholder `{{{{env.HOME}}}}` stands in `expected_output`, {refused}"),
        ]
    );
}

#[test]
fn other_braces_are_free_everywhere() {
    let planned = plan(
        "name: n\nvars: {z: \"{{name}}\"}\nsteps:\n  - id: a\n    tool: t\n    expected_output: '{{x}} {{end.x}} \\{{env.HOME}} \\{{2}'\n    input: {\"{{k}}\": \"{{v}} {{\"}\n",
    );
    let case = planned.case();
    let output = case.steps[0].expected_output.as_deref();
    assert_eq!(output, Some("{{x}} {{end.x}} {{env.HOME}} \\{{2}"));
}

#[test]
fn a_forgotten_root_or_brace_is_an_error() {
    let planned = plan(&format!(
        "{TWO_STEPS}    input: {{x: \"{{{{a.output}}}}\", y: \"{{{{steps.a.output}}\"}}\n    expect: {{output_contains: \"{{{{a.json.x}}}}\"}}\n"
    ));
    assert_eq!(
        planned.said(),
        [
            "6:17 step `b`: `{{a.output}}` does not begin with `steps.`, so nothing is filled in",
            "6:36 step `b`: the placeholder `{{steps.a.output}` has no closing `}}`",
            "7:32 step `b`: `{{a.json.x}}` does not begin with `steps.`, so nothing is filled in",
        ]
    );
}

#[test]
fn a_missing_variable_is_an_error_only_where_it_is_needed() {
    let step =
        |more: &str| format!("name: n\nsteps:\n  - {{id: a, tool: t, input: {{x: \"{{{{env.NOPE}}}}\"}}{more}}}\n");
    assert_eq!(plan(&step("")).diagnostics.len(), 1);
    assert!(plan(&step(", skip: later")).diagnostics.is_empty());
    assert!(plan_with(&step(""), &[("NOPE", "")]).diagnostics.is_empty());
}

/// Linear work takes seconds here, quadratic work many minutes.
#[test]
fn large_files_are_checked_in_linear_time() {
    let began = Instant::now();
    let references: Vec<_> = (0..10_000).map(|n| format!("{{{{steps.x{n}.output}}}}")).collect();
    let planned = plan(&format!("{TWO_STEPS}    input: {{x: \"{}\"}}\n", references.concat()));
    assert_eq!(planned.diagnostics.len(), 10_000);

    let step = |n| format!("  - {{id: s{n}, tool: t, input: {{x: \"{{{{steps.no.output}}}}\"}}}}\n");
    let steps: Vec<_> = (0..5_000).map(step).collect();
    let planned = plan(&format!("name: n\nsteps:\n{}", steps.concat()));
    assert_eq!(planned.diagnostics.len(), 5_000);

    let item = "\"{{vars.v0[\\\"a\\\"]}}\"";
    let planned = plan(&format!(
        "{TWO_STEPS}    input: {{x: [{}]}}\n",
        vec![item; 10_000].join(", ")
    ));
    assert_eq!(planned.diagnostics.len(), 10_000);

    let dots = ".output".repeat(60_000);
    let planned = plan(&format!("{TWO_STEPS}    input: {{x: \"{{{{a{dots}}}}}\"}}\n"));
    assert_eq!(planned.diagnostics.len(), 1);

    let name = "x".repeat(200_000);
    let planned = plan(&format!(
        "name: n\nvars: {{y: 1}}\nsteps: [{{id: a, tool: t, input: {{x: \"{{{{vars.y{name}}}}}\"}}}}]\n"
    ));
    assert_eq!(planned.diagnostics.len(), 1);
    assert!(began.elapsed() < Duration::from_mins(1), "{:?}", began.elapsed());
}

#[test]
fn what_later_steps_refer_to_is_known() {
    let case = plan(
        "name: n\nsteps:\n  - {id: a, tool: t}\n  - {id: b, tool: t}\n  - {id: c, tool: t}\n  - id: d\n    tool: t\n    \
         input: {x: '{{steps.a.output}}'}\n    expect: {output_equals: 'so {{steps.c.json[0]}}'}\n",
    )
    .case();
    let referenced: Vec<bool> = case.steps.iter().map(|step| step.is_referenced).collect();
    assert_eq!(referenced, [true, false, true, false]);
}
