//! The frame: head, policy, order of the sections.

use std::collections::HashSet;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};

use super::{cases, depth::Depth, escape, latency, overview, surface};
use crate::{
    model::{ExitCode, Report},
    report::{
        changes::{self, Entry},
        counts,
    },
    text,
};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("filter.js");

pub(super) fn page(report: &Report, depth: Depth) -> String {
    let entries = worst_first(changes::entries(report));
    let title = escape::name(&report.verdict.reason);
    let sections = [
        overview::section(report, &entries),
        report.comparison.as_ref().map_or_else(String::new, surface::section),
        cases::section(&entries, depth),
        latency::section(report, &entries),
        overview::remarks(report),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>mcpvals: {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{}<main>\n{}</main>\n\
         <footer>mcpvals {} · {} · {}</footer>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        policy(),
        header(report, &title),
        sections.concat(),
        env!("CARGO_PKG_VERSION"),
        DateTime::<Utc>::from(report.started_at).format("%Y-%m-%d %H:%M UTC"),
        text::duration(report.duration),
    )
}

/// What broke, then what was bad before, then the others as they ran.
fn worst_first(mut entries: Vec<Entry<'_>>) -> Vec<Entry<'_>> {
    let broken: HashSet<_> = changes::broken(&entries).iter().map(|entry| entry.id).collect();
    entries.sort_by_key(|entry| match (broken.contains(entry.id), entry.status().is_good()) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    });
    entries
}

/// Nothing is loaded from anywhere, and nothing runs but our own script.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(text::sha256(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    )
}

fn header(report: &Report, title: &str) -> String {
    let (class, mark) = match report.verdict.exit_code {
        ExitCode::Open => ("good", "✓"),
        ExitCode::Closed | ExitCode::InputWrong => ("bad", "✗"),
        ExitCode::CouldNotTell => ("doubtful", "!"),
    };
    let compared = report.comparison.as_ref().map(|comparison| {
        let baseline = &comparison.baseline;
        let commit = changes::commit(baseline).map(|commit| format!(" at <code>{}</code>", escape::name(&commit)));
        let chosen = match baseline.chosen.trim() {
            "" => String::new(),
            chosen => format!(" ({})", escape::name(chosen)),
        };
        format!(
            "<p>{}, compared with <code>{}</code>{}{chosen}</p>\n",
            changes::tally(comparison).join(" · "),
            escape::name(&baseline.place),
            commit.unwrap_or_default()
        )
    });
    format!(
        "<header class=\"{class}\">\n<h1><span aria-hidden=\"true\">{mark}</span> mcpvals: {title}</h1>\n{}<p>{}</p>\n</header>\n",
        compared.unwrap_or_default(),
        counts::breakdown(&report.totals)
    )
}
