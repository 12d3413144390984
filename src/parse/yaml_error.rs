//! What the YAML parser refuses, in words that say what to do.

use granit_parser::{ErrorKind, ScanError};

use super::{budget, odd, problems::Problems, yaml::between};
use crate::source::{Diagnostic, Span};

/// Notes why the YAML parser stopped.
pub(super) fn report(error: &ScanError, problems: &Problems) {
    let span = between(error.marker(), error.marker());
    let near = Near::around(span, problems.source().text());
    let (span, problem) = match error.kind() {
        ErrorKind::UnknownQuotedScalarEscape => unknown_escape(span, problems),
        ErrorKind::RecursionLimitExceeded => (span, budget::too_deep()),
        kind => match near.tab {
            Some(tab) => (tab, tab_in_the_way()),
            None if problems.has_error_in("unquoted-placeholder", span.line) => return,
            None => (span, near.hint(Diagnostic::error("yaml-syntax", words(kind)), kind)),
        },
    };
    problems.add(span, problem);
}

fn tab_in_the_way() -> Diagnostic {
    Diagnostic::error("tab-indentation", "a tab is used for indentation")
        .label("tab")
        .help("YAML is indented with spaces only")
}

/// `"\d+"`: the parser stops at the opening quote, the user looks for the backslash.
fn unknown_escape(quote: Span, problems: &Problems) -> (Span, Diagnostic) {
    let source = problems.source();
    let start = quote.start as usize;
    let mut rest = source.text().get(start..).unwrap_or_default().char_indices();
    let mut found = (start, ' ');
    while let Some((at, c)) = rest.next() {
        if c == '\\' {
            let Some((_, escaped)) = rest.next() else { break };
            if !ESCAPES.contains(escaped) {
                found = (start + at, escaped);
                break;
            }
        }
    }
    let (at, c) = found;
    let problem = Diagnostic::error(
        "unknown-escape",
        format!("`\\{c}` is not an escape that double quotes know"),
    )
    .help("use single quotes for patterns: in 'single quotes' a backslash is a backslash");
    (source.span(at, at + 1 + c.len_utf8()), problem)
}

/// What may follow a backslash in double quotes (YAML 1.2.2 §5.7), the line break included.
const ESCAPES: &str = "0abt\tnvfre \"/\\N_LPxuU\n\r";

/// Lines around the place where the parser stopped.
struct Near<'t> {
    line: &'t str,
    /// A tab in the indentation of that line, or else of one beside it.
    tab: Option<Span>,
}

impl<'t> Near<'t> {
    fn around(span: Span, text: &'t str) -> Self {
        let number = span.line as usize;
        let mut start = 0;
        let mut near = Self { line: "", tab: None };
        for (at, line) in text.split_inclusive('\n').enumerate().map(|(at, line)| (at + 1, line)) {
            if at > number + 1 {
                break;
            }
            if at == number {
                near.line = line;
            }
            if at + 1 >= number && (at <= number || near.tab.is_none()) {
                near.tab = tab_in_indentation(line, at, start).or(near.tab);
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
            ErrorKind::ExpectedBlockSequenceEntry | ErrorKind::ExpectedBlockMappingKey => {
                problem.help("keys of one mapping stand in one column, and so do the dashes of a list")
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

/// The parser's words, with the commonest ones said plainly.
fn words(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::UnclosedQuotedScalar => "a quote is opened here and never closed".to_owned(),
        ErrorKind::UnclosedFlowCollection { open } => format!("`{open}` is opened here and never closed"),
        ErrorKind::MappingValueNotAllowed => "a `key: value` cannot stand here".to_owned(),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            format!("`{open}` is opened here and closed by `{close}`")
        }
        ErrorKind::InvalidIndentation | ErrorKind::ExpectedBlockSequenceEntry | ErrorKind::ExpectedBlockMappingKey => {
            "the indentation does not fit the lines above".to_owned()
        }
        ErrorKind::UnexpectedCharacter { character } => format!("text cannot start with `{character}`"),
        kind => kind.to_string().replace("EOF", "end of file"),
    }
}
