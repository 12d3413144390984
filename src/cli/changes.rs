//! Two runs side by side: what changed, in lines.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use crate::{
    compare::{self, Extent, RunCases, StatusChange},
    history::CaseRecord,
    model::{CaseChange, ExitCode},
    schema::v1::{Mode, Verdict, history::Run},
    text::{count, cut, sanitize},
};

/// Characters of a reason.
const MAX_REASON: usize = 300;

/// The changes in the order of interest; those that did not change are only counted.
const SHOWN: &[CaseChange] = &[
    CaseChange::Regressed,
    CaseChange::StillFailing,
    CaseChange::NotComparable,
    CaseChange::New,
    CaseChange::Removed,
    CaseChange::Changed,
    CaseChange::Fixed,
];

/// One of two runs.
#[derive(Debug)]
pub struct Side {
    /// What it is called.
    pub label: String,
    /// The suite it is a run of, where that is known.
    pub suite: Option<String>,
    /// Whether every case there was had its chance.
    pub extent: Extent,
    /// How its cases ended.
    pub cases: Vec<CaseRecord>,
}

impl Side {
    /// A run of the history.
    pub fn recorded(run: &Run, cases: Vec<CaseRecord>) -> Self {
        let commit = run.commit.as_deref().map(|commit| format!(", {}", short(commit)));
        Self {
            label: format!(
                "run {} ({}{})",
                run.id,
                moment(&run.started_at),
                commit.unwrap_or_default()
            ),
            suite: Some(run.suite.clone()),
            extent: extent(run.verdict, &run.selection.narrowed_by),
            cases,
        }
    }
}

/// A run that was narrowed, or in which files could not be read, does not know of every case.
pub fn extent<T>(verdict: Verdict, narrowed_by: &[T]) -> Extent {
    if narrowed_by.is_empty() && verdict != Verdict::Invalid {
        Extent::Whole
    } else {
        Extent::Part
    }
}

/// What changed between two runs.
#[derive(Debug)]
pub struct Changes<'a> {
    before: &'a Side,
    after: &'a Side,
    cases: Vec<StatusChange<'a>>,
}

impl<'a> Changes<'a> {
    /// What changed from one run to the other.
    pub fn between(before: &'a Side, after: &'a Side) -> Self {
        let is_same_suite = is_same_suite(before, after);
        Self {
            before,
            after,
            cases: compare::runs(&cases(before, is_same_suite), &cases(after, is_same_suite)),
        }
    }

    /// Closed if something regressed; nothing can be told where nothing can be compared.
    pub fn exit_code(&self) -> ExitCode {
        let is_any = |wanted: CaseChange| self.cases.iter().any(|it| it.change == wanted);
        if is_any(CaseChange::Regressed) {
            ExitCode::Closed
        } else if self.cases.iter().all(|it| it.change == CaseChange::NotComparable) {
            ExitCode::CouldNotTell
        } else {
            ExitCode::Open
        }
    }

    /// One line a change, the worst first.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { before, after, cases } = self;
        let (one, other) = (sanitize::line(&before.label), sanitize::line(&after.label));
        writeln!(out, "{one} → {other}")?;
        if let (false, Some(one), Some(other)) = (is_same_suite(before, after), &before.suite, &after.suite) {
            let (one, other) = (sanitize::line(one), sanitize::line(other));
            writeln!(out, "note: these are runs of two suites, `{one}` and `{other}`")?;
        }
        let records: HashMap<&str, &CaseRecord> = before
            .cases
            .iter()
            .chain(&after.cases)
            .map(|case| (case.id.as_str(), case))
            .collect();
        for wanted in SHOWN {
            for change in cases.iter().filter(|it| it.change == *wanted) {
                writeln!(out, "{}", line(change, records.get(change.id).copied()))?;
            }
        }
        writeln!(out, "{}", summary(cases))
    }
}

fn is_same_suite(before: &Side, after: &Side) -> bool {
    before.suite.is_none() || after.suite.is_none() || before.suite == after.suite
}

fn cases(side: &Side, is_same_suite: bool) -> RunCases<'_> {
    RunCases {
        cases: side
            .cases
            .iter()
            .map(|case| (case.id.as_str(), case.status.into()))
            .collect(),
        extent: if is_same_suite { side.extent } else { Extent::Part },
    }
}

/// `✗ regressed  evals/a.yaml › a: passed → failed: why`.
fn line(change: &StatusChange<'_>, record: Option<&CaseRecord>) -> String {
    let mark = match change.change {
        CaseChange::Regressed | CaseChange::StillFailing => '✗',
        CaseChange::Fixed | CaseChange::Unchanged => '✓',
        CaseChange::New => '+',
        CaseChange::Removed => '-',
        CaseChange::Changed => '~',
        CaseChange::NotComparable => '?',
    };
    let label = match record.map(|it| it.mode) {
        Some(Mode::Simulated) => " (simulation)",
        _ => "",
    };
    let way = match (change.was, change.now) {
        (Some(was), Some(now)) => format!("{was} → {now}"),
        (Some(was), None) => format!("{was} → not in it"),
        (None, Some(now)) => now.to_string(),
        (None, None) => String::new(),
    };
    let why = record.filter(|_| change.now.is_some()).and_then(|it| it.why.as_deref());
    let why = why.map(|why| format!(": {}", cut(why, MAX_REASON))).unwrap_or_default();
    let (word, id) = (change.change.word(), sanitize::line(change.id));
    format!("{mark} {word:<14} {id}{label}: {way}{}", sanitize::line(&why))
}

/// `1 regressed, 2 fixed; 40 unchanged`.
fn summary(changes: &[StatusChange<'_>]) -> String {
    let number = |wanted: CaseChange| changes.iter().filter(|it| it.change == wanted).count();
    let counted = SHOWN
        .iter()
        .map(|it| (number(*it), it.word()))
        .filter(|(number, _)| *number > 0);
    let parts: Vec<String> = counted.map(|(number, word)| format!("{number} {word}")).collect();
    let unchanged = number(CaseChange::Unchanged);
    match (parts.is_empty(), unchanged) {
        (true, unchanged) => format!("no changes: {} unchanged", count(unchanged, "case")),
        (false, 0) => parts.join(", "),
        (false, unchanged) => format!("{}; {unchanged} unchanged", parts.join(", ")),
    }
}

/// A moment to the second.
pub fn moment(started_at: &str) -> String {
    started_at
        .get(..19)
        .map_or_else(|| started_at.to_owned(), |to_the_second| format!("{to_the_second}Z"))
}

/// The first digits of a commit, as git shows it.
pub fn short(commit: &str) -> &str {
    commit.get(..7).unwrap_or(commit)
}
