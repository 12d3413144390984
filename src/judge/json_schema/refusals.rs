//! Schemas of servers, which are taken as they are, and why a value is refused by one.

use jsonschema::{ValidationError, error::ValidationErrorKind};
use serde_json::Value;

use super::{Schema, effort};

/// Refusals of one value that are looked at.
const MOST: usize = 100;

/// One reason why a value is not valid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    /// The place in the value, step by step.
    pub(crate) place: Vec<String>,
    /// The keyword that refuses it.
    pub(crate) keyword: String,
    /// The properties that are missing or unexpected.
    pub(crate) properties: Vec<String>,
    /// What stands there.
    pub(crate) value: Value,
}

impl Schema {
    /// Compiles a schema that a server sent: words without effect are the server's own business. Nothing where it is no
    /// schema. `format` is asserted, and nothing is fetched.
    pub(crate) fn of_server(schema: &Value) -> Option<Self> {
        let options = jsonschema::options().offline().should_validate_formats(true);
        let validator = options.build(schema).ok()?;
        Some(Self {
            validator,
            text: schema.clone(),
        })
    }

    /// Whether a value is valid.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// Why a value is not valid; the first reasons, and none where it would take too much to tell them.
    pub(crate) fn refusals(&self, value: &Value) -> Vec<Refusal> {
        if !effort::is_affordable(&self.text, value) {
            return Vec::new();
        }
        self.validator
            .iter_errors(value)
            .take(MOST)
            .map(|error| refusal(&error))
            .collect()
    }
}

fn refusal(error: &ValidationError<'_>) -> Refusal {
    let properties = match error.kind() {
        ValidationErrorKind::Required { property } => property.as_str().map(str::to_owned).into_iter().collect(),
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected.clone(),
        _ => Vec::new(),
    };
    let place = error.instance_path().as_str().split('/').skip(1);
    Refusal {
        place: place.map(|step| step.replace("~1", "/").replace("~0", "~")).collect(),
        keyword: error.kind().keyword().to_owned(),
        properties,
        value: error.instance().as_ref().clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_refusal_says_where_and_by_which_keyword() {
        let schema =
            json!({"type": "object", "required": ["a"], "properties": {"b/c": {"maximum": 3}}, "x": 1, "requred": []});
        let schema = Schema::of_server(&schema).unwrap();
        assert!(schema.accepts(&json!({"a": 1})));
        let refusals = schema.refusals(&json!({"b/c": 4}));
        let said: Vec<_> = refusals
            .iter()
            .map(|it| (it.place.join("."), it.keyword.as_str()))
            .collect();
        assert!(said.contains(&(String::new(), "required")), "{said:?}");
        assert!(said.contains(&("b/c".to_owned(), "maximum")), "{said:?}");
        assert_eq!(Schema::of_server(&json!({"type": "nonsense"})).map(|_| ()), None);
    }
}
