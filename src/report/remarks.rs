//! What is to be said besides the cases, a message each.

use std::collections::HashSet;

use crate::{
    model::{Comparison, Report},
    source::{Diagnostic, Severity},
};

/// What is wrong in the user's files, with the place and what to do.
pub(super) fn problems(report: &Report, severity: Severity) -> Vec<String> {
    let said = |it: &Diagnostic| {
        let place = it.location().map(|place| format!("{place}: ")).unwrap_or_default();
        let help = it.help.as_deref().map(|help| format!("\nhelp: {help}"));
        format!("{place}{}{}", it.message, help.unwrap_or_default())
    };
    let of_severity = report.diagnostics.iter().filter(|it| it.severity == severity);
    of_severity.map(said).collect()
}

/// What keeps parts from being compared.
pub(super) fn notices(comparison: &Comparison) -> Vec<String> {
    let of_surfaces = comparison.surfaces.iter().filter_map(|surface| {
        let notice = surface.notice.as_deref()?;
        Some(format!("the surface of {}: {notice}", surface.server))
    });
    comparison.notices.iter().cloned().chain(of_surfaces).collect()
}

/// What was seen on the side, each told once.
pub(super) fn findings(report: &Report) -> Vec<String> {
    let mut known = HashSet::new();
    let findings = report.cases.iter().flat_map(|case| &case.findings);
    let said = findings.map(|finding| format!("{}: {}", finding.code, finding.message));
    said.filter(|said| known.insert(said.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn problems_have_a_place_and_help_and_findings_are_told_once() {
        let report = sample::rich();
        assert_eq!(
            problems(&report, Severity::Error),
            ["evals/broken/typo.yaml:2:1: unknown key `stpes`\nhelp: did you mean `steps`?"]
        );
        assert_eq!(findings(&report).len(), 2, "two cases have the same one");
    }
}
