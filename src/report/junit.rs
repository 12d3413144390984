//! `junit`: one suite a file and one test a case, as Jenkins reads it, with `file` and `line` on every test.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
};

use chrono::{DateTime, Utc};
use quick_junit::{FlakyOrRerun, NonSuccessKind, TestCase, TestCaseStatus, TestRerun, TestSuite, XmlString};

use super::{Options, Reporter, cause::Cause, detail, style::Style};
use crate::{
    model::{Attempt, CaseResult, Mode, Report, Status, StepResult},
    source::{Diagnostic, Severity},
    text::{self, sanitize},
};

pub(super) const REPORTER: Reporter = Reporter {
    name: "junit",
    title: "JUnit",
    summary: "for CI systems: JUnit XML, failures and errors apart",
    write,
};

/// Characters of one output in a transcript; the whole output is in the JSON report.
const MAX_OUTPUT: usize = 4000;

/// quick-junit takes a report as a whole. Ten thousand cases would then stand in memory twice, so it is given one suite
/// at a time, and what it writes goes into the frame of a report without suites.
fn write(report: &Report, _: Options, out: &mut dyn io::Write) -> io::Result<()> {
    let broken = broken_files(report);
    let mut out = io::BufWriter::new(out);
    let frame = serialized(&frame(report, broken.len()))?;
    let (head, tail) = frame.split_once(CLOSE).unwrap_or((&frame, ""));
    write!(out, "{}", head.trim_end())?;
    let files = report.cases.chunk_by(|a, b| a.location.file == b.location.file);
    let suites = files
        .map(suite)
        .chain(broken.iter().map(|(file, all)| broken_suite(file, all)));
    for suite in suites {
        let mut one = quick_junit::Report::unnamed();
        one.add_test_suite(suite);
        let text = serialized(&one)?;
        let body = text.find("<testsuite ").zip(text.rfind(CLOSE));
        write!(
            out,
            "\n    {}",
            body.map_or("", |(start, end)| text[start..end].trim_end())
        )?;
    }
    write!(out, "\n{CLOSE}{tail}")?;
    out.flush()
}

const CLOSE: &str = "</testsuites>";

fn serialized(report: &quick_junit::Report) -> io::Result<String> {
    report.to_string().map_err(io::Error::other)
}

fn frame(report: &Report, broken_files: usize) -> quick_junit::Report {
    let count = |is: fn(Status) -> bool| report.cases.iter().filter(|case| is(case.status)).count();
    let mut frame = quick_junit::Report::new("mcpvals");
    frame.set_timestamp(DateTime::<Utc>::from(report.started_at));
    frame.set_time(report.duration);
    frame.tests = report.cases.len() + broken_files;
    frame.failures = count(|status| matches!(status, Status::Failed | Status::XPassed));
    frame.errors = count(|status| status == Status::Errored) + broken_files;
    frame.skipped = count(|status| matches!(status, Status::Skipped | Status::XFailed));
    frame
}

fn suite(cases: &[CaseResult]) -> TestSuite {
    let file = cases.first().map_or("", |case| &case.location.file);
    let mut suite = TestSuite::new(xml(file));
    suite.set_time(cases.iter().map(|case| case.duration).sum());
    suite.add_test_cases(cases.iter().map(test));
    suite
}

fn test(case: &CaseResult) -> TestCase {
    let place = Cause::of(case).map_or(&case.location, |cause| cause.location);
    let mut test = placed(&case.name, status(case), &case.location.file, Some(place.span.line));
    test.set_time(case.duration);
    test.add_property(("mcpvals.status", case.status.word()));
    if case.mode == Mode::Simulated {
        test.add_property(("mcpvals.mode", "simulation"));
    }
    if let Some(server) = &case.server {
        test.add_property((
            "mcpvals.server",
            xml(&format!("{} {}", server.name, server.version)).as_str(),
        ));
        test.add_property(("mcpvals.protocol", xml(&server.protocol).as_str()));
    }
    if !case.status.is_good() && !case.steps.is_empty() {
        test.set_system_out(xml(&transcript(case)));
    }
    test
}

fn placed(name: &str, status: TestCaseStatus, file: &str, line: Option<u32>) -> TestCase {
    let mut test = TestCase::new(xml(name), status);
    if !file.is_empty() {
        test.set_classname(xml(&class_name(file)));
        test.extra.insert("file".into(), xml(file));
    }
    if let Some(line) = line {
        test.extra.insert("line".into(), XmlString::new(line.to_string()));
    }
    test
}

/// `a/b.yaml` is `a.b`, so that readers show folders as packages.
fn class_name(file: &str) -> String {
    let path = file.trim_start_matches("./");
    let stem = match path.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && !extension.contains(['/', '\\']) => stem,
        _ => path,
    };
    stem.trim_start_matches('/').replace(['/', '\\'], ".")
}

fn status(case: &CaseResult) -> TestCaseStatus {
    match case.status {
        Status::Passed | Status::Flaky => {
            let mut status = TestCaseStatus::success();
            status.add_reruns(case.earlier_attempts.iter().map(rerun));
            status
        }
        Status::Skipped | Status::XFailed => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(xml(case.reason.as_deref().unwrap_or(case.status.word())));
            status
        }
        Status::Failed | Status::XPassed => bad(case, NonSuccessKind::Failure),
        Status::Errored => bad(case, NonSuccessKind::Error),
    }
}

fn bad(case: &CaseResult, kind: NonSuccessKind) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    if let Some(cause) = Cause::of(case) {
        status.set_type(xml(cause.kind));
        status.set_message(xml(&first_line(&cause)));
    } else {
        status.set_type(case.status.word());
        status.set_message(xml(case.reason.as_deref().unwrap_or(case.status.word())));
    }
    let blocks = detail::blocks(case, &Style::PLAIN);
    let lines: Vec<String> = blocks.into_iter().flatten().collect();
    status.set_description(xml(&lines.join("\n")));
    status.add_reruns(case.earlier_attempts.iter().map(rerun));
    status.set_rerun_kind(FlakyOrRerun::Rerun);
    status
}

fn first_line(cause: &Cause<'_>) -> String {
    let step = cause
        .step
        .map(|step| format!("step `{}`: ", step.id))
        .unwrap_or_default();
    detail::message(&format!("{step}{}", cause.in_words()))
}

fn rerun(attempt: &Attempt) -> TestRerun {
    let kind = match attempt.status {
        Status::Errored => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    };
    let mut rerun = TestRerun::new(kind);
    rerun.set_time(attempt.duration);
    rerun.set_type(attempt.status.word());
    rerun.set_message(xml(&detail::message(&attempt.message)));
    rerun
}

fn transcript(case: &CaseResult) -> String {
    let steps: Vec<String> = case.steps.iter().map(step_transcript).collect();
    steps.join("\n")
}

fn step_transcript(step: &StepResult) -> String {
    let head = format!("step `{}`, tool {}: {}", step.id, step.tool, step.status);
    match (&step.output, &step.reason) {
        (Some(output), _) => {
            let shown = text::cut(&output.text, MAX_OUTPUT);
            format!("{head} in {}\n{shown}\n", text::duration(step.duration))
        }
        (None, Some(reason)) => format!("{head}: {reason}\n"),
        (None, None) => format!("{head}\n"),
    }
}

/// Files that could not be used, with what is wrong in them: a broken file must not look like one less test. What is
/// wrong with the input as a whole has no file, and an empty name.
fn broken_files(report: &Report) -> BTreeMap<&str, Vec<&Diagnostic>> {
    let mut files: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for diagnostic in report
        .diagnostics
        .iter()
        .filter(|each| each.severity == Severity::Error)
    {
        let file = diagnostic.source.as_ref().map_or("", |source| source.path());
        files.entry(file).or_default().push(diagnostic);
    }
    files
}

fn broken_suite(file: &str, diagnostics: &[&Diagnostic]) -> TestSuite {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    if let Some(first) = diagnostics.first() {
        status.set_type(first.code.as_ref());
        status.set_message(xml(&first.message));
    }
    let lines: Vec<String> = diagnostics.iter().copied().map(diagnostic_lines).collect();
    status.set_description(xml(&lines.join("\n")));
    let line = diagnostics.first().and_then(|first| first.span).map(|span| span.line);
    let name = if file.is_empty() { "input" } else { file };
    let mut suite = TestSuite::new(xml(name));
    suite.add_test_case(placed("fixture", status, file, line));
    suite
}

fn diagnostic_lines(diagnostic: &Diagnostic) -> String {
    let place = diagnostic
        .location()
        .map(|location| format!("{location}: "))
        .unwrap_or_default();
    let help = diagnostic.help.iter().map(|help| format!("\n    help: {help}"));
    format!("{place}{}{}", diagnostic.message, help.collect::<String>())
}

/// Text that XML 1.0 can carry (§2.2): controls are made visible, so that quick-junit has nothing to drop silently. The
/// marker by which GitLab and Jenkins attach files of the machine is made plain text.
fn xml(text: &str) -> XmlString {
    let text = sanitize::block(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    XmlString::new(text.replace("[[ATTACHMENT|", "[\\[ATTACHMENT|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn written(report: &Report) -> String {
        let mut out = Vec::new();
        write(report, Options::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn read(report: &Report) -> quick_junit::Report {
        quick_junit::Report::deserialize_from_str(&written(report)).unwrap()
    }

    #[test]
    fn one_of_everything() {
        insta::assert_snapshot!(written(&sample::rich()));
    }

    #[test]
    fn suites_written_one_by_one_are_what_the_library_writes_at_once() {
        let text = written(&sample::rich());
        let read = read(&sample::rich());
        assert_eq!(read.to_string().unwrap(), text);
    }

    #[test]
    fn the_counts_are_those_of_the_tests() {
        let read = read(&sample::rich());
        let sum = |of: fn(&TestSuite) -> usize| read.test_suites.iter().map(of).sum::<usize>();
        assert_eq!((read.tests, sum(|suite| suite.tests)), (9, 9));
        assert_eq!((read.failures, sum(|suite| suite.failures)), (2, 2));
        assert_eq!((read.errors, sum(|suite| suite.errors)), (3, 3));
        assert_eq!((read.skipped, sum(|suite| suite.skipped)), (1, 1));
    }

    #[test]
    fn attempts_of_a_case_that_never_passed_are_reruns() {
        let mut case = sample::failed();
        case.earlier_attempts = sample::flaky().earlier_attempts;
        let text = written(&sample::report(vec![case]));
        assert!(text.contains("<rerunFailure") && text.contains("<rerunError"), "{text}");
        assert!(!text.contains("<flaky"), "{text}");
    }

    #[test]
    fn an_empty_run_is_well_formed() {
        assert_eq!(read(&sample::report(Vec::new())).tests, 0);
    }

    #[test]
    fn hostile_text_keeps_the_document_well_formed_and_the_message_whole() {
        let report = sample::report(vec![sample::hostile()]);
        let text = written(&report);
        assert!(
            text.chars().all(|c| matches!(c, '\n' | '\t') || !c.is_control()),
            "{text:?}"
        );
        assert!(!text.contains(['\u{fffe}', '\u{ffff}']));
        let read = read(&report);
        let name = &read.test_suites[0].test_cases[0].name;
        assert!(name.contains("]]> <script>alert(1)</script> & \"quotes\""), "{name:?}");
    }

    #[test]
    fn no_server_attaches_a_file() {
        let mut case = sample::failed();
        case.steps[1].output = Some(sample::output("[[ATTACHMENT|/etc/passwd]]"));
        let text = written(&sample::report(vec![case]));
        assert!(
            text.contains("[\\[ATTACHMENT|/etc/passwd]]") && !text.contains("[[ATT"),
            "{text}"
        );
    }

    #[test]
    fn a_problem_without_a_file_names_none() {
        let mut report = sample::report(Vec::new());
        report.diagnostics = vec![Diagnostic::error("not-found", "there is no file or folder `nowhere`")];
        let read = read(&report);
        let suite = &read.test_suites[0];
        assert_eq!(suite.name.as_str(), "input");
        assert!(!suite.test_cases[0].extra.contains_key("file"));
    }

    #[test]
    fn folders_become_packages() {
        for (file, class) in [
            ("a/b.yaml", "a.b"),
            ("./evals/x.test.yml", "evals.x.test"),
            ("/abs/a.json", "abs.a"),
            ("v1.2/plain", "v1.2.plain"),
            (".hidden", ".hidden"),
        ] {
            assert_eq!(class_name(file), class);
        }
    }
}
