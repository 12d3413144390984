//! `${VAR}`, `${VAR:-default}`, `${VAR:?message}` and `$$` in a text.

use super::{Environment, telling::is_telling};
use crate::source::Diagnostic;

/// What a text became, and the secret values that went into it.
#[derive(Debug, PartialEq, Eq)]
pub struct Expanded {
    /// The text with every variable replaced.
    pub text: String,
    /// Values of variables whose names tell that they are secret.
    pub secrets: Vec<String>,
}

/// Why a text cannot be expanded.
#[derive(Debug, PartialEq, Eq)]
pub struct ExpandError {
    /// What is wrong, as a lowercase fragment.
    pub message: String,
    /// The variable that is missing, if one is.
    pub variable: Option<String>,
}

impl ExpandError {
    /// The same as a diagnostic, not placed yet.
    pub(super) fn diagnostic(self, environment: &Environment) -> Diagnostic {
        match self.variable {
            Some(name) => Diagnostic::error("missing-variable", self.message).help(format!(
                "{}set `{name}`, or give a default: ${{{name}:-value}}; `skip_unless: {{env: {name}}}` skips the case instead",
                environment.near(&name)
            )),
            None => Diagnostic::error("invalid-variable", self.message).help("a literal dollar sign is written `$$`"),
        }
    }
}

/// Expands every `${…}`. A variable that is empty counts as unset where a default or a message is given, as in a shell.
/// A dollar sign that starts neither `${` nor `$$` is a dollar sign. Values are not expanded again.
pub fn expand(text: &str, environment: &Environment) -> Result<Expanded, Vec<ExpandError>> {
    let mut out = Expanded {
        text: String::with_capacity(text.len()),
        secrets: Vec::new(),
    };
    let mut errors = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            out.text.push('$');
            rest = after;
        } else if let Some(after) = rest.strip_prefix('{') {
            let Some(end) = after.find('}') else {
                errors.push(problem(format!("`${{{after}` has no closing `}}`"), None));
                rest = "";
                continue;
            };
            match replace(&after[..end], environment) {
                Ok(Replacement { value, secret }) => {
                    out.secrets.extend(secret.then(|| value.clone()));
                    out.text.push_str(&value);
                }
                Err(error) => errors.push(error),
            }
            rest = &after[end + 1..];
        } else {
            out.text.push('$');
        }
    }
    out.text.push_str(rest);
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

struct Replacement {
    value: String,
    secret: bool,
}

fn replace(inside: &str, environment: &Environment) -> Result<Replacement, ExpandError> {
    if inside.contains("${") {
        return Err(problem(
            format!("`${{{inside}}}` has a variable inside a variable, which is not supported"),
            None,
        ));
    }
    let end = inside
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(inside.len());
    let (name, operator) = inside.split_at(end);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(problem(format!("`${{{inside}}}` does not name a variable"), None));
    }
    let found = |value: &str| Replacement {
        value: value.to_owned(),
        secret: is_telling(name),
    };
    let missing = |message: String| Err(problem(message, Some(name.to_owned())));
    if operator.is_empty() {
        match environment.value(name) {
            Some(value) => Ok(found(value)),
            None => missing(format!("the environment variable `{name}` is not set")),
        }
    } else if let Some(default) = operator.strip_prefix(":-") {
        Ok(environment.non_empty(name).map_or_else(
            || Replacement {
                value: default.to_owned(),
                secret: false,
            },
            found,
        ))
    } else if let Some(message) = operator.strip_prefix(":?") {
        match environment.non_empty(name) {
            Some(value) => Ok(found(value)),
            None if message.is_empty() => missing(format!("the environment variable `{name}` is not set or empty")),
            None => missing(format!("`{name}` is not set: {message}")),
        }
    } else {
        Err(problem(
            format!("`${{{inside}}}` is not understood; known are ${{NAME}}, ${{NAME:-default}}, ${{NAME:?message}}"),
            None,
        ))
    }
}

fn problem(message: String, variable: Option<String>) -> ExpandError {
    ExpandError { message, variable }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment() -> Environment {
        Environment::new([("SET", "val"), ("EMPTY", ""), ("MY_TOKEN", "s3cr3t")].map(|(k, v)| (k.into(), v.into())))
    }

    fn text(input: &str) -> String {
        expand(input, &environment()).expect("it expands").text
    }

    fn error(input: &str) -> String {
        expand(input, &environment()).expect_err("it does not expand")[0]
            .message
            .clone()
    }

    #[test]
    fn replaces_every_occurrence() {
        assert_eq!(text("x${SET}y${SET}"), "xvalyval");
    }

    #[test]
    fn a_default_stands_in_for_unset_and_empty() {
        assert_eq!(text("${UNSET:-a b}|${EMPTY:-c}|${SET:-d}|${UNSET:-}"), "a b|c|val|");
    }

    #[test]
    fn an_empty_variable_is_a_value_without_an_operator() {
        assert_eq!(text("<${EMPTY}>"), "<>");
    }

    #[test]
    fn dollars_that_start_nothing_stay() {
        assert_eq!(text("$5 $SET $$ $${SET} $"), "$5 $SET $ ${SET} $");
    }

    #[test]
    fn values_are_not_expanded_again() {
        let environment = Environment::new([("A".to_owned(), "${B}".to_owned())]);
        assert_eq!(expand("${A}", &environment).expect("it expands").text, "${B}");
    }

    #[test]
    fn missing_variables_are_all_named() {
        let errors = expand("${A}${B:?set B first}${EMPTY:?}", &environment()).expect_err("three are missing");
        let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "the environment variable `A` is not set",
                "`B` is not set: set B first",
                "the environment variable `EMPTY` is not set or empty"
            ]
        );
    }

    #[test]
    fn a_missing_variable_is_compared_with_those_that_are_set() {
        let help = |text| {
            let mut errors = expand(text, &environment()).expect_err("it is missing");
            errors
                .remove(0)
                .diagnostic(&environment())
                .help
                .expect("it says what to do")
        };
        assert!(help("${MY_TOKN}").starts_with("did you mean `MY_TOKEN`? set `MY_TOKN`, or give a default"));
        assert!(help("${OTHER}").starts_with("set `OTHER`"));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        assert!(error("${SET").contains("no closing"));
        assert!(error("${}").contains("does not name"));
        assert!(error("${SET:+x}").contains("not understood"));
        assert!(error("${UNSET:-${SET}}").contains("inside a variable"));
    }

    #[test]
    fn secrets_are_told_by_the_name() {
        let expanded = expand("Bearer ${MY_TOKEN} ${SET}", &environment()).expect("it expands");
        assert_eq!(expanded.secrets, ["s3cr3t"]);
    }
}
