//! The `vars` of a case: `${VAR}` expanded at every depth, secrets noted, placeholders refused.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{
    Compiler,
    expand::expand,
    locate::Locator,
    references::refuse,
    template::{Mention, mentions, unescaped},
};
use crate::{
    model::Argument,
    source::{Diagnostic, Located, SourceFile, Span},
};

/// Why a placeholder is refused in `vars`.
const HELP: &str = "placeholders are filled in `input` and `expect`; `vars` takes environment variables as `${NAME}`";

/// Expands the variables of one case.
pub(super) struct VarsExpansion<'c, 'a> {
    pub compiler: &'c mut Compiler<'a>,
    pub source: &'c Arc<SourceFile>,
    pub diagnostics: &'c mut Vec<Diagnostic>,
}

impl VarsExpansion<'_, '_> {
    /// The variables with their values.
    pub(super) fn vars(&mut self, vars: &[(Located<String>, Argument)]) -> Map<String, Value> {
        vars.iter()
            .map(|(name, argument)| {
                self.refuse_placeholders(argument);
                let expanded = self.value(argument.value.clone(), argument.location.span);
                self.compiler.secrets.add_named_value(&name.value, &expanded);
                (name.value.clone(), expanded)
            })
            .collect()
    }

    fn refuse_placeholders(&mut self, argument: &Argument) {
        let mut locator = Locator::new(self.source);
        let mentions = mentions(&argument.value, &argument.places);
        for mention in mentions.iter().filter(|it| Mention::is_misplaced(it)) {
            let diagnostic = refuse(mention.written, "`vars`").help(HELP);
            self.diagnostics.push(diagnostic.at(self.source, locator.find(mention)));
        }
    }

    /// The value with its variables expanded; what is wrong with them is said at `place`.
    fn value(&mut self, value: Value, place: Span) -> Value {
        match value {
            Value::String(text) => self.text(&text, place),
            Value::Array(items) => items.into_iter().map(|item| self.value(item, place)).collect(),
            Value::Object(map) => map
                .into_iter()
                .map(|(key, item)| (key, self.value(item, place)))
                .collect::<Map<_, _>>()
                .into(),
            other => other,
        }
    }

    fn text(&mut self, text: &str, place: Span) -> Value {
        let environment = self.compiler.environment;
        match expand(&unescaped(text), environment) {
            Ok(expanded) => {
                for secret in &expanded.secrets {
                    self.compiler.secrets.add(secret);
                }
                Value::String(expanded.text)
            }
            Err(errors) => {
                let errors = errors.into_iter().map(|error| error.diagnostic(environment));
                self.diagnostics.extend(errors.map(|it| it.at(self.source, place)));
                Value::Null
            }
        }
    }
}
