//! What can be said of an argument whose placeholders wait for a step that has not run yet.

use serde_json::{Value, json};

use super::template::fill_with;
use crate::judge::assertions::{AssertionKind, Problem};

/// The problems an argument has whatever its placeholders will stand for, such as an unknown key.
///
/// A value of each kind is put in their place: a problem that all of them meet is not about the value.
pub(super) fn certain_problems(kind: &AssertionKind, argument: &Value) -> Option<Vec<Problem>> {
    let mut certain: Option<Vec<Problem>> = None;
    for value in [json!("x"), json!(1), json!(true), json!([]), json!({}), json!(null)] {
        let filled = fill_with(argument, &|_| Ok(value.clone())).ok()?;
        let problems = (kind.compile)(&filled).err()?;
        match &mut certain {
            Some(certain) => certain.retain(|problem| problems.contains(problem)),
            None => certain = Some(problems),
        }
    }
    certain.filter(|certain| !certain.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::assertions;

    fn problem(key: &str, argument: &Value) -> Option<String> {
        let kind = assertions::kind(key).expect("there is such a kind");
        certain_problems(kind, argument).map(|problems| problems[0].message.clone())
    }

    #[test]
    fn what_no_value_can_mend_is_said() {
        let code = json!({"cod": "{{steps.a.json.n}}"});
        assert_eq!(
            problem("protocol_error", &code).as_deref(),
            Some("unknown key `cod` in `protocol_error`")
        );
        assert!(problem("schema_match", &json!({"type": "strin", "title": "{{steps.a.output}}"})).is_some());
        assert!(problem("output_contains", &json!({"a": "{{steps.a.output}}"})).is_some());
    }

    #[test]
    fn what_a_value_can_mend_is_not() {
        for (key, argument) in [
            ("protocol_error", json!({"code": "{{steps.a.json.n}}"})),
            (
                "protocol_error",
                json!({"code": "{{steps.a.json.n}}", "message": "{{steps.a.output}}"}),
            ),
            ("is_error", json!("{{steps.a.is_error}}")),
            ("schema_match", json!("{{steps.a.json.schema}}")),
            ("schema_match", json!({"type": "{{steps.a.output}}"})),
            ("output_matches", json!("^{{steps.a.output}}$")),
            ("latency_under", json!("{{steps.a.duration_ms}}")),
        ] {
            assert_eq!(problem(key, &argument), None, "{key}: {argument}");
        }
    }
}
