//! What the YAML parser refuses, in words that say what to do.

use granit_parser::{ErrorKind, ScanError};

use super::{budget, odd, problems::Problems, yaml::between};
use crate::source::{Diagnostic, SourceFile, Span};

/// Notes why the YAML parser stopped.
pub(super) fn report(error: &ScanError, problems: &Problems) {
    let span = between(error.marker(), error.marker());
    let near = Near::around(span, problems.source());
    let (span, problem) = match error.kind() {
        ErrorKind::UnknownQuotedScalarEscape => unknown_escape(span, problems),
        ErrorKind::RecursionLimitExceeded => (span, budget::too_deep()),
        kind => match near.tab {
            Some(tab) => (tab, tab_in_the_way()),
            None if problems.has_error_in("unquoted-placeholder", span.line) => return,
            None => (span, near.explain(kind, span)),
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
    fn around(span: Span, source: &'t SourceFile) -> Self {
        let number = span.line as usize;
        let mut start = 0;
        let mut near = Self { line: "", tab: None };
        for (at, line) in source
            .text()
            .split_inclusive('\n')
            .enumerate()
            .map(|(at, line)| (at + 1, line))
        {
            if at > number + 1 {
                break;
            }
            if at == number {
                near.line = line;
            }
            if at + 1 >= number && (at <= number || near.tab.is_none()) {
                let tab = tab_in_indentation(line).map(|tab| source.span(start + tab, start + tab + 1));
                near.tab = tab.or(near.tab);
            }
            start += line.len();
        }
        near
    }

    /// Whether text stands on the line before the place.
    fn is_within(&self, span: Span) -> bool {
        self.line
            .chars()
            .take(span.column.saturating_sub(1) as usize)
            .any(|c| c != ' ')
    }

    /// What is odd about the line, whatever the parser says.
    fn hint(&self) -> Option<String> {
        if self.line.contains("{{") {
            return Some("put the placeholder in quotes: \"{{…}}\"".to_owned());
        }
        odd::find(self.line).map(|odd| format!("the line holds {odd}"))
    }

    fn explain(&self, kind: &ErrorKind, span: Span) -> Diagnostic {
        let (words, help) = words(kind, self.is_within(span));
        let problem = Diagnostic::error("yaml-syntax", words);
        match self.hint().or(help) {
            Some(help) => problem.help(help),
            None => problem,
        }
    }
}

fn tab_in_indentation(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    line[..indent].find('\t')
}

/// The parser's words, with the commonest ones said plainly, and what to do.
fn words(kind: &ErrorKind, is_within_line: bool) -> (String, Option<String>) {
    let quote_it = "put quotes around the whole text";
    let (words, help) = match kind {
        ErrorKind::UnclosedQuotedScalar => ("a quote is opened here and never closed", ""),
        ErrorKind::MappingValueNotAllowed => (
            "a `key: value` cannot stand here",
            "put text that holds `: ` in quotes, and check the indentation",
        ),
        ErrorKind::ExpectedBlockSequenceEntry | ErrorKind::ExpectedBlockMappingKey if is_within_line => {
            ("this text cannot stand behind a complete value", quote_it)
        }
        ErrorKind::InvalidIndentation | ErrorKind::ExpectedBlockSequenceEntry | ErrorKind::ExpectedBlockMappingKey => (
            "the indentation does not fit the lines above",
            "keys of one mapping stand in one column, and so do the dashes of a list",
        ),
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            ("this text cannot stand behind a closing quote", quote_it)
        }
        ErrorKind::MissingAnchorOrAliasName => (
            "`*` and `&` begin the name of an anchor",
            "put text that starts with one of them in quotes",
        ),
        ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator if is_within_line => (
            "a comma or the closing bracket is missing here",
            "between braces and brackets, text that holds one of `{}[],` needs quotes: a pattern is best in 'single quotes'",
        ),
        kind => return named(kind),
    };
    (words.to_owned(), Some(help.to_owned()).filter(|help| !help.is_empty()))
}

/// Words that name a character of the file.
fn named(kind: &ErrorKind) -> (String, Option<String>) {
    match kind {
        ErrorKind::UnclosedFlowCollection { open } => (format!("`{open}` is opened here and never closed"), None),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            (format!("`{open}` is opened here and closed by `{close}`"), None)
        }
        ErrorKind::UnexpectedCharacter { character } if character.is_control() => (
            format!(
                "the control character U+{:04X} cannot stand here",
                u32::from(*character)
            ),
            None,
        ),
        ErrorKind::UnexpectedCharacter { character } => {
            let help = format!("put text that starts with `{character}` in quotes");
            (format!("text cannot start with `{character}`"), Some(help))
        }
        kind => (kind.to_string().replace("EOF", "end of file"), None),
    }
}
