//! Keys that mean the same wherever they stand: in a fixture, in a step, in the project file.

use super::{
    reader::{Field, Fields, Hint},
    tree::{Content, ScalarKind},
    variable,
};
use crate::{
    model::{ServerScope, Skip},
    source::Diagnostic,
};

/// More attempts than this hide a broken server, whatever the reason for them.
pub(super) const MOST_RETRIES: u32 = 20;

/// Names of the scopes of a server.
pub(super) const SERVER_SCOPES: &[(&str, ServerScope)] = &[
    ("case", ServerScope::Case),
    ("file", ServerScope::File),
    ("run", ServerScope::Run),
];

const NOT_YET: &str = "only `env` is available yet";

const SKIP_UNLESS_HINTS: &[Hint] = &[
    ("os", NOT_YET),
    ("protocol", NOT_YET),
    ("capability", NOT_YET),
    ("expr", NOT_YET),
];

/// `server_scope: case|file|run`.
pub(super) fn server_scope(field: Field<'_>) -> Option<ServerScope> {
    field.one_of(SERVER_SCOPES)
}

/// `retries: 2`.
pub(super) fn retries(field: Field<'_>) -> Option<u32> {
    field.whole(0, MOST_RETRIES)
}

/// `skip: reason` or `skip: true`, and `skip_unless: {env: NAME}`; the first wins where both are given.
pub(super) fn skip(fields: &mut Fields<'_>) -> Option<Skip> {
    let always = fields.take_written("skip").and_then(always);
    let unless = fields.take_written("skip_unless").and_then(unless);
    always.or(unless)
}

/// Words that mean yes or no to people and to other tools, and are text in YAML 1.2: as a reason, `skip: no` would skip.
const NO_REASONS: &[&str] = &[
    "true", "false", "yes", "no", "on", "off", "y", "n", "none", "null", "never", "always",
];

fn always(field: Field<'_>) -> Option<Skip> {
    let reason = match &field.node.content {
        Content::Scalar(scalar) if scalar.kind == ScalarKind::Bool(false) => return None,
        Content::Scalar(scalar) if scalar.kind == ScalarKind::Bool(true) => "skipped by its author".to_owned(),
        _ => field.filled_text()?.value,
    };
    if is_no_reason(&reason) {
        let problem = Diagnostic::error("invalid-value", format!("`{reason}` is no reason to skip"));
        field.add(problem.help("write `skip: true`, `skip: false`, or the reason in words"));
        return None;
    }
    Some(Skip::Always { reason })
}

fn is_no_reason(reason: &str) -> bool {
    let reason = reason.trim();
    let is_a_word = NO_REASONS.iter().any(|word| word.eq_ignore_ascii_case(reason));
    is_a_word || reason.parse::<f64>().is_ok()
}

fn unless(field: Field<'_>) -> Option<Skip> {
    let mut fields = Fields::of(field.node, "`skip_unless`", field.problems)?;
    let name = fields.require("env").and_then(variable::named);
    fields.close(SKIP_UNLESS_HINTS, &[]);
    name.map(|name| Skip::UnlessEnv { name: name.value })
}
