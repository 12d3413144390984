//! Many things told as one: cases with the same fault or reason, findings of the same kind, lists cut short.

use std::collections::BTreeMap;

use crate::{
    model::{CaseResult, Finding},
    report::detail::message,
    text::{self, sanitize},
};

/// Names in a list that stand for all of it.
const MAX_NAMES: usize = 5;

/// Cases with the same key, in the order of their first ones; a case without a key stays alone.
pub(super) fn grouped<'a, K: Ord>(
    cases: impl Iterator<Item = &'a CaseResult>,
    key: impl Fn(&'a CaseResult) -> Option<K>,
) -> Vec<Vec<&'a CaseResult>> {
    let mut groups: Vec<Vec<&CaseResult>> = Vec::new();
    let mut known: BTreeMap<K, usize> = BTreeMap::new();
    for case in cases {
        let next = groups.len();
        match key(case).map_or(next, |key| *known.entry(key).or_insert(next)) {
            index if index < next => groups[index].push(case),
            _ => groups.push(vec![case]),
        }
    }
    groups
}

/// Findings of one kind about one server.
pub(super) struct Remark<'a> {
    finding: &'a Finding,
    server: Option<&'a str>,
    first: &'a CaseResult,
    cases: usize,
}

impl Remark<'_> {
    /// What was seen, in the words of the first case.
    pub(super) fn message(&self) -> String {
        format!("{} ({})", message(&self.finding.message), self.finding.code)
    }

    /// Where it was seen.
    pub(super) fn place(&self) -> String {
        let server = self
            .server
            .map(|name| format!("server `{}`, ", message(name)))
            .unwrap_or_default();
        let place = sanitize::line(&self.first.location.to_string());
        match self.cases {
            1 => format!("{server}{place}"),
            cases => format!("{server}{}, first {place}", text::count(cases, "case")),
        }
    }
}

/// Findings told once for each kind and server.
pub(super) fn findings(cases: &[CaseResult]) -> Vec<Remark<'_>> {
    let mut remarks: Vec<Remark<'_>> = Vec::new();
    for case in cases {
        let server = case.server.as_ref().map(|server| server.name.as_str());
        for finding in &case.findings {
            let is_known = |known: &&mut Remark<'_>| known.finding.code == finding.code && known.server == server;
            match remarks.iter_mut().find(is_known) {
                Some(known) => known.cases += 1,
                None => remarks.push(Remark {
                    finding,
                    server,
                    first: case,
                    cases: 1,
                }),
            }
        }
    }
    remarks
}

/// The first names of a list, one a line with its place.
pub(super) fn names(cases: &[&CaseResult]) -> Vec<String> {
    let name = |case: &&CaseResult| {
        let place = sanitize::line(&case.location.to_string());
        format!("{place}  {}", message(&case.name))
    };
    let mut lines: Vec<String> = cases.iter().take(MAX_NAMES).map(name).collect();
    lines.extend((cases.len() > MAX_NAMES).then(|| format!("… and {} more", cases.len() - MAX_NAMES)));
    lines
}

/// Says what a list leaves out, and where it stands.
pub(super) fn rest(count: usize, shown: usize, noun: &str) -> Option<String> {
    let more = count.saturating_sub(shown);
    (more > 0).then(|| {
        format!(
            "… and {}: see `--json FILE`",
            text::count(more, &format!("more {noun}"))
        )
    })
}
