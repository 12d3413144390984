//! Counts of cases in words.

use crate::{model::Totals, text};

/// All counts: `48 cases: 45 passed, 2 failed, 1 errored, 0 skipped; 3 simulated`.
pub(super) fn breakdown(totals: &Totals) -> String {
    let Totals {
        cases,
        passed,
        failed,
        errored,
        skipped,
        flaky,
        xfailed,
        xpassed,
        simulated,
    } = *totals;
    let cases = text::count(cases, "case");
    let mut parts = vec![format!(
        "{cases}: {passed} passed, {failed} failed, {errored} errored, {skipped} skipped"
    )];
    parts.extend(some(flaky, "flaky"));
    parts.extend(some(xfailed, "known to fail"));
    parts.extend(some(xpassed, "known to fail and passed"));
    let ended = parts.join(", ");
    match some(simulated, "simulated") {
        Some(simulated) => format!("{ended}; {simulated}"),
        None => ended,
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
        xfailed: 0,
        xpassed: 0,
        simulated: 0,
    };

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
