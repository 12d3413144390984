//! The fixture dialect of mcp-eval-runner: one case a file.
//!
//! Where text is expected, numbers and booleans count as the text they were written as; nothing is ever dropped.

use std::sync::Arc;

use super::{
    Parsed, argument, hints,
    problems::Problems,
    reader::{Field, Fields},
    server, settings, step,
    tree::{self, Content, Node, ScalarKind},
};
use crate::{
    model::{Argument, Case, Mode, ServerChoice},
    source::{Diagnostic, Located, SourceFile},
};

/// Top-level keys that are nobody's: places for anchors, and the schema an editor uses.
pub(super) const FREE_KEYS: &[&str] = &["x-", "$schema"];

pub(super) fn parse(source: &Arc<SourceFile>) -> Parsed<Case> {
    let problems = Problems::new(source);
    let value = tree::read(&problems).and_then(|root| case(&root, &problems));
    Parsed::finish(value, problems)
}

/// The case as far as it can be read: what is missing is empty, and reported.
fn case(root: &Node, problems: &Problems) -> Option<Case> {
    if let Content::List(_) = root.content {
        let problem = Diagnostic::error("wrong-type", "a fixture must be a mapping, not a list");
        problems.add(root.place.written, problem.help(hints::ONE_CASE));
        return None;
    }
    let mut fields = Fields::of(root, "a fixture", problems)?;
    let name = fields.required_text("name");
    let description = fields.text("description");
    let tags = fields.take("tags").map(Field::texts).unwrap_or_default();
    if let Some(version) = fields.take("version") {
        version.whole(1, 2);
    }
    let server = fields.take("server");
    let mode = if server.is_some() || fields.has_slip_of("server") {
        Mode::Live
    } else {
        Mode::Simulated
    };
    let server = server.and_then(server_choice).unwrap_or(ServerChoice::Simulated);
    let server_scope = fields.take_written("server_scope").and_then(settings::server_scope);
    let skip = settings::skip(&mut fields);
    let retries = fields.take_written("retries").and_then(settings::retries);
    let timeout = fields.duration("timeout");
    let vars = fields.take("vars").map(vars).unwrap_or_default();
    let steps = fields.require("steps");
    let steps = steps.map(|it| step::read_all(it, mode)).unwrap_or_default();
    let start = fields.place().used;
    fields.close(hints::CASE, FREE_KEYS);

    let name = name.map_or_else(
        || Located::new(String::new(), start),
        |it| it.map(|name| name.trim().to_owned()),
    );
    Some(Case {
        location: problems.source().location(name.span),
        name: name.value,
        description: description.map(|it| it.value),
        tags: tags.into_iter().map(|it| it.value).collect(),
        server,
        server_scope,
        skip,
        retries,
        timeout,
        vars,
        steps,
    })
}

fn server_choice(field: Field<'_>) -> Option<ServerChoice> {
    match &field.node.content {
        _ if field.is_blank() => server::read(field).map(|it| ServerChoice::Inline(Box::new(it))),
        Content::Scalar(scalar) if matches!(scalar.kind, ScalarKind::Text | ScalarKind::Number(_)) => {
            field.text().map(ServerChoice::Named)
        }
        Content::Scalar(scalar) if matches!(scalar.kind, ScalarKind::Bool(_)) => {
            field.refuse("a mapping or the name of a server")
        }
        _ => server::read(field).map(|it| ServerChoice::Inline(Box::new(it))),
    }
}

fn vars(field: Field<'_>) -> Vec<(Located<String>, Argument)> {
    let entries = field.entries().into_iter();
    entries
        .map(|entry| (entry.located_name(), argument::read(entry)))
        .collect()
}
