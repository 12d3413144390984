//! What the YAML parser refuses, in words that say what to do.

use granit_parser::{ErrorKind, ScanError};

use super::{odd, problems::Problems, yaml::between};
use crate::source::{Diagnostic, Span};

/// Notes why the YAML parser stopped.
pub(super) fn report(error: &ScanError, problems: &Problems) {
    let span = between(error.marker(), error.marker());
    let near = Near::around(span, problems.source().text());
    if let Some(tab) = near.tab.filter(|_| is_about_layout(error.kind())) {
        let problem = Diagnostic::error("tab-indentation", "a tab is used for indentation");
        problems.add(tab, problem.label("tab").help("YAML is indented with spaces only"));
        return;
    }
    let problem = match error.kind() {
        ErrorKind::UnknownQuotedScalarEscape => Diagnostic::error("unknown-escape", unknown_escape(span, problems))
            .help("use single quotes for patterns: in 'single quotes' a backslash is a backslash"),
        ErrorKind::RecursionLimitExceeded => Diagnostic::error("too-deep", "values are nested too deeply"),
        kind => near.hint(Diagnostic::error("yaml-syntax", words(kind)), kind),
    };
    problems.add(span, problem);
}

/// Lines around the place where the parser stopped.
struct Near<'t> {
    line: &'t str,
    /// A tab in the indentation of that line or the one before.
    tab: Option<Span>,
}

impl<'t> Near<'t> {
    fn around(span: Span, text: &'t str) -> Self {
        let number = span.line as usize;
        let mut start = 0;
        let mut near = Self { line: "", tab: None };
        for (at, line) in text.split_inclusive('\n').enumerate().map(|(at, line)| (at + 1, line)) {
            if at + 1 == number || at == number {
                near.tab = tab_in_indentation(line, at, start).or(near.tab);
                near.line = line;
            }
            if at >= number {
                break;
            }
            start += line.len();
        }
        near
    }

    fn hint(&self, problem: Diagnostic, kind: &ErrorKind) -> Diagnostic {
        if self.line.contains("{{") {
            return problem.help("put the placeholder in quotes: \"{{…}}\"");
        }
        if let Some(odd) = odd::find(self.line) {
            return problem.help(format!("the line holds {odd}"));
        }
        match kind {
            ErrorKind::MappingValueNotAllowed => {
                problem.help("put text that holds `: ` in quotes, and check the indentation")
            }
            ErrorKind::UnexpectedCharacter { character } => {
                problem.help(format!("put text that starts with `{character}` in quotes"))
            }
            ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
                problem.help("put quotes around the whole text")
            }
            _ => problem,
        }
    }
}

fn tab_in_indentation(line: &str, number: usize, start: usize) -> Option<Span> {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    let at = line[..indent].find('\t')?;
    let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Some(Span {
        start: clamp(start + at),
        end: clamp(start + at + 1),
        line: clamp(number),
        column: clamp(at + 1),
    })
}

/// Whether a tab may be the cause: the kinds that wrong indentation brings about.
const fn is_about_layout(kind: &ErrorKind) -> bool {
    !matches!(
        kind,
        ErrorKind::UnknownQuotedScalarEscape | ErrorKind::RecursionLimitExceeded | ErrorKind::UnknownAnchor
    )
}

fn unknown_escape(span: Span, problems: &Problems) -> String {
    let rest = problems.source().text().get(span.start as usize..).unwrap_or_default();
    let escape: String = rest.trim_start_matches('\\').chars().take(1).collect();
    format!("`\\{escape}` is not an escape that double quotes know")
}

/// The parser's words, with the commonest ones said plainly.
fn words(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::UnclosedQuotedScalar => "a quote is opened here and never closed".to_owned(),
        ErrorKind::UnclosedFlowCollection { open } => format!("`{open}` is opened here and never closed"),
        ErrorKind::MappingValueNotAllowed => "a `key: value` cannot stand here".to_owned(),
        ErrorKind::InvalidIndentation => "the indentation does not fit the lines above".to_owned(),
        ErrorKind::UnexpectedCharacter { character } => format!("text cannot start with `{character}`"),
        kind => kind.to_string().replace("EOF", "end of file"),
    }
}
