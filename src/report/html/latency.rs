//! How long calls took: a line and a small picture for each tool, and what became slower or faster.

use std::{cmp::Reverse, collections::BTreeMap, fmt::Write as _, time::Duration};

use super::escape;
use crate::{
    model::{Mode, Report, Status},
    report::changes::{self, Entry},
    text,
};

/// Tools and steps that are shown.
const LISTED: usize = 50;
/// Bars of one picture; with more values each bar is the slowest of several.
const BARS: usize = 40;
/// Pixels from one bar to the next.
const STRIDE: usize = 3;
/// Pixels of the highest bar.
const HEIGHT: u128 = 16;

pub(super) fn section(report: &Report, entries: &[Entry<'_>]) -> String {
    tools(report) + &changed(entries)
}

/// A picture of durations in their order: one bar each, the highest for the slowest.
pub(super) fn sparkline(durations: &[Duration]) -> String {
    let slowest = durations.iter().max().map_or(1, Duration::as_micros).max(1);
    let per_bar = durations.len().div_ceil(BARS).max(1);
    let mut bars = String::new();
    let mut width = 0;
    for part in durations.chunks(per_bar) {
        let time = part.iter().max().map_or(0, Duration::as_micros);
        let height = (time * HEIGHT).div_ceil(slowest).max(1);
        // Writing to a string cannot fail.
        let _ = write!(bars, "M{width} {HEIGHT}v-{height}h2v{height}z");
        width += STRIDE;
    }
    let fastest = durations.iter().min().copied().unwrap_or_default();
    format!(
        "<svg class=\"spark\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" height=\"{HEIGHT}\" role=\"img\" \
         aria-label=\"{} from {} to {}\"><path d=\"{bars}\"/></svg>",
        text::count(durations.len(), "time"),
        text::duration(fastest),
        text::duration(Duration::from_micros(u64::try_from(slowest).unwrap_or(u64::MAX)))
    )
}

/// The calls of each tool, in the order of the cases.
fn tools(report: &Report) -> String {
    let live = report.cases.iter().filter(|case| case.mode == Mode::Live);
    let mut calls: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for step in live
        .flat_map(|case| &case.steps)
        .filter(|step| step.status != Status::Skipped)
    {
        // Of a step that was called again and again there is one result, and every time that it took.
        let times = match step.samples.as_slice() {
            [] => std::slice::from_ref(&step.duration),
            samples => samples,
        };
        calls.entry(&step.tool).or_default().extend(times);
    }
    let mut tools: Vec<_> = calls.into_iter().collect();
    tools.sort_by_key(|(_, times)| Reverse(times.iter().max().copied()));
    if tools.is_empty() {
        return String::new();
    }
    let rows: String = tools
        .iter()
        .take(LISTED)
        .map(|(tool, times)| tool_row(tool, times))
        .collect();
    format!(
        "<details class=\"part\"><summary><h2>latency <small>{}</small></h2></summary>\n<div class=\"wide\"><table>\n\
         <thead><tr><th>tool</th><th>calls</th><th>median</th><th>slowest</th><th>over the run</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n{}</details>\n",
        text::count(tools.len(), "tool"),
        rest(tools.len())
    )
}

fn tool_row(tool: &str, times: &[Duration]) -> String {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    format!(
        "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escape::name(tool),
        times.len(),
        text::duration(sorted[times.len() / 2]),
        text::duration(sorted[times.len() - 1]),
        sparkline(times)
    )
}

/// Steps that became slower or faster beyond doubt.
fn changed(entries: &[Entry<'_>]) -> String {
    let compared = entries.iter().filter_map(|entry| Some((entry, entry.change?)));
    let changed: Vec<_> = compared
        .flat_map(|(entry, change)| change.latencies.iter().map(move |latency| (entry, latency)))
        .collect();
    if changed.is_empty() {
        return String::new();
    }
    let row = |(entry, latency): &(&Entry<'_>, &crate::model::LatencyChange)| {
        format!(
            "<tr><td>{} › {}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escape::name(entry.name()),
            escape::name(&latency.step),
            text::duration(latency.was),
            text::duration(latency.now),
            changes::percent(latency.was, latency.now)
        )
    };
    let rows: String = changed.iter().take(LISTED).map(row).collect();
    format!(
        "<section class=\"part\"><h2>slower and faster <small>{}</small></h2>\n<div class=\"wide\"><table>\n\
         <thead><tr><th>step</th><th>was</th><th>now</th><th></th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n{}</section>\n",
        text::count(changed.len(), "step"),
        rest(changed.len())
    )
}

fn rest(count: usize) -> String {
    match count.saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("<p>…and {more} more</p>\n"),
    }
}
