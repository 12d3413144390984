//! The diagnostics of one file as they are shown: in order, each once, and not without end.

use super::{Diagnostic, Severity, SourceFile};
use crate::text::plural;

/// Diagnostics of one file. Nobody reads more before mending the first, and a damaged file can have one for each value.
const MOST: usize = 100;

/// Puts the diagnostics of a file in its order; what several places lead to is said once.
pub fn sorted(mut diagnostics: Vec<Diagnostic>, source: &SourceFile) -> Vec<Diagnostic> {
    diagnostics.sort_by(|a, b| order(a, source).cmp(&order(b, source)));
    diagnostics.dedup_by(|a, b| order(a, source) == order(b, source) && a.span == b.span);
    diagnostics
}

/// The same within bounds: of more than a hundred the first ones stay, errors before warnings, and the last one says
/// how many were left out.
pub fn in_order(diagnostics: Vec<Diagnostic>, source: &SourceFile) -> Vec<Diagnostic> {
    let diagnostics = sorted(diagnostics, source);
    if diagnostics.len() <= MOST {
        return diagnostics;
    }
    let mut errors = diagnostics.iter().filter(|it| it.is_error()).count().min(MOST);
    let mut warnings = MOST - errors;
    let (mut kept, left): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(|it| {
        let room = if it.is_error() { &mut errors } else { &mut warnings };
        let has_room = *room > 0;
        *room -= usize::from(has_room);
        has_room
    });
    kept.extend(more(&left));
    kept
}

/// What is wrong in another file, such as a server of the project file, comes last.
fn order<'a>(diagnostic: &'a Diagnostic, source: &SourceFile) -> (bool, u32, &'a str, &'a str) {
    let is_elsewhere = diagnostic.source.as_ref().is_some_and(|it| it.path() != source.path());
    let start = diagnostic.span.map_or(0, |span| span.start);
    (is_elsewhere, start, &diagnostic.code, &diagnostic.message)
}

fn more(left: &[Diagnostic]) -> Option<Diagnostic> {
    let first = left.first()?;
    let severity = left.iter().map(|it| it.severity).max().unwrap_or(Severity::Warning);
    let problems = plural(left.len(), "problem", "problems");
    Some(Diagnostic {
        code: "more-problems".into(),
        severity,
        message: format!("{} more {problems} in this file, beginning here", left.len()),
        label: None,
        help: Some("mend those above first, then look again".to_owned()),
        ..first.clone()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn problems(count: usize, make: fn(&'static str, String) -> Diagnostic, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
        let one = |at: usize| make("x", format!("problem {at}")).at(file, file.span(at, at + 1));
        (0..count).rev().map(one).collect()
    }

    #[test]
    fn sorts_and_says_each_once() {
        let file = SourceFile::new("a", "x".repeat(9));
        let other = SourceFile::new("b", "x");
        let mut list = vec![Diagnostic::error("x", "elsewhere").at(&other, other.span(0, 1))];
        list.extend(problems(3, Diagnostic::error, &file));
        list.extend(problems(2, Diagnostic::error, &file));
        let said: Vec<_> = in_order(list, &file).into_iter().map(|it| it.message).collect();
        assert_eq!(said, ["problem 0", "problem 1", "problem 2", "elsewhere"]);
    }

    #[test]
    fn a_hundred_are_shown_and_one_more_is_counted() {
        let file = SourceFile::new("a", "x".repeat(2 * MOST));
        assert_eq!(in_order(problems(MOST, Diagnostic::error, &file), &file).len(), MOST);
        let cut = in_order(problems(MOST + 2, Diagnostic::error, &file), &file);
        assert_eq!(cut.len(), MOST + 1);
        assert_eq!(cut[MOST - 1].message, "problem 99");
        assert_eq!(cut[MOST].message, "2 more problems in this file, beginning here");
        assert_eq!(cut[MOST].span.map(|it| it.start), Some(100));
        assert!(cut[MOST].is_error());
    }

    #[test]
    fn warnings_make_room_for_errors() {
        let file = SourceFile::new("a", "x".repeat(2 * MOST));
        let mut list = problems(MOST, Diagnostic::warning, &file);
        let late = Diagnostic::error("y", "late").at(&file, file.span(MOST + 9, MOST + 10));
        list.push(late);
        let cut = in_order(list, &file);
        assert_eq!(cut[MOST - 1].message, "late");
        assert_eq!(cut[MOST].severity, Severity::Warning, "no error was left out");
    }
}
