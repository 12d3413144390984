//! `output_contains`: the output has this text somewhere.

use serde_json::{Value, json};

use super::{Assertion, AssertionKind, Problem};

pub(super) const KIND: AssertionKind = AssertionKind {
    key: "output_contains",
    summary: "the output contains this text",
    example: "\"found 3\"",
    schema: || json!({ "type": "string" }),
    compile,
};

fn compile(argument: &Value) -> Result<Box<dyn Assertion>, Problem> {
    let _ = argument;
    unimplemented!()
}
