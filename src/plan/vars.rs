//! The `vars` of a case: `${VAR}` expanded at every depth, secrets noted, placeholders refused.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{
    Compiler,
    expand::expand,
    locate::Locator,
    references::refuse,
    template::{misplaced, unescaped},
};
use crate::source::{Diagnostic, Located, SourceFile, Span};

/// Why a placeholder is refused in `vars`.
const HELP: &str = "placeholders are filled in `input` and `expect`; `vars` takes environment variables as `${NAME}`";

/// Expands the variables of one case.
pub(super) struct VarsExpansion<'c, 'a> {
    pub compiler: &'c mut Compiler<'a>,
    pub source: &'c Arc<SourceFile>,
    pub diagnostics: &'c mut Vec<Diagnostic>,
}

/// Where a variable is written.
struct Place<'s> {
    span: Span,
    locator: Locator<'s>,
}

impl VarsExpansion<'_, '_> {
    /// The variables with their values.
    pub(super) fn vars(&mut self, vars: Vec<(Located<String>, Located<Value>)>) -> Map<String, Value> {
        vars.into_iter()
            .map(|(name, value)| {
                let mut place = Place {
                    span: value.span,
                    locator: Locator::within(self.source, value.span),
                };
                let expanded = self.value(value.value, &mut place);
                self.compiler.secrets.add_named_value(&name.value, &expanded);
                (name.value, expanded)
            })
            .collect()
    }

    fn value(&mut self, value: Value, place: &mut Place<'_>) -> Value {
        match value {
            Value::String(text) => self.text(&text, place),
            Value::Array(items) => items.into_iter().map(|item| self.value(item, place)).collect(),
            Value::Object(map) => map
                .into_iter()
                .map(|(key, item)| {
                    self.refuse_placeholders(&key, place);
                    (key, self.value(item, place))
                })
                .collect::<Map<_, _>>()
                .into(),
            other => other,
        }
    }

    fn text(&mut self, text: &str, place: &mut Place<'_>) -> Value {
        self.refuse_placeholders(text, place);
        match expand(&unescaped(text), self.compiler.environment) {
            Ok(expanded) => {
                for secret in &expanded.secrets {
                    self.compiler.secrets.add(secret);
                }
                Value::String(expanded.text)
            }
            Err(errors) => {
                let errors = errors
                    .into_iter()
                    .map(|error| error.diagnostic().at(self.source, place.span));
                self.diagnostics.extend(errors);
                Value::Null
            }
        }
    }

    fn refuse_placeholders(&mut self, text: &str, place: &mut Place<'_>) {
        for written in misplaced(text) {
            let span = place.locator.find(written).unwrap_or(place.span);
            self.diagnostics
                .push(refuse(written, "`vars`").at(self.source, span).help(HELP));
        }
    }
}
