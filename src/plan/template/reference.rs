//! What a placeholder refers to, and whether that will be there.

use serde_json::{Map, Value};

use super::{
    fill::Scope,
    path::{Key, follow, keys},
    segments::{Segment, segments},
};
use crate::{
    plan::Environment,
    source::{did_you_mean, nearest},
};

const ROOTS: [&str; 3] = ["steps", "vars", "env"];

/// What `{{steps.<id>.…}}` can go on with.
const STEP_FIELDS: [&str; 6] = ["output", "json", "structured", "content", "is_error", "duration_ms"];

/// What is known of the surroundings of a placeholder before anything runs.
pub struct Names<'a> {
    /// Steps before the one that holds the placeholder.
    pub earlier: &'a [&'a str],
    /// All steps of the case.
    pub all: &'a [&'a str],
    /// The case's `vars`.
    pub vars: &'a Map<String, Value>,
    /// Environment variables; absent where the case is skipped and none of them is needed.
    pub environment: Option<&'a Environment>,
}

/// A placeholder that refers to nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct BadReference {
    /// What is wrong, as a lowercase fragment.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// Whether a value holds any placeholder or escaped brace, at any depth.
pub fn has_placeholders(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("{{"),
        Value::Array(items) => items.iter().any(has_placeholders),
        Value::Object(map) => map.values().any(has_placeholders),
        _ => false,
    }
}

/// Every placeholder in a value, at any depth, that refers to nothing.
pub fn bad_references(value: &Value, names: &Names<'_>) -> Vec<BadReference> {
    match value {
        Value::String(text) => segments(text)
            .filter_map(|segment| match segment {
                Segment::Placeholder(inside) => Reference::read(inside, names.all)
                    .and_then(|reference| reference.resolve(names))
                    .err(),
                Segment::Text(_) => None,
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(|item| bad_references(item, names)).collect(),
        Value::Object(map) => map.values().flat_map(|item| bad_references(item, names)).collect(),
        _ => Vec::new(),
    }
}

/// Whether the inside of braces is meant for us: it starts with a root, or with a slip of one.
pub(super) fn is_reference(inside: &str) -> bool {
    let root = root_of(inside);
    let goes_on = inside[root.len()..].starts_with(['.', '[']);
    ROOTS.contains(&root) || goes_on && nearest(root, ROOTS).is_some()
}

fn root_of(inside: &str) -> &str {
    let end = inside
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(inside.len());
    &inside[..end]
}

/// A placeholder that was understood.
pub(super) enum Reference<'a> {
    Step {
        id: &'a str,
        field: &'a str,
        path: Vec<Key<'a>>,
    },
    Variable {
        name: &'a str,
        path: Vec<Key<'a>>,
    },
    Environment {
        name: &'a str,
    },
}

impl<'a> Reference<'a> {
    /// Understands the inside of a placeholder. Step ids may have dots in them, so known ids are tried first.
    pub(super) fn read(inside: &'a str, known: &[&str]) -> Result<Self, BadReference> {
        let root = root_of(inside);
        let rest = inside[root.len()..].strip_prefix('.').unwrap_or_default();
        let unknown = |message: String, help: String| BadReference { message, help };
        match root {
            "steps" => {
                let id = known
                    .iter()
                    .filter(|id| rest.starts_with(**id) && rest[id.len()..].starts_with('.'))
                    .map(|id| id.len())
                    .max()
                    .unwrap_or_else(|| rest.find('.').unwrap_or(rest.len()));
                let after = rest[id..].strip_prefix('.').unwrap_or_default();
                let end = after.find(['.', '[']).unwrap_or(after.len());
                let reference = Self::Step {
                    id: &rest[..id],
                    field: &after[..end],
                    path: keys(&after[end..]).map_err(|message| unknown(wrong(inside, &message), path_help()))?,
                };
                Ok(reference)
            }
            "vars" => {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                Ok(Self::Variable {
                    name: &rest[..end],
                    path: keys(&rest[end..]).map_err(|message| unknown(wrong(inside, &message), path_help()))?,
                })
            }
            "env" => Ok(Self::Environment { name: rest }),
            _ => Err(unknown(
                format!("`{{{{{inside}}}}}` starts with `{root}`, which is not known"),
                format!("{} a literal brace is written `\\{{{{`", did_you_mean(root, ROOTS)),
            )),
        }
    }

    /// Checks that it refers to something that will be there.
    fn resolve(self, names: &Names<'_>) -> Result<(), BadReference> {
        match self {
            Self::Step { id, field, path } => {
                if !names.earlier.contains(&id) {
                    return Err(not_earlier(id, names));
                }
                if !STEP_FIELDS.contains(&field) {
                    return Err(BadReference {
                        message: format!("a step has no `{field}`"),
                        help: did_you_mean(field, STEP_FIELDS),
                    });
                }
                if !path.is_empty() && !matches!(field, "json" | "structured" | "content") {
                    return Err(BadReference {
                        message: format!("`{field}` is not JSON, so no path can follow it"),
                        help: format!("use `{{{{steps.{id}.json…}}}}` to reach into the output"),
                    });
                }
                Ok(())
            }
            Self::Variable { name, path } => {
                let Some(value) = names.vars.get(name) else {
                    return Err(BadReference {
                        message: format!("this case has no variable `{name}` in `vars`"),
                        help: did_you_mean(name, names.vars.keys().map(String::as_str)),
                    });
                };
                follow(value, &path).map(drop).map_err(|message| BadReference {
                    message: format!("`vars.{name}`: {message}"),
                    help: path_help(),
                })
            }
            Self::Environment { name } => match names.environment {
                Some(environment) if environment.value(name).is_none() => Err(BadReference {
                    message: format!("the environment variable `{name}` is not set"),
                    help: format!("set it, or skip the case with `skip_unless: {{env: {name}}}`"),
                }),
                _ => Ok(()),
            },
        }
    }

    pub(super) fn value(&self, scope: &Scope<'_>) -> Result<Value, String> {
        match self {
            Self::Step { id, field, path } => {
                let (_, step) = scope
                    .steps
                    .iter()
                    .find(|(known, _)| known == id)
                    .ok_or_else(|| format!("the step `{id}` has not run"))?;
                step.field(field).and_then(|value| follow(&value, path).cloned())
            }
            Self::Variable { name, path } => {
                let value = scope.vars.get(*name).ok_or("there is no such variable")?;
                follow(value, path).cloned()
            }
            Self::Environment { name } => scope
                .environment
                .value(name)
                .map(Value::from)
                .ok_or_else(|| "it is not set".to_owned()),
        }
    }
}

fn not_earlier(id: &str, names: &Names<'_>) -> BadReference {
    if names.all.contains(&id) {
        return BadReference {
            message: format!("the step `{id}` does not run before this one"),
            help: "a placeholder can only refer to earlier steps".to_owned(),
        };
    }
    BadReference {
        message: format!("this case has no step `{id}`"),
        help: if names.earlier.is_empty() {
            "no step runs before this one".to_owned()
        } else {
            did_you_mean(id, names.earlier.iter().copied())
        },
    }
}

fn wrong(inside: &str, message: &str) -> String {
    format!("`{{{{{inside}}}}}` cannot be read: {message}")
}

fn path_help() -> String {
    "a path looks like `.items[0].id` or `[\"a name\"]`".to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bad(text: &str) -> Vec<BadReference> {
        let vars = json!({"user": {"name": "Ada"}});
        bad_references(
            &json!({"deep": [text]}),
            &Names {
                earlier: &["first", "a.b"],
                all: &["first", "a.b", "this", "last"],
                vars: vars.as_object().expect("it is an object"),
                environment: Some(&Environment::new([("HOME".to_owned(), String::new())])),
            },
        )
    }

    fn complaint(text: &str) -> String {
        let BadReference { message, help } = &bad(text)[0];
        format!("{message}; {help}")
    }

    #[test]
    fn good_references_are_silent() {
        for text in [
            "{{steps.first.output}}",
            "{{ steps.a.b.json.x[0][\"y\"] }}",
            "{{vars.user.name}}",
            "{{env.HOME}}",
            "{{anything}} else",
            "\\{{steps.nope.output}}",
        ] {
            assert_eq!(bad(text), [], "{text}");
        }
    }

    #[test]
    fn unknown_and_later_steps_are_told_apart() {
        assert_eq!(
            complaint("{{steps.frist.output}}"),
            "this case has no step `frist`; did you mean `first`?"
        );
        assert!(complaint("{{steps.last.output}}").starts_with("the step `last` does not run before this one"));
        assert!(complaint("{{steps.this.output}}").starts_with("the step `this` does not run before this one"));
    }

    #[test]
    fn slips_are_not_taken_for_text() {
        assert!(complaint("{{step.first.output}}").contains("did you mean `steps`?"));
        assert_eq!(
            complaint("{{steps.first.outptu}}"),
            "a step has no `outptu`; did you mean `output`?"
        );
        assert!(complaint("{{steps.first.output.id}}").contains("use `{{steps.first.json…}}`"));
        assert!(complaint("{{steps.first.json.items[x]}}").contains("neither a number nor a quoted name"));
        assert!(complaint("{{vars.usr}}").contains("did you mean `user`?"));
        assert!(complaint("{{vars.user.nam}}").contains("there is no `nam`"));
        assert!(complaint("{{env.NOPE}}").contains("is not set"));
    }
}
