//! Which lines of evidence a reader needs first: how it ended, what is called an error, and the last words.

use std::collections::BTreeSet;

/// Lines of evidence that are shown.
const MAX_LINES: usize = 8;
/// Parts of words by which a line names an error, in any runtime.
const ERROR_WORDS: &[&str] = &["rror", "anic", "xception", "not found", "annot"];

/// The places of the lines that are shown, in their order: all where they are few; else the first, those that name an
/// error, and then the last ones. The frames of a stack are the first to go.
pub(super) fn shown(facts: &[String]) -> Vec<usize> {
    if facts.len() <= MAX_LINES {
        return (0..facts.len()).collect();
    }
    let (frames, words): (Vec<usize>, Vec<usize>) = (0..facts.len()).partition(|at| is_frame(&facts[*at]));
    let first = words.iter().take(1);
    let errors = words.iter().filter(|at| names_error(&facts[**at]));
    let last = words.iter().rev().chain(frames.iter().rev());
    let mut chosen = BTreeSet::new();
    for at in first.chain(errors).chain(last) {
        if chosen.len() < MAX_LINES {
            chosen.insert(*at);
        }
    }
    chosen.into_iter().collect()
}

fn names_error(fact: &str) -> bool {
    ERROR_WORDS.iter().any(|word| fact.contains(word))
}

/// A frame as Node.js and Java, or Python write it.
fn is_frame(fact: &str) -> bool {
    let fact = fact.strip_prefix("stderr: ").unwrap_or(fact).trim_start();
    fact.starts_with("at ") || (fact.starts_with("File \"") && fact.contains("\", line "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(facts: &[&str]) -> Vec<String> {
        let facts: Vec<String> = facts.iter().map(|fact| (*fact).to_owned()).collect();
        shown(&facts).into_iter().map(|at| facts[at].clone()).collect()
    }

    #[test]
    fn the_line_that_names_the_error_stands_among_the_frames() {
        let facts = [
            "node:internal/modules/cjs/loader:1215",
            "  throw err;",
            "  ^",
            "Error: Cannot find module '/srv/dist/indx.js'",
            "    at Module._resolveFilename (node:internal/modules/cjs/loader:1212:15)",
            "stderr:     at Module._load (node:internal/modules/cjs/loader:1043:27)",
            "    at node:internal/main/run_main_module:28:49 {",
            "  code: 'MODULE_NOT_FOUND',",
            "  requireStack: []",
            "}",
            "Node.js v20.11.1",
        ];
        let chosen = chosen(&facts);
        assert_eq!(chosen.len(), MAX_LINES);
        assert!(
            !chosen.iter().any(|line| line.trim_start().starts_with("at ")),
            "{chosen:?}"
        );
        assert!(chosen.contains(&facts[3].to_owned()), "{chosen:?}");
    }

    #[test]
    fn frames_of_python_go_first_and_the_order_stays() {
        let mut facts = vec!["Traceback (most recent call last):"];
        facts.extend([r#"  File "/srv/server.py", line 3, in <module>"#; 6]);
        facts.extend(["import nope", "ModuleNotFoundError: No module named 'nope'", "bye"]);
        let chosen = chosen(&facts);
        assert_eq!(chosen.first().map(String::as_str), Some(facts[0]));
        assert_eq!(chosen[chosen.len() - 3..], facts[facts.len() - 3..]);
        assert_eq!(chosen.len(), MAX_LINES);
    }

    #[test]
    fn an_error_far_above_the_last_words_is_kept() {
        let mut facts = vec!["exit status 1", "panicked at main.rs"];
        facts.extend(["noise"; 30]);
        assert_eq!(chosen(&facts)[..2], facts[..2]);
    }

    #[test]
    fn few_lines_are_all_shown() {
        let facts = ["a", "    at b", "c"];
        assert_eq!(chosen(&facts), facts);
    }
}
