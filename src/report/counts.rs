//! Counts of cases in words.

use crate::{model::Totals, text};

/// The answer in one line, made of what matters: `2 of 48 cases failed, 1 errored`, or `48 cases passed`.
/// Fit for the reason of a [`Verdict`](crate::model::Verdict).
pub fn headline(totals: &Totals) -> String {
    let cases = text::count(totals.cases, "case");
    let mut parts = match (totals.failed, totals.errored) {
        (0, 0) => vec![good(totals)],
        (0, errored) => vec![format!("{errored} of {cases} errored")],
        (failed, errored) => {
            let mut parts = vec![format!("{failed} of {cases} failed")];
            parts.extend(some(errored, "errored"));
            parts
        }
    };
    parts.extend(some(totals.flaky, "flaky"));
    parts.extend(some(totals.simulated, "simulated"));
    parts.join(", ")
}

/// All counts: `48 cases: 45 passed, 2 failed, 1 errored, 0 skipped; 3 simulated`.
pub fn breakdown(totals: &Totals) -> String {
    let Totals {
        cases,
        passed,
        failed,
        errored,
        skipped,
        flaky,
        simulated,
    } = *totals;
    let cases = text::count(cases, "case");
    let mut parts = vec![format!(
        "{cases}: {passed} passed, {failed} failed, {errored} errored, {skipped} skipped"
    )];
    parts.extend(some(flaky, "flaky"));
    let ended = parts.join(", ");
    match some(simulated, "simulated") {
        Some(simulated) => format!("{ended}; {simulated}"),
        None => ended,
    }
}

fn good(totals: &Totals) -> String {
    let cases = text::count(totals.cases, "case");
    match totals.passed + totals.flaky {
        _ if totals.cases == 0 => "no case was run".to_owned(),
        0 => format!("none of {cases} was run"),
        passed if passed == totals.cases => format!("{cases} passed"),
        passed => {
            let skipped = some(totals.skipped, "skipped").map(|skipped| format!(", {skipped}"));
            format!("{passed} of {cases} passed{}", skipped.unwrap_or_default())
        }
    }
}

fn some(count: usize, word: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Totals = Totals {
        cases: 0,
        passed: 0,
        failed: 0,
        errored: 0,
        skipped: 0,
        flaky: 0,
        simulated: 0,
    };

    #[test]
    fn the_headline_says_what_matters() {
        let all = Totals {
            cases: 48,
            passed: 48,
            ..NONE
        };
        let bad = Totals {
            passed: 45,
            failed: 2,
            errored: 1,
            ..all
        };
        let errored = Totals {
            passed: 47,
            errored: 1,
            ..all
        };
        let skipped = Totals {
            passed: 40,
            skipped: 7,
            flaky: 1,
            simulated: 3,
            ..all
        };
        let none = Totals {
            cases: 2,
            skipped: 2,
            ..NONE
        };
        assert_eq!(headline(&all), "48 cases passed");
        assert_eq!(headline(&bad), "2 of 48 cases failed, 1 errored");
        assert_eq!(headline(&errored), "1 of 48 cases errored");
        assert_eq!(
            headline(&skipped),
            "41 of 48 cases passed, 7 skipped, 1 flaky, 3 simulated"
        );
        assert_eq!(headline(&none), "none of 2 cases was run");
        assert_eq!(headline(&NONE), "no case was run");
    }

    #[test]
    fn the_breakdown_counts_simulated_cases_apart() {
        let totals = Totals {
            cases: 3,
            passed: 2,
            flaky: 1,
            simulated: 2,
            ..NONE
        };
        assert_eq!(
            breakdown(&totals),
            "3 cases: 2 passed, 0 failed, 0 errored, 0 skipped, 1 flaky; 2 simulated"
        );
    }
}
