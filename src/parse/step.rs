//! One step of a fixture: a tool call and what is expected of it.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{
    expect, hints,
    problems::Problems,
    reader::{Field, Fields},
    settings,
    tree::{Content, ScalarKind, to_map},
};
use crate::{
    model::Step,
    source::{Diagnostic, Span},
};

/// Reads the `steps` of a fixture: at least one, no id twice.
pub(super) fn read_all(field: Field<'_>) -> Vec<Step> {
    let Content::List(items) = &field.node.content else {
        if field.node.is_null() {
            report_no_steps(&field);
        } else {
            field.refuse::<()>("a list of steps");
        }
        return Vec::new();
    };
    if items.is_empty() {
        report_no_steps(&field);
    }
    let mut seen = HashMap::new();
    let steps = items.iter().filter_map(|node| read(field.item(node)));
    steps
        .inspect(|step| report_repeated_id(step, &mut seen, field.problems))
        .collect()
}

/// In simulation mode a step without `expected_output` is checked against nothing.
pub(super) fn warn_of_missing_outputs(steps: &[Step], problems: &Problems) {
    for step in steps
        .iter()
        .filter(|step| step.expected_output.is_none() && !step.expect.is_empty())
    {
        let message = format!(
            "the simulated step `{}` has no `expected_output`: its output is empty",
            step.id
        );
        let problem = Diagnostic::warning("missing-expected-output", message);
        let help = "without a `server` the output is taken from `expected_output`: add one, or the server";
        problems.add(step.location.span, problem.help(help));
    }
}

fn read(field: Field<'_>) -> Option<Step> {
    let problems = field.problems;
    let mut fields = Fields::of(field.node, "a step", problems)?;
    let id = fields.required_text("id");
    let description = fields.text("description");
    let tool = fields.required_text("tool");
    let input = fields.take("input");
    let expected_output = fields.take_written("expected_output").and_then(output);
    let expect = fields.take("expect").map(expect::read).unwrap_or_default();
    let skip = settings::skip(&mut fields);
    let timeout = fields.duration("timeout");
    let input_place = input.map_or(fields.place(), |field| field.place());
    let input = input.map_or_else(|| Some(Map::new()), arguments);
    fields.close(hints::STEP, &[]);
    let id = id?;
    Some(Step {
        location: problems.source().location(id.span),
        id: id.value.trim().to_owned(),
        description: description.map(|it| it.value),
        tool: tool?.value,
        input: input?,
        expected_output,
        expect,
        skip,
        timeout,
        input_location: problems.source().location(input_place.used),
    })
}

/// The arguments of the call; nothing behind `input:` is an empty object, as tools without parameters want it.
fn arguments(field: Field<'_>) -> Option<Map<String, Value>> {
    match &field.node.content {
        Content::Mapping(entries) => Some(to_map(entries)),
        Content::Scalar(scalar) if scalar.kind == ScalarKind::Null => Some(Map::new()),
        _ => field.refuse("a mapping"),
    }
}

/// The simulated output: text as it is, a list or mapping as its JSON.
fn output(field: Field<'_>) -> Option<String> {
    match &field.node.content {
        Content::List(_) | Content::Mapping(_) => Some(field.node.to_json().to_string()),
        _ => Some(field.text()?.value),
    }
}

fn report_no_steps(field: &Field<'_>) {
    let problem = Diagnostic::error("no-steps", "`steps` is empty");
    field.add(problem.help("a fixture without steps tests nothing: add one, such as `- {id: call, tool: echo}`"));
}

fn report_repeated_id(step: &Step, seen: &mut HashMap<String, Span>, problems: &Problems) {
    let span = step.location.span;
    if let Some(first) = seen.insert(step.id.clone(), span) {
        let message = format!(
            "the step id `{}` is already used in line {}, column {}",
            step.id, first.line, first.column
        );
        let help = "give each step of a fixture an id of its own";
        problems.add(span, Diagnostic::error("repeated-step-id", message).help(help));
    }
}
