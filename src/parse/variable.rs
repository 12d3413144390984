//! Names of environment variables: what can never be one is refused, for it would be looked up in vain and in silence.

use super::reader::Field;
use crate::source::{Diagnostic, Located};

/// The name of a variable that a field holds.
pub(super) fn named(field: Field<'_>) -> Option<Located<String>> {
    let name = field.filled_text()?.map(|name| name.trim().to_owned());
    match problem(&name.value) {
        None => Some(name),
        Some(problem) => {
            field.add(problem);
            None
        }
    }
}

/// The names of variables in a list.
pub(super) fn names(field: Field<'_>) -> Vec<Located<String>> {
    field.items().into_iter().filter_map(named).collect()
}

/// The variable that an entry sets.
pub(super) fn set_by(entry: &Field<'_>) -> Option<Located<String>> {
    match problem(entry.name) {
        None => Some(entry.located_name()),
        Some(problem) => {
            entry.problems.add(entry.key.written, problem);
            None
        }
    }
}

fn problem(name: &str) -> Option<Diagnostic> {
    if is_name(name) {
        return None;
    }
    if name.is_empty() {
        return Some(Diagnostic::error(
            "invalid-variable",
            "the name of an environment variable is empty",
        ));
    }
    let message = format!("`{name}` cannot be the name of an environment variable");
    let bare = name.trim_matches(['$', '{', '}', '%', ' ']);
    let before = name.split('=').next().unwrap_or_default().trim();
    let help = if is_name(bare) {
        format!("write the bare name: `{bare}`")
    } else if is_name(before) {
        format!("the name alone stands here, without a value: `{before}`")
    } else {
        "a name is made of letters, digits and `_`".to_owned()
    };
    Some(Diagnostic::error("invalid-variable", message).help(help))
}

/// More than POSIX recommends (IEEE Std 1003.1, §8.1), because real environments hold more: `npm_config_a-b`,
/// `ProgramFiles(x86)`.
fn is_name(name: &str) -> bool {
    let is_allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '(' | ')');
    !name.is_empty() && name.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_environments_hold() {
        for name in ["TOKEN", "_x", "npm_config_a-b", "ProgramFiles(x86)", "a.b", "2FA"] {
            assert!(problem(name).is_none(), "{name}");
        }
    }

    #[test]
    fn refuses_what_no_variable_is_called() {
        for (name, help) in [
            ("$TOKEN", "write the bare name: `TOKEN`"),
            ("${HOME}", "write the bare name: `HOME`"),
            ("%PATH%", "write the bare name: `PATH`"),
            ("HOME=1", "the name alone stands here, without a value: `HOME`"),
            ("a b", "a name is made of letters, digits and `_`"),
            ("A\0", "a name is made of letters, digits and `_`"),
        ] {
            assert_eq!(problem(name).and_then(|it| it.help).as_deref(), Some(help), "{name}");
        }
        assert!(problem("").is_some());
    }
}
