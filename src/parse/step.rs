//! One step of a fixture: a tool call and what is expected of it.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::{
    argument, expect, hints,
    problems::Problems,
    reader::{Field, Fields},
    settings,
    tree::{Content, Node, ScalarKind},
};
use crate::{
    model::{Argument, Expectation, Mode, Step},
    source::{Diagnostic, Located, Location, Places, Span},
};

/// Reads the `steps` of a fixture: at least one, no id twice.
pub(super) fn read_all(field: Field<'_>, mode: Mode) -> Vec<Step> {
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
    let steps = items.iter().enumerate();
    steps
        .filter_map(|(index, node)| read(field.item(node), index, mode))
        .inspect(|step| report_repeated_id(step, &mut seen, field.problems))
        .collect()
}

/// One step, as far as it can be read; `index` counts from 0.
fn read(field: Field<'_>, index: usize, mode: Mode) -> Option<Step> {
    let problems = field.problems;
    let mut fields = Fields::of(field.node, "a step", problems)?;
    let id = fields.required_text("id");
    let description = fields.text("description");
    let tool = fields.required_text("tool");
    let input = fields.take("input");
    let expected_output = fields.take_written("expected_output");
    let expect = fields.take("expect");
    let skip = settings::skip(&mut fields);
    let timeout = fields.duration("timeout");
    let input = input.and_then(arguments);
    let id = id.unwrap_or_else(|| Located::new(format!("#{}", index + 1), fields.place().used));
    match (mode, &expected_output, &expect) {
        (Mode::Simulated, None, Some(expect)) if expect.has_entries() => warn_of_missing_output(&id, problems),
        (Mode::Live, Some(output), None) => warn_of_unused_output(output),
        _ => {}
    }
    let place = fields.place().used;
    fields.close(hints::STEP, &[]);
    Some(Step {
        location: problems.source().location(id.span),
        id: id.value.trim().to_owned(),
        description: description.map(|it| it.value),
        input: input.unwrap_or_else(|| no_arguments(problems.source().location(place))),
        tool: tool.unwrap_or_else(|| Located::new(String::new(), place)),
        expected_output: expected_output.and_then(output),
        expect: expect.map(expectations).unwrap_or_default(),
        skip,
        timeout,
    })
}

/// In simulation mode a step without `expected_output` is checked against nothing.
fn warn_of_missing_output(id: &Located<String>, problems: &Problems) {
    let message = format!(
        "the simulated step `{}` has no `expected_output`: its output is empty",
        id.value
    );
    let problem = Diagnostic::warning("missing-expected-output", message);
    let help = "without a `server` the output is taken from `expected_output`: add one, or the server";
    problems.add(id.span, problem.help(help));
}

/// Against a server the output is the server's, and `expected_output` is for simulation. Beside assertions that is what
/// people want; alone it looks like an assertion.
fn warn_of_unused_output(output: &Field<'_>) {
    let message = "a server's output is not compared with `expected_output`, and nothing else is asserted";
    let problem = Diagnostic::warning("unused-output", message);
    let help = "to compare it, write `expect: {output_equals: …}`";
    output.problems.add(output.key.written, problem.help(help));
}

/// What is expected; a value that could not be read is reported already, and to judge it as null would be a second
/// complaint about what nobody wrote.
fn expectations(field: Field<'_>) -> Vec<Expectation> {
    let mut expectations = expect::read(field);
    if let Content::Mapping(entries) = &field.node.content {
        let broken = entries.iter().filter(|entry| !is_intact(&entry.value));
        let broken: HashSet<&str> = broken.map(|entry| entry.key.as_str()).collect();
        expectations.retain(|it| !broken.contains(it.key.as_str()));
    }
    expectations
}

fn is_intact(node: &Node) -> bool {
    match &node.content {
        Content::Scalar(_) => true,
        Content::List(items) => items.iter().all(is_intact),
        Content::Mapping(entries) => entries.iter().all(|entry| is_intact(&entry.value)),
        Content::Broken => false,
    }
}

/// The arguments of the call; nothing behind `input:` is an empty object, as tools without parameters want it.
fn arguments(field: Field<'_>) -> Option<Argument> {
    match &field.node.content {
        Content::Mapping(_) => Some(argument::read(field)),
        Content::Scalar(scalar) if scalar.kind == ScalarKind::Null => None,
        _ => field.refuse("a mapping"),
    }
}

fn no_arguments(location: Location) -> Argument {
    Argument {
        value: Value::Object(Map::new()),
        location,
        places: Places::default(),
    }
}

/// The simulated output, located where it is used: text as it is, a list or mapping as its JSON.
fn output(field: Field<'_>) -> Option<Located<String>> {
    let text = match &field.node.content {
        Content::List(_) | Content::Mapping(_) => field.node.to_json().to_string(),
        _ => field.text()?.value,
    };
    Some(Located::new(text, field.place().used))
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
