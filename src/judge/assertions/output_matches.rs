//! `output_matches`: a regular expression matches somewhere in the output.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    Assertion, AssertionKind, Compiled, Problem, argument,
    evidence::{expected, found, output, shown_at},
};
use crate::{
    judge::pattern::{Pattern, PatternError, TooSlow},
    model::{Outcome, Status, Trace},
};

const KEY: &str = "output_matches";

pub(super) const KIND: AssertionKind = AssertionKind {
    key: KEY,
    summary: "this JavaScript regular expression matches somewhere in the output; `(?i)` at its start ignores case",
    example: "'^found \\d+ items?$'",
    schema: || json!({ "type": ["string", "number", "boolean"], "minLength": 1 }),
    is_text: argument::everywhere,
    compile,
};

/// Only the text is kept: compiled patterns are a hundred times as large, and all fixtures of a run are held in memory.
struct OutputMatches {
    pattern: String,
}

fn compile(argument: &Value) -> Compiled {
    let pattern = argument::text(KEY, argument)?;
    if pattern.is_empty() {
        let message = format!("`{KEY}` has an empty pattern, which matches every output");
        return Err(Problem::new("empty-expectation", message).into());
    }
    if pattern.contains('\u{8}') {
        let message = "the pattern has a backspace character, which is what `\\b` means in a double-quoted YAML text";
        let problem = Problem::new("invalid-pattern", message);
        return Err(problem.help("put the pattern in single quotes").into());
    }
    Pattern::compile(&pattern).map_err(|error| invalid(&pattern, &error))?;
    Ok(Arc::new(OutputMatches { pattern }))
}

fn invalid(pattern: &str, error: &PatternError) -> Problem {
    Problem::new(
        "invalid-pattern",
        format!("invalid pattern {}: {error}", expected(pattern)),
    )
    .help(
        "patterns are JavaScript regular expressions without slashes and flags (`(?i)` at the start ignores case); \
         a backslash makes a special character plain; in YAML single quotes keep backslashes",
    )
}

impl Assertion for OutputMatches {
    fn is_costly(&self) -> bool {
        true
    }

    fn check_briefly(&self, trace: &Trace) -> Outcome {
        self.judged(trace, "")
    }

    fn check(&self, trace: &Trace) -> Outcome {
        let brief = self.check_briefly(trace);
        if brief.status != Status::Failed {
            return brief;
        }
        match self.hint(output(trace)) {
            Some(hint) => self.judged(trace, &hint),
            None => brief,
        }
    }
}

impl OutputMatches {
    fn judged(&self, trace: &Trace, hint: &str) -> Outcome {
        let output = output(trace);
        match find(&self.pattern, output) {
            Ok(Some(place)) => {
                let shown = shown_at(output, place.start, place.len());
                Outcome::new(
                    KEY,
                    Status::Passed,
                    format!("the output matches {}: {shown}", expected(&self.pattern)),
                )
            }
            Ok(None) => Outcome::new(KEY, Status::Failed, self.mismatch(trace, hint)),
            Err(TooSlow) => {
                let message = format!(
                    "the pattern {} takes too many steps on this output: it is not known whether it matches",
                    expected(&self.pattern)
                );
                Outcome::new(KEY, Status::Errored, message)
            }
        }
    }

    fn mismatch(&self, trace: &Trace, hint: &str) -> String {
        format!(
            "expected the output to match {}, but {}{hint}",
            expected(&self.pattern),
            found(trace)
        )
    }

    fn hint(&self, output: &str) -> Option<String> {
        let pattern = &self.pattern;
        let bare = pattern.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'));
        if bare.is_some_and(|(_, flags)| flags.len() <= 4 && flags.chars().all(|c| "gimsuy".contains(c))) {
            return Some("; the slashes around the pattern are taken as part of it".to_owned());
        }
        let flags = [
            ("i", "ignores case"),
            ("m", "lets `^` and `$` stand at every line"),
            ("s", "lets `.` cross lines"),
        ];
        let (flag, meaning) = flags
            .into_iter()
            .find(|(flag, _)| matches!(find(&format!("(?{flag}){pattern}"), output), Ok(Some(_))))?;
        Some(format!(
            "; it would match with `(?{flag})` at the start of the pattern, which {meaning}"
        ))
    }
}

/// The first match. The pattern was compiled once before, so it compiles again.
fn find(pattern: &str, output: &str) -> Result<Option<std::ops::Range<usize>>, TooSlow> {
    Pattern::compile(pattern).map_or(Ok(None), |compiled| compiled.find(output))
}
