//! An argument: a value of any shape with the places where it and its parts are written.

use super::{
    reader::Field,
    tree::{Content, Entry, Node, ScalarKind},
};
use crate::{
    model::Argument,
    source::{Parts, Places, Span},
};

/// Reads whatever stands behind a key.
pub(super) fn read(field: Field<'_>) -> Argument {
    Argument {
        value: field.node.to_json(),
        location: field.problems.source().location(field.place().used),
        places: places(field.node, Span::default(), field.node.place.written),
    }
}

/// How and where a node and everything inside it is written.
fn places(node: &Node, key: Span, whole: Span) -> Places {
    Places {
        whole,
        key,
        value: node.place.used,
        written: written(node),
        parts: match &node.content {
            Content::List(items) => Parts::Items(items.iter().map(item).collect()),
            Content::Mapping(entries) => Parts::Members(entries.iter().map(member).collect()),
            Content::Scalar(_) | Content::Broken => Parts::None,
        },
    }
}

fn item(node: &Node) -> Places {
    places(node, Span::default(), node.place.written)
}

fn member(entry: &Entry) -> (String, Places) {
    (entry.key.clone(), places(&entry.value, entry.place.used, whole(entry)))
}

/// The text of a number or boolean that would be another text as JSON.
fn written(node: &Node) -> Option<Box<str>> {
    match &node.content {
        Content::Scalar(scalar) if matches!(scalar.kind, ScalarKind::Number(_) | ScalarKind::Bool(_)) => {
            let typed = node.to_json().to_string();
            (typed != scalar.text).then(|| scalar.text.as_str().into())
        }
        _ => None,
    }
}

/// A key together with its value, unless an alias brought the value from elsewhere.
fn whole(entry: &Entry) -> Span {
    let (key, value) = (entry.place.written, entry.value.place.written);
    let end = if value.start < key.end { key.end } else { value.end };
    Span { end, ..key }
}

#[cfg(test)]
mod tests {
    use crate::{parse, source::SourceFile};

    /// With a pointer for each part this would take gigabytes.
    #[test]
    fn long_keys_above_many_parts_cost_little() {
        let (key, items) = ("k".repeat(100_000), vec!["7.00"; 30_000].join(", "));
        let expect = format!(r#"{{"output_equals": {{"{key}": [{items}]}}}}"#);
        let text = format!(r#"{{"name": "n", "steps": [{{"id": "a", "tool": "t", "expect": {expect}}}]}}"#);
        let case = parse::fixture(&SourceFile::new("a.json", text))
            .value
            .expect("it can be read");
        let argument = &case.steps[0].expect[0].argument;
        let place = argument
            .places
            .nearest(&format!("/{key}/29999"))
            .expect("it has a place");
        assert_eq!(place.end - place.start, 4);
        assert_eq!(argument.with_text(|_| true)[&key][29_999], "7.00");
        assert_eq!(argument.with_text(|_| false)[&key][29_999], 7.0);
    }
}
