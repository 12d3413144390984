//! Whether a schema accepts every value, as far as its keywords show one by one. The canonical form of `jsonschema` can
//! tell more, but takes seconds for some schemas that judge in no time.

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::keywords::{FORMATS, Role, keyword};

/// The types that together are every value; an integer is a number.
const EVERY_TYPE: [&str; 6] = ["array", "boolean", "null", "number", "object", "string"];
/// Patterns that match anywhere.
const ANYWHERE: [&str; 4] = ["", "^", ".*", "^.*"];

/// Whether every value is valid, whatever it is. What cannot be told counts as an assertion.
pub(super) fn accepts_everything(schema: &Value, draft: Draft) -> bool {
    let mut proof = Proof {
        root: schema,
        draft,
        followed: Vec::new(),
        refuted: Vec::new(),
    };
    proof.everything(schema)
}

struct Proof<'s> {
    root: &'s Value,
    draft: Draft,
    /// References that accept everything, or do unless something else on the way does not: one that leads back to itself
    /// refuses nothing by that.
    followed: Vec<&'s str>,
    /// References of which that cannot be told.
    refuted: Vec<&'s str>,
}

impl<'s> Proof<'s> {
    fn everything(&mut self, schema: &'s Value) -> bool {
        match schema {
            Value::Bool(accepts) => *accepts,
            // References inside of a schema with a name of its own do not begin at the root.
            Value::Object(members)
                if (members.contains_key("$id") || members.contains_key("id")) && !std::ptr::eq(schema, self.root) =>
            {
                false
            }
            Value::Object(members) => members
                .iter()
                .all(|(word, value)| self.says_nothing(word, value, members)),
            _ => false,
        }
    }

    fn nothing(&mut self, schema: &'s Value) -> bool {
        match schema {
            Value::Bool(accepts) => !accepts,
            Value::Object(members) => members.get("not").is_some_and(|not| self.everything(not)),
            _ => false,
        }
    }

    /// Whether a keyword refuses no value, beside those that it goes with.
    fn says_nothing(&mut self, word: &str, value: &'s Value, beside: &'s Map<String, Value>) -> bool {
        match word {
            "$ref" => self.reference(value),
            // A schema, or a list of schemas that all must hold.
            "allOf"
            | "additionalProperties"
            | "items"
            | "prefixItems"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties" => self.all(value),
            "additionalItems" => !beside.get("items").is_some_and(Value::is_array) || self.all(value),
            "anyOf" => value
                .as_array()
                .is_some_and(|any| any.iter().any(|one| self.everything(one))),
            "oneOf" => self.one_of(value),
            "not" => self.nothing(value),
            "if" => self.condition(value, beside),
            "contains" => beside.get("minContains").is_some_and(is_zero) && !beside.contains_key("maxContains"),
            // These go with `if` and with `contains`.
            "then" | "else" | "minContains" | "maxContains" => true,
            "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "dependentRequired" => value
                .as_object()
                .is_some_and(|named| named.values().all(|one| self.all(one))),
            "required" => value.as_array().is_some_and(Vec::is_empty),
            "type" => EVERY_TYPE
                .iter()
                .all(|kind| value.as_array().is_some_and(|all| all.iter().any(|it| it == kind))),
            "minItems" | "minLength" | "minProperties" => is_zero(value),
            "exclusiveMaximum" | "exclusiveMinimum" | "uniqueItems" => *value == Value::Bool(false),
            "pattern" => value.as_str().is_some_and(|pattern| ANYWHERE.contains(&pattern)),
            "format" => value.as_str().is_some_and(|format| !FORMATS.contains(&format)),
            // Drafts 6 and 7 check them.
            "contentEncoding" | "contentMediaType" => !matches!(self.draft, Draft::Draft6 | Draft::Draft7),
            _ => keyword(word).is_none_or(|it| matches!(it.role, Role::Note | Role::Definitions)),
        }
    }

    fn all(&mut self, value: &'s Value) -> bool {
        match value {
            Value::Array(schemas) => schemas.iter().all(|schema| self.everything(schema)),
            schema => self.everything(schema),
        }
    }

    fn one_of(&mut self, value: &'s Value) -> bool {
        let Some(schemas) = value.as_array() else { return false };
        let everything = schemas.iter().filter(|schema| self.everything(schema)).count();
        let nothing = schemas.iter().filter(|schema| self.nothing(schema)).count();
        everything == 1 && nothing + 1 == schemas.len()
    }

    fn condition(&mut self, condition: &'s Value, beside: &'s Map<String, Value>) -> bool {
        let then = beside.get("then").is_none_or(|then| self.everything(then)) || self.nothing(condition);
        then && (beside.get("else").is_none_or(|other| self.everything(other)) || self.everything(condition))
    }

    fn reference(&mut self, target: &'s Value) -> bool {
        let Some(pointer) = target.as_str().and_then(|target| target.strip_prefix('#')) else {
            return false;
        };
        if self.followed.contains(&pointer) {
            return true;
        }
        if self.refuted.contains(&pointer) {
            return false;
        }
        let before = self.followed.len();
        self.followed.push(pointer);
        // An anchor, or a pointer with escapes, is not found.
        let schema = self.root.pointer(pointer);
        let proved = schema.is_some_and(|schema| self.everything(schema));
        if !proved {
            // What was proved on the way may have counted on this one.
            self.followed.truncate(before);
            self.refuted.push(pointer);
        }
        proved
    }
}

fn is_zero(value: &Value) -> bool {
    value.as_f64() == Some(0.0)
}

#[cfg(test)]
mod tests {
    use jsonschema::canonical::{self, CanonicalKind};
    use serde_json::json;

    use super::*;

    const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";

    fn is_vacuous(schema: &Value) -> bool {
        accepts_everything(schema, Draft::default().detect(schema))
    }

    #[test]
    fn what_accepts_every_value_is_seen_at_any_depth() {
        for schema in [
            json!({}),
            json!({"items": {}}),
            json!({"items": {"properties": {"a": {"description": "a note"}}}}),
            json!({"required": []}),
            json!({"allOf": [{}, {"title": "x"}]}),
            json!({"anyOf": [{"type": "string"}, {}]}),
            json!({"oneOf": [{"minLength": 0}, false]}),
            json!({"not": {"not": {}}}),
            json!({"not": false}),
            json!({"additionalProperties": true}),
            json!({"properties": {}}),
            json!({"properties": {"a": {}, "b": true}}),
            json!({"patternProperties": {"^a": {"properties": {}}}}),
            json!({"prefixItems": [{}, true], "items": true}),
            json!({"type": ["string", "number", "object", "array", "boolean", "null"]}),
            json!({"if": {"type": "string"}, "then": {}}),
            json!({"if": true, "then": {}, "else": {"type": "string"}}),
            json!({"contains": {"type": "string"}, "minContains": 0}),
            json!({"dependentRequired": {"a": []}, "dependentSchemas": {"b": {}}}),
            json!({"pattern": "", "minItems": 0, "uniqueItems": false}),
            json!({"unevaluatedProperties": {}, "unevaluatedItems": true, "propertyNames": {}}),
            json!({"x-note": {"type": "string"}, "$defs": {"a": {"type": "string"}}}),
            json!({"$schema": DRAFT_7, "items": {}, "additionalItems": false, "dependencies": {"a": []}}),
        ] {
            assert!(is_vacuous(&schema), "{schema}");
            let canonical = canonical::options().canonicalize(&schema).unwrap();
            assert_eq!(canonical.kind(), CanonicalKind::True, "{schema}");
        }
        // These the canonical form does not see.
        for schema in [
            json!({"pattern": ".*"}),
            json!({"format": "int32"}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"properties": {}}}}),
            json!({"properties": {"next": {"$ref": "#"}}}),
        ] {
            assert!(is_vacuous(&schema), "{schema}");
        }
    }

    #[test]
    fn what_refuses_some_value_is_an_assertion() {
        for schema in [
            json!(false),
            json!({"items": {"type": "string"}}),
            json!({"items": false}),
            json!({"required": ["a"]}),
            json!({"allOf": [{}, {"type": "string"}]}),
            json!({"anyOf": [{"type": "string"}, {"minimum": 1}]}),
            json!({"oneOf": [{}, {"type": "string"}]}),
            json!({"oneOf": [{}, {}]}),
            json!({"not": {}}),
            json!({"not": {"type": "string"}}),
            json!({"additionalProperties": false}),
            json!({"properties": {"a": {"properties": {"b": {"const": 1}}}}}),
            json!({"type": ["string", "integer", "object", "array", "boolean", "null"]}),
            json!({"if": {"type": "string"}, "then": {"minLength": 1}}),
            json!({"if": {"type": "string"}, "then": {}, "else": false}),
            json!({"contains": {}}),
            json!({"contains": {}, "minContains": 0, "maxContains": 2}),
            json!({"dependentRequired": {"a": ["b"]}}),
            json!({"pattern": "^a"}),
            json!({"format": "email"}),
            json!({"minLength": 1}),
            json!({"maxItems": 0}),
            json!({"unevaluatedProperties": false}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}),
            json!({"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "string"}}}),
            json!({
                "anyOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/a"}],
                "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}, {"type": "string"}]}},
            }),
            json!({"$ref": "#a", "$defs": {"a": {"$anchor": "a", "type": "string"}}}),
            json!({"properties": {"next": {"$ref": "#"}}, "minProperties": 1}),
            json!({"items": {"$id": "inner", "$ref": "#/$defs/a", "$defs": {"a": false}}, "$defs": {"a": {}}}),
            json!({"$schema": DRAFT_7, "items": [{}], "additionalItems": false}),
            json!({"$schema": DRAFT_7, "contentMediaType": "application/json"}),
        ] {
            assert!(!is_vacuous(&schema), "{schema}");
        }
    }
}
