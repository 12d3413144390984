//! What a case asks for, in short: a baseline tells by it whether two results answer the same question.

use serde_json::{Value, json};

use crate::{
    model::{Case, Definition, Step},
    text::{canonical, digest},
};

/// The definition of a case: steps, inputs and expectations as they are written, `vars` before `${VAR}` is expanded. How
/// the server is started, names and descriptions are no part of it.
pub(super) fn definition(case: &Case) -> Definition {
    let vars = case.vars.iter();
    let vars: Vec<Value> = vars
        .map(|(name, argument)| json!([name.value, argument.value]))
        .collect();
    let steps: Vec<Value> = case.steps.iter().map(step).collect();
    let written = canonical(&json!([vars, steps])).to_string();
    let digits = digest(written.as_bytes());
    Definition(u64::from_str_radix(&digits[..16], 16).unwrap_or_default())
}

fn step(step: &Step) -> Value {
    let expect = step.expect.iter();
    let expect: Vec<Value> = expect.map(|it| json!([it.key, it.argument.value])).collect();
    let output = step.expected_output.as_ref().map(|output| &output.value);
    json!([step.id, step.tool.value, step.input.value, output, expect])
}
