//! The `expect` block: keys with their arguments as written. Which keys there are is known in a later stage.

use super::{
    argument,
    reader::Field,
    tree::{Content, ScalarKind},
};
use crate::{model::Expectation, source::Diagnostic};

/// Reads an `expect` block.
pub(super) fn read(field: Field<'_>) -> Vec<Expectation> {
    if is_empty(&field) {
        let problem = Diagnostic::warning("asserts-nothing", "this `expect` asserts nothing");
        field.add(problem.help("name what the output must satisfy, or remove the key"));
    }
    if let Content::Scalar(scalar) = &field.node.content
        && scalar.kind != ScalarKind::Null
    {
        let message = format!("`expect` must be a mapping, not {}", field.node.describe());
        let problem = Diagnostic::error("wrong-type", message);
        field.add(problem.help("say what must hold, such as `expect: {output_contains: \"found 3\"}`"));
        return Vec::new();
    }
    field.entries().into_iter().map(expectation).collect()
}

fn is_empty(field: &Field<'_>) -> bool {
    field.node.is_null() || matches!(&field.node.content, Content::Mapping(entries) if entries.is_empty())
}

fn expectation(field: Field<'_>) -> Expectation {
    Expectation {
        key: field.name.to_owned(),
        location: field.problems.source().location(field.key.used),
        argument: argument::read(field),
    }
}
