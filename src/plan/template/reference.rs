//! What a placeholder refers to, and whether that will be there.

use serde_json::{Map, Value};

use super::{
    fill::Scope,
    mention::{BadReference, SHOWN},
    path::{Key, follow, keys},
    step_ids::StepIds,
};
use crate::{
    plan::Environment,
    source::{did_you_mean, is_one_edit, nearest},
    text::quote,
};

/// Variables that are offered where one was misspelt.
const OFFERED: usize = 50;

const ROOTS: [&str; 3] = ["steps", "vars", "env"];

/// What `{{steps.<id>.…}}` can go on with.
const STEP_FIELDS: [&str; 6] = ["output", "json", "structured", "content", "is_error", "duration_ms"];

/// What is known of the surroundings of a placeholder before anything runs.
pub(in crate::plan) struct Names<'a> {
    /// The steps of the case.
    pub steps: &'a StepIds<'a>,
    /// The step that holds the placeholder.
    pub current: usize,
    /// The case's `vars`.
    pub vars: &'a Map<String, Value>,
    /// Environment variables; absent where the case is skipped and none of them is needed.
    pub environment: Option<&'a Environment>,
}

/// Whether the inside of braces starts with a root.
pub(super) fn has_root(inside: &str) -> bool {
    ROOTS.contains(&root_of(inside))
}

/// Whether it starts with what may be a slip of a root, and goes on from there.
pub(super) fn may_be_slip(inside: &str) -> bool {
    let root = root_of(inside);
    inside[root.len()..].starts_with(['.', '[']) && nearest(root, ROOTS).is_some()
}

/// Whether it starts with just a root and goes on from there, so that it is hardly anybody else's.
pub(in crate::plan) fn is_rooted(inside: &str) -> bool {
    let root = root_of(inside);
    ROOTS.contains(&root) && inside[root.len()..].starts_with(['.', '['])
}

/// Whether it would name a field of a step if only `steps.` stood before it and there were such a step.
pub(super) fn is_rootless(inside: &str) -> bool {
    let mut dots = inside.match_indices('.').filter(|(at, _)| *at > 0);
    dots.any(|(at, _)| STEP_FIELDS.contains(&first_name(&inside[at + 1..])))
}

/// Whether it begins with the id of a step, and goes on with a field of a step.
pub(super) fn names_step(inside: &str, steps: &StepIds<'_>) -> bool {
    let field = |id: usize| first_name(&inside[id + 1..]);
    steps.prefix(inside).is_some_and(|id| STEP_FIELDS.contains(&field(id)))
}

/// What is wrong with a root that is none, if it is a slip and not the business of another program: what follows is
/// ours too, or it is one letter off. `env` is near too many words to go by it alone.
pub(super) fn slip(inside: &str, names: &Names<'_>) -> Option<BadReference> {
    let root = root_of(inside);
    let rest = inside[root.len()..].strip_prefix('.').unwrap_or_default();
    let has_variable = |environment: &Environment| environment.value(rest).is_some();
    let is_ours = match nearest(root, ROOTS)? {
        "steps" => names_step(rest, names.steps),
        "vars" => names.vars.contains_key(first_name(rest)),
        _ => names.environment.is_some_and(has_variable),
    };
    let is_near = ["steps", "vars"].iter().any(|known| is_one_edit(root, known));
    (is_ours || is_near).then(|| unknown_root(inside, root))
}

fn root_of(inside: &str) -> &str {
    let end = inside
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(inside.len());
    &inside[..end]
}

fn first_name(text: &str) -> &str {
    &text[..text.find(['.', '[']).unwrap_or(text.len())]
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
    /// Understands the inside of a placeholder. Step ids may have dots in them: `longest_id` gives the length of the
    /// longest one that a text begins with, followed by a dot.
    pub(super) fn read(inside: &'a str, longest_id: impl FnOnce(&str) -> Option<usize>) -> Result<Self, BadReference> {
        let root = root_of(inside);
        let rest = inside[root.len()..].strip_prefix('.').unwrap_or_default();
        let path = |text: &'a str| keys(text).map_err(|message| unreadable(inside, &message));
        match root {
            _ if !ROOTS.contains(&root) => Err(unknown_root(inside, root)),
            _ if rest.is_empty() => Err(nameless(inside, root)),
            "steps" => {
                let id = longest_id(rest).unwrap_or_else(|| rest.find('.').unwrap_or(rest.len()));
                let after = rest[id..].strip_prefix('.').unwrap_or_default();
                let field = first_name(after);
                Ok(Self::Step {
                    id: &rest[..id],
                    field,
                    path: path(&after[field.len()..])?,
                })
            }
            "vars" => {
                let name = first_name(rest);
                Ok(Self::Variable {
                    name,
                    path: path(&rest[name.len()..])?,
                })
            }
            _ => Ok(Self::Environment { name: rest }),
        }
    }

    /// Checks that it refers to something that will be there.
    pub(super) fn resolve(self, names: &Names<'_>) -> Result<(), BadReference> {
        match self {
            Self::Step { id, field, path } => resolve_step(id, field, &path, names),
            Self::Variable { name, path } => {
                let Some(value) = names.vars.get(name) else {
                    let known = names.vars.keys().map(String::as_str).take(OFFERED);
                    return Err(BadReference {
                        message: format!("this case has no variable {} in `vars`", quote(name, SHOWN)),
                        help: if names.vars.is_empty() {
                            "declare it under `vars:`".to_owned()
                        } else {
                            did_you_mean(name, known)
                        },
                    });
                };
                follow(value, &path).map(drop).map_err(|message| BadReference {
                    message: format!("{}: {message}", quote(&format!("vars.{name}"), SHOWN)),
                    help: path_help(),
                })
            }
            Self::Environment { name } => match names.environment {
                Some(environment) if environment.value(name).is_none() => Err(BadReference {
                    message: format!("the environment variable {} is not set", quote(name, SHOWN)),
                    help: format!(
                        "{}set it, or skip the case with `skip_unless: {{env: {name}}}`",
                        environment.near(name)
                    ),
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

fn resolve_step(id: &str, field: &str, path: &[Key<'_>], names: &Names<'_>) -> Result<(), BadReference> {
    if names.steps.position(id).is_none_or(|at| at >= names.current) {
        return Err(not_earlier(id, names));
    }
    if field.is_empty() {
        return Err(BadReference {
            message: format!("the placeholder names the step `{id}`, but nothing of it"),
            help: format!("write `{{{{steps.{id}.output}}}}`; {}", did_you_mean("", STEP_FIELDS)),
        });
    }
    if !STEP_FIELDS.contains(&field) {
        return Err(BadReference {
            message: format!("a step has no {}", quote(field, SHOWN)),
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

fn not_earlier(id: &str, names: &Names<'_>) -> BadReference {
    if names.steps.position(id).is_some() {
        return BadReference {
            message: format!("the step `{id}` does not run before this one"),
            help: "a placeholder can only refer to earlier steps".to_owned(),
        };
    }
    BadReference {
        message: format!("this case has no step {}", quote(id, SHOWN)),
        help: match names.steps.shortly_before(names.current) {
            [] => "no step runs before this one".to_owned(),
            earlier => did_you_mean(id, earlier.iter().copied()),
        },
    }
}

fn unknown_root(inside: &str, root: &str) -> BadReference {
    BadReference {
        message: format!(
            "{} starts with {}, which is not known",
            in_braces(inside),
            quote(root, SHOWN)
        ),
        help: format!("{} a literal brace is written `\\{{{{`", did_you_mean(root, ROOTS)),
    }
}

fn nameless(inside: &str, root: &str) -> BadReference {
    let example = match root {
        "steps" => "{{steps.ID.output}}",
        "vars" => "{{vars.NAME}}",
        _ => "{{env.NAME}}",
    };
    BadReference {
        message: format!("{} does not say which one is meant", in_braces(inside)),
        help: format!("write `{example}`; a literal brace is written `\\{{{{`"),
    }
}

fn unreadable(inside: &str, message: &str) -> BadReference {
    BadReference {
        message: format!("{} cannot be read: {message}", in_braces(inside)),
        help: path_help(),
    }
}

fn in_braces(inside: &str) -> String {
    quote(&format!("{{{{{inside}}}}}"), SHOWN)
}

fn path_help() -> String {
    "a path looks like `.items[0].id` or `[\"a name\"]`".to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::mention::mentions, *};
    use crate::source::Places;

    fn bad(text: &str) -> Vec<BadReference> {
        bad_in(&json!({"deep": [text]}))
    }

    fn bad_in(value: &Value) -> Vec<BadReference> {
        let vars = json!({"user": {"name": "Ada"}});
        let environment = Environment::new([("HOME".to_owned(), String::new())]);
        let names = Names {
            steps: &StepIds::new(["first", "a.b", "this", "last"]),
            current: 2,
            vars: vars.as_object().expect("it is an object"),
            environment: Some(&environment),
        };
        let places = Places::default();
        let mentions = mentions(value, &places);
        mentions
            .iter()
            .filter_map(|mention| mention.check(&names).err())
            .collect()
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
            "\\{{first.output}}",
            "{{other.output}} {{first.else}}",
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
        assert!(complaint("{{env.NOPE}}").contains("is not set; set it"));
        assert!(complaint("{{env.HOMW}}").contains("is not set; did you mean `HOME`? set it"));
    }

    #[test]
    fn a_root_with_a_slip_is_ours_if_what_follows_is() {
        for text in [
            "{{step.x.y}}",
            "{{var.x}}",
            "{{stpes.first.output}}",
            "{{evn.HOME}}",
            "{{environment.HOME}}",
        ] {
            assert!(complaint(text).contains("which is not known"), "{text}");
        }
        for text in [
            "{{envelope.name}}",
            "{{end.x}}",
            "{{environment.x}}",
            "{{stepping.x.output}}",
            "{{en.x}}",
        ] {
            assert_eq!(bad(text), [], "{text}");
        }
    }

    #[test]
    fn a_forgotten_root_is_pointed_out() {
        assert_eq!(
            complaint("{{ first.output }}"),
            "`{{ first.output }}` does not begin with `steps.`, so nothing is filled in; \
             did you mean `{{steps.first.output}}`? a literal brace is written `\\{{`"
        );
        assert!(complaint("{{a.b.json.x}}").contains("`{{steps.a.b.json.x}}`"));
    }

    #[test]
    fn a_missing_brace_is_pointed_out() {
        assert_eq!(
            complaint("<{{steps.first.output}>"),
            "the placeholder `{{steps.first.output}` has no closing `}}`; \
             close it with two braces; a literal brace is written `\\{{`"
        );
        assert!(complaint("{{vars.user").contains("`{{vars.user`"));
    }

    #[test]
    fn what_names_nothing_is_pointed_out() {
        assert!(complaint("{{env}}").contains("write `{{env.NAME}}`"));
        assert!(complaint("{{steps.first}}").contains("nothing of it"));
    }

    #[test]
    fn keys_are_no_place_for_placeholders() {
        let found = bad_in(&json!({"{{steps.first.output}}": {"\\{{vars.a}}": 1, "{{name}}": 2}}));
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("stands in a key"));
    }
}
