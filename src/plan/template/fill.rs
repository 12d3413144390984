//! Replaces placeholders by the values they refer to.

use std::ops::Range;

use serde_json::{Map, Value};

use super::{
    braces::{Kind, braces},
    reference::{Reference, is_rooted},
};
use crate::plan::Environment;

/// What one finished step offers to later ones.
#[derive(Debug, Clone, Default)]
pub struct StepValue {
    /// The output text.
    pub output: String,
    /// `structuredContent`, where there is one.
    pub structured: Option<Value>,
    /// The content blocks as they came.
    pub content: Value,
    /// Whether the server marked the output as an error.
    pub is_error: bool,
    /// Latency in milliseconds.
    pub duration_ms: f64,
}

/// Everything placeholders can refer to while a case runs.
pub struct Scope<'a> {
    /// Finished steps, in order.
    pub steps: &'a [(&'a str, StepValue)],
    /// The case's `vars`.
    pub vars: &'a Map<String, Value>,
    /// Environment variables.
    pub environment: &'a Environment,
}

/// Replaces every placeholder in a value. The error names the placeholder and says what is missing.
pub fn fill(value: &Value, scope: &Scope<'_>) -> Result<Value, String> {
    fill_with(value, &|inside| value_of(inside, scope))
}

/// Replaces every placeholder in a value by what `value_of` gives for its inside.
pub(in crate::plan) fn fill_with(
    value: &Value,
    value_of: &impl Fn(&str) -> Result<Value, String>,
) -> Result<Value, String> {
    match value {
        Value::String(text) if text.contains("{{") => fill_text(text, value_of),
        Value::Array(items) => items.iter().map(|item| fill_with(item, value_of)).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, item)| Ok((key.clone(), fill_with(item, value_of)?)))
            .collect::<Result<Map<_, _>, _>>()
            .map(Value::Object),
        other => Ok(other.clone()),
    }
}

/// A text that is no place for placeholders, without the backslashes before what would be one elsewhere.
pub(in crate::plan) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for found in braces(text) {
        if let Kind::Escaped(inside) = found.kind
            && is_rooted(inside)
        {
            out.push_str(&text[from..half(&found.backslashes)]);
            from = found.backslashes.end;
        }
    }
    out + &text[from..]
}

fn fill_text(text: &str, value_of: &impl Fn(&str) -> Result<Value, String>) -> Result<Value, String> {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for found in braces(text) {
        match found.kind {
            Kind::Placeholder(inside) => {
                let value = value_of(inside)?;
                if (found.start, found.end) == (0, text.len()) {
                    return Ok(value);
                }
                out.push_str(&text[from..half(&found.backslashes)]);
                out.push_str(&text[found.backslashes.end..found.start]);
                match value {
                    Value::String(text) => out.push_str(&text),
                    other => out.push_str(&other.to_string()),
                }
                from = found.end;
            }
            Kind::Escaped(_) => {
                out.push_str(&text[from..half(&found.backslashes)]);
                from = found.backslashes.end;
            }
            Kind::Unclosed | Kind::Rootless(_) | Kind::Slip(_) => {}
        }
    }
    Ok(Value::String(out + &text[from..]))
}

/// Where the half of the backslashes that stays ends.
const fn half(backslashes: &Range<usize>) -> usize {
    backslashes.start.midpoint(backslashes.end)
}

fn value_of(inside: &str, scope: &Scope<'_>) -> Result<Value, String> {
    let reference = Reference::read(inside, |text| longest_id(text, scope)).map_err(|bad| bad.message)?;
    reference
        .value(scope)
        .map_err(|missing| format!("`{{{{{inside}}}}}` has no value: {missing}"))
}

fn longest_id(text: &str, scope: &Scope<'_>) -> Option<usize> {
    let ids = scope.steps.iter().map(|(id, _)| *id);
    ids.filter(|id| text.strip_prefix(id).is_some_and(|after| after.starts_with('.')))
        .map(str::len)
        .max()
}

impl StepValue {
    pub(super) fn field(&self, field: &str) -> Result<Value, String> {
        match field {
            "output" => Ok(Value::from(self.output.as_str())),
            "is_error" => Ok(Value::from(self.is_error)),
            "duration_ms" => Ok(Value::from(self.duration_ms)),
            "content" => Ok(self.content.clone()),
            "structured" => self
                .structured
                .clone()
                .ok_or_else(|| "the answer has no structuredContent".to_owned()),
            "json" => self.structured.clone().map_or_else(
                || serde_json::from_str(&self.output).map_err(|error| format!("the output is not JSON ({error})")),
                Ok,
            ),
            other => Err(format!("a step has no `{other}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(value: &Value) -> Result<Value, String> {
        let vars = json!({"user": {"name": "Ada", "tags": ["x", "y"]}, "n": 3});
        let step = StepValue {
            output: r#"{"items":[{"id":7}],"a name":"v"}"#.to_owned(),
            content: json!([{"type": "text", "text": "t"}]),
            duration_ms: 1.5,
            ..StepValue::default()
        };
        let plain = StepValue {
            output: "not {{vars.n}} json".to_owned(),
            ..StepValue::default()
        };
        fill(
            value,
            &Scope {
                steps: &[("create", step), ("a.b", plain)],
                vars: vars.as_object().expect("it is an object"),
                environment: &Environment::new([("REGION".to_owned(), "eu".to_owned())]),
            },
        )
    }

    fn one(text: &str) -> Value {
        filled(&json!(text)).expect("it can be filled")
    }

    #[test]
    fn fills_at_every_depth_and_several_times_in_one_text() {
        let value = json!({"a": [{"b": "<{{vars.n}}/{{ vars.n }}>"}], "k": 1});
        assert_eq!(filled(&value), Ok(json!({"a": [{"b": "<3/3>"}], "k": 1})));
    }

    #[test]
    fn a_lone_placeholder_keeps_the_type() {
        assert_eq!(one("{{steps.create.json.items[0].id}}"), json!(7));
        assert_eq!(one("{{steps.create.json.items.0}}"), json!({"id": 7}));
        assert_eq!(one("{{vars.user.tags}}"), json!(["x", "y"]));
        assert_eq!(one("{{steps.create.is_error}}"), json!(false));
        assert_eq!(one("id {{steps.create.json.items[0].id}}"), json!("id 7"));
    }

    #[test]
    fn names_with_dots_and_blanks_are_reached() {
        assert_eq!(one("{{steps.a.b.output}}"), json!("not {{vars.n}} json"));
        assert_eq!(one("{{steps.create.json[\"a name\"]}}"), json!("v"));
        assert_eq!(one("{{steps.create.content[0].text}}"), json!("t"));
    }

    #[test]
    fn values_are_not_filled_again() {
        assert_eq!(one("say {{steps.a.b.output}}"), json!("say not {{vars.n}} json"));
    }

    #[test]
    fn other_braces_and_escaped_ones_are_text() {
        assert_eq!(
            one("{{name}} {{#each x}} {{ 1 }} {{"),
            json!("{{name}} {{#each x}} {{ 1 }} {{")
        );
        assert_eq!(one("\\{{vars.n}} and {{vars.n}}"), json!("{{vars.n}} and 3"));
        assert_eq!(one("\\{{vars.n}}"), json!("{{vars.n}}"));
        assert_eq!(one("{{x {{vars.n}}"), json!("{{x 3"));
        assert_eq!(one("{{{vars.n}}}"), json!("{3}"));
    }

    #[test]
    fn a_backslash_that_escapes_no_placeholder_stays() {
        assert_eq!(one("\\{{2}x \\{{name}}"), json!("\\{{2}x \\{{name}}"));
        assert_eq!(one("\\{{a.output}}"), json!("{{a.output}}"));
    }

    #[test]
    fn two_backslashes_before_a_placeholder_are_one() {
        assert_eq!(one(r"C:\data\\{{vars.n}}"), json!(r"C:\data\3"));
        assert_eq!(one(r"\\{{vars.n}}"), json!(r"\3"));
        assert_eq!(one(r"\\\{{vars.n}} \\\\{{{vars.n}}}"), json!(r"\{{vars.n}} \\{3}"));
        assert_eq!(one(r"\\{{name}}"), json!(r"\\{{name}}"));
        assert_eq!(unescaped(r"\\\{{vars.n}} \{{vars.n}}"), r"\{{vars.n}} {{vars.n}}");
    }

    #[test]
    fn braces_of_other_programs_stay() {
        assert_eq!(one("{{envelope.name}} {{vars.n}}"), json!("{{envelope.name}} 3"));
    }

    #[test]
    fn reads_the_environment() {
        assert_eq!(one("{{env.REGION}}"), json!("eu"));
    }

    #[test]
    fn a_path_that_leads_nowhere_says_where_it_ended() {
        let error = |text: &str| filled(&json!(text)).expect_err("there is no such value");
        assert_eq!(
            error("{{steps.create.json.item}}"),
            "`{{steps.create.json.item}}` has no value: there is no `item` (did you mean `items`?)"
        );
        assert!(error("{{steps.create.json.items[4]}}").ends_with("there is no item 4, the list has 1"));
        assert!(error("{{steps.a.b.json.x}}").contains("the output is not JSON"));
        assert!(error("{{steps.create.structured}}").contains("no structuredContent"));
    }
}
