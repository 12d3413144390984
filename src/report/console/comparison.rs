//! What changed against the baseline, in a few lines: the cases that did not pass are told above.

use crate::{
    model::{CaseChange, CaseComparison, ChangeClass, Comparison, SurfaceChange},
    report::{detail::message, style::Style},
    text,
};

/// Lines of one kind that are shown.
const MAX_LINES: usize = 10;

/// The lines of a comparison.
pub(super) fn lines(comparison: &Comparison, style: &Style) -> Vec<String> {
    let origin = &comparison.baseline;
    let commit = origin.commit.as_ref().map(|commit| format!(" at {}", message(commit)));
    let mut lines = vec![style.strong(format_args!(
        "compared with {}{}: {}",
        message(&origin.place),
        commit.unwrap_or_default(),
        counts(comparison)
    ))];
    for notice in &comparison.notices {
        lines.push(format!("{} {}", style.doubtful("warning:"), message(notice)));
    }
    for change in [
        CaseChange::Regressed,
        CaseChange::New,
        CaseChange::NotComparable,
        CaseChange::Fixed,
        CaseChange::Removed,
        CaseChange::Changed,
    ] {
        let cases: Vec<&CaseComparison> = comparison.with(change).collect();
        lines.extend(
            cases
                .iter()
                .take(MAX_LINES)
                .map(|case| format!("  {}", one(case, style))),
        );
        if cases.len() > MAX_LINES {
            lines.push(format!("  … and {} more {}", cases.len() - MAX_LINES, change.word()));
        }
    }
    lines.extend(slower(comparison));
    lines.extend(surface(comparison, style));
    lines
}

fn counts(comparison: &Comparison) -> String {
    let counted = [
        CaseChange::Regressed,
        CaseChange::Fixed,
        CaseChange::StillFailing,
        CaseChange::New,
        CaseChange::Removed,
        CaseChange::Changed,
        CaseChange::NotComparable,
    ];
    let counts = counted
        .iter()
        .map(|change| (comparison.with(*change).count(), change.word()));
    let parts: Vec<String> = counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if parts.is_empty() {
        "nothing changed".to_owned()
    } else {
        parts.join(", ")
    }
}

fn one(case: &CaseComparison, style: &Style) -> String {
    let word = match case.change {
        CaseChange::Regressed => style.bad(case.change.word()),
        CaseChange::Fixed => style.good(case.change.word()),
        _ => style.faint(case.change.word()),
    };
    let statuses = match (case.was, case.now) {
        (Some(was), Some(now)) if was != now => format!(": {was} → {now}"),
        (None, Some(now)) => format!(": {now}"),
        _ => String::new(),
    };
    let reason = case.reason.as_deref().map(|reason| format!(" ({})", message(reason)));
    let renamed = case.renamed_from.as_ref();
    let renamed = renamed.map(|id| format!(", called {} before", message(id.as_str())));
    format!(
        "{word} {}{statuses}{}{}",
        message(case.id.as_str()),
        reason.unwrap_or_default(),
        renamed.unwrap_or_default()
    )
}

fn slower(comparison: &Comparison) -> Vec<String> {
    let changes = comparison.cases.iter();
    let changes = changes.flat_map(|case| case.latencies.iter().map(move |change| (case, change)));
    changes
        .map(|(case, change)| {
            let word = if change.now > change.was { "slower" } else { "faster" };
            let (was, now) = (text::duration(change.was), text::duration(change.now));
            let (case, step) = (message(case.id.as_str()), message(&change.step));
            format!("  {word} {case} › {step}: {was} → {now}")
        })
        .take(MAX_LINES)
        .collect()
}

/// Cosmetic changes are only counted.
fn surface(comparison: &Comparison, style: &Style) -> Vec<String> {
    let mut lines = Vec::new();
    for surface in &comparison.surfaces {
        let name = message(&surface.server);
        lines.extend(
            surface
                .notice
                .iter()
                .map(|notice| format!("surface of {name}: {}", message(notice))),
        );
        let (told, quiet): (Vec<&SurfaceChange>, Vec<_>) = surface
            .changes
            .iter()
            .partition(|change| change.class != ChangeClass::Cosmetic);
        if surface.changes.is_empty() {
            continue;
        }
        lines.push(style.strong(format_args!(
            "surface of {name}: {}",
            text::count(surface.changes.len(), "change")
        )));
        lines.extend(told.iter().take(MAX_LINES).flat_map(|change| changed(change, style)));
        let left_out = told.len().saturating_sub(MAX_LINES) + quiet.len();
        if left_out > 0 {
            lines.push(format!("  … and {left_out} more, see `--json FILE`"));
        }
    }
    lines
}

fn changed(change: &SurfaceChange, style: &Style) -> Vec<String> {
    let class = match (&change.allowed, change.class) {
        (None, ChangeClass::Breaking) => style.bad(change.class.word()),
        (None, ChangeClass::Risky) => style.doubtful(change.class.word()),
        _ => style.faint(change.class.word()),
    };
    let allowed = change
        .allowed
        .as_deref()
        .map(|why| format!(", allowed: {}", message(why)));
    let mut lines = vec![format!(
        "  {class} {}: {} ({}{})",
        message(&change.subject),
        message(&change.message),
        change.rule,
        allowed.unwrap_or_default()
    )];
    if let Some(witness) = &change.witness {
        let whose = witness.case.as_deref().map(|case| format!(" of {}", message(case)));
        let value = message(&witness.value.to_string());
        lines.push(style.faint(format_args!(
            "      was accepted before: {value}{}",
            whose.unwrap_or_default()
        )));
    }
    lines
}
