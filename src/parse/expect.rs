//! The `expect` block: keys with their arguments as written. Which keys there are is known in a later stage.

use super::{
    reader::Field,
    tree::{Content, Entry, Node, ScalarKind},
};
use crate::{
    model::{Argument, Expectation},
    source::{Diagnostic, Places, Span, pointer_to},
};

/// Reads an `expect` block.
pub(super) fn read(field: Field<'_>) -> Vec<Expectation> {
    if is_empty(&field) {
        let problem = Diagnostic::warning("asserts-nothing", "this `expect` asserts nothing");
        field.add(problem.help("name what the output must satisfy, or remove the key"));
    }
    field.entries().into_iter().map(expectation).collect()
}

fn is_empty(field: &Field<'_>) -> bool {
    field.node.is_null() || matches!(&field.node.content, Content::Mapping(entries) if entries.is_empty())
}

fn expectation(field: Field<'_>) -> Expectation {
    let source = field.problems.source();
    let mut argument = Argument {
        value: field.node.to_json(),
        location: source.location(field.place().used),
        places: Places::default(),
        written: Vec::new(),
    };
    note_parts(field.node, "", &mut argument);
    Expectation {
        key: field.name.to_owned(),
        location: source.location(field.key.used),
        argument,
    }
}

/// Notes how and where everything inside a node is written.
fn note_parts(node: &Node, pointer: &str, argument: &mut Argument) {
    match &node.content {
        Content::Scalar(scalar) => {
            let is_typed = matches!(scalar.kind, ScalarKind::Number(_) | ScalarKind::Bool(_));
            let typed = node.to_json().to_string();
            if is_typed && typed != scalar.text {
                argument.written.push((pointer.to_owned(), scalar.text.clone()));
            }
        }
        Content::List(items) => {
            for (index, item) in items.iter().enumerate() {
                note_part(
                    item,
                    pointer_to(pointer, &index.to_string()),
                    item.place.written,
                    argument,
                );
            }
        }
        Content::Mapping(entries) => {
            for entry in entries {
                note_part(&entry.value, pointer_to(pointer, &entry.key), whole(entry), argument);
            }
        }
        Content::Broken => {}
    }
}

fn note_part(node: &Node, pointer: String, span: Span, argument: &mut Argument) {
    note_parts(node, &pointer, argument);
    argument.places.insert(pointer, span);
}

/// A key together with its value, unless an alias brought the value from elsewhere.
fn whole(entry: &Entry) -> Span {
    let (key, value) = (entry.place.written, entry.value.place.written);
    let end = if value.start < key.end { key.end } else { value.end };
    Span { end, ..key }
}
