//! What a reader of a pull request sees, and what is missing where there is no room.

use super::*;
use crate::{
    model::{CaseChange, CaseComparison, CaseId, CaseResult, ExitCode, Report, Status, Verdict},
    report::{Detail, Options, sample},
};

fn whole(report: &Report, size: Size) -> String {
    markdown(report, size, size.bytes()).replace(env!("CARGO_PKG_VERSION"), "[version]")
}

/// One of everything, against a baseline.
pub(super) fn compared() -> Report {
    let mut report = sample::rich();
    report.comparison = Some(sample::comparison());
    report
}

/// As many cases of each kind as this: regressed, failing as before, fixed.
fn many(count: usize) -> Report {
    let kinds = [
        ("regressed", CaseChange::Regressed, Status::Passed, Status::Failed),
        ("still", CaseChange::StillFailing, Status::Failed, Status::Failed),
        ("fixed", CaseChange::Fixed, Status::Failed, Status::Passed),
    ];
    let mut cases = Vec::new();
    let mut changes = Vec::new();
    for number in 0..count {
        for (word, change, was, now) in kinds {
            let name = format!("{number} {word}");
            let case = CaseResult {
                id: CaseId::new("evals/a.yaml", &name),
                name: name.clone(),
                ..if now == Status::Failed {
                    sample::failed()
                } else {
                    sample::case("evals/a.yaml", &name, now)
                }
            };
            changes.push(CaseComparison {
                id: case.id.clone(),
                change,
                was: Some(was),
                now: Some(now),
                reason: None,
                renamed_from: None,
                outputs: Vec::new(),
                latencies: Vec::new(),
            });
            cases.push(case);
        }
    }
    let mut report = sample::report(cases);
    let mut comparison = sample::comparison();
    comparison.cases = changes;
    report.comparison = Some(comparison);
    report.diagnostics = sample::rich().diagnostics;
    report
}

fn regressed(text: &str, count: usize) -> usize {
    let is_there = |number: &usize| text.contains(&format!("<b>{number} regressed</b>"));
    (0..count).filter(is_there).count()
}

#[test]
fn a_passing_run_is_a_few_lines() {
    let report = sample::report(vec![sample::case("evals/echo.yaml", "echo works", Status::Passed)]);
    insta::assert_snapshot!(whole(&report, Size::Comment), @"
    ### ✅ mcpvals: 1 case passed

    1 case: 1 passed, 0 failed, 0 errored, 0 skipped

    <sub>mcpvals [version] · 3.2 s</sub>
    ");
}

#[test]
fn a_failing_run_says_what_and_where_and_why() {
    let report = sample::report(vec![
        sample::case("evals/echo.yaml", "echo works", Status::Passed),
        sample::failed(),
        sample::errored(),
        sample::flaky(),
    ]);
    insta::assert_snapshot!(whole(&report, Size::Comment));
}

#[test]
fn a_compared_run_tells_what_broke_first() {
    insta::assert_snapshot!(whole(&compared(), Size::Comment));
}

#[test]
fn the_summary_of_a_job_tells_what_passed_too() {
    let report = sample::report(vec![sample::case("evals/echo.yaml", "echo works", Status::Passed)]);
    let text = whole(&report, Size::JobSummary);
    assert!(text.contains("echo works"), "{text}");
}

#[test]
fn who_wants_more_on_stdout_gets_the_summary_of_a_job() {
    let report = sample::report(vec![sample::case("evals/echo.yaml", "echo works", Status::Passed)]);
    for (detail, size) in [(Detail::Normal, Size::Comment), (Detail::Verbose, Size::JobSummary)] {
        let options = Options {
            detail,
            ..Options::default()
        };
        let mut out = Vec::new();
        (REPORTER.write)(&report, options, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), markdown(&report, size, size.bytes()));
    }
}

#[test]
fn each_verdict_has_its_mark() {
    let mut report = sample::report(Vec::new());
    for (exit_code, mark) in [
        (ExitCode::Open, "✅"),
        (ExitCode::Closed, "❌"),
        (ExitCode::InputWrong, "❌"),
        (ExitCode::CouldNotTell, "⚠️"),
    ] {
        report.verdict = Verdict {
            exit_code,
            reason: "so it is".to_owned(),
        };
        let text = whole(&report, Size::CheckRun);
        assert!(text.starts_with(&format!("### {mark} mcpvals: so it is\n")), "{text}");
    }
}

#[test]
fn every_budget_is_kept_and_what_broke_is_dropped_last() {
    const COUNT: usize = 40;
    let report = many(COUNT);
    let enough = whole(&report, Size::JobSummary);
    assert_eq!(regressed(&enough, COUNT), COUNT);
    let mut most = 0;
    for bytes in (0..enough.len() + 50).step_by(enough.len() / 300) {
        let text = markdown(&report, Size::JobSummary, bytes);
        assert!(text.len() <= bytes, "{} > {bytes}", text.len());
        let shown = regressed(&text, COUNT);
        assert!(shown >= most, "{bytes}: fewer than with less room");
        most = shown;
        let less_important = [
            "#### Problems",
            "#### Surface",
            "#### Why",
            " still</b>",
            " fixed</b>",
            "<sub>mcpvals",
        ];
        let told = less_important.iter().find(|words| text.contains(**words));
        assert!(
            shown == COUNT || told.is_none(),
            "{bytes}: {told:?} but {shown} of {COUNT} that broke\n{text}"
        );
        assert_eq!(
            text.matches("<details").count(),
            text.matches("</details>").count(),
            "{bytes}"
        );
        let fences = text.lines().filter(|line| line.starts_with("```")).count();
        assert_eq!(fences % 2, 0, "{bytes}\n{text}");
    }
}

#[test]
fn what_is_left_out_is_counted() {
    let report = many(40);
    let last = |bytes| {
        let text = markdown(&report, Size::Comment, bytes);
        text.lines().last().unwrap_or_default().to_owned()
    };
    insta::assert_snapshot!(last(60_000), @"_left out here: 30 explanations, 15 still-failing cases, 15 fixed cases; see the JSON report (`--json FILE`)_");
    insta::assert_snapshot!(last(5_000), @"_left out here: 8 regressed cases, 1 problem, 1 notice, 2 surface changes, 40 explanations, 40 still-failing cases, 40 fixed cases, 1 harmless surface change, 1 remark; see the JSON report (`--json FILE`)_");
}

#[test]
fn a_run_that_breaks_everywhere_fits_and_its_first_cases_are_seen_at_once() {
    let report = many(2000);
    let text = whole(&report, Size::Comment);
    assert!(text.len() <= Size::Comment.bytes());
    assert!(
        text.len() > Size::Comment.bytes() - 2000,
        "there is room left: {}",
        text.len()
    );
    let folded = text
        .find("<details><summary>1975 more</summary>")
        .expect("the others are folded");
    assert_eq!(regressed(&text[..folded], 2000), 25);
}
