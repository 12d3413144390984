//! What broke and what else changed, each a line with a link to its case.

use super::{cases, difference, escape};
use crate::{
    model::{CaseChange, Report},
    report::{
        changes::{self, Entry},
        coverage, remarks,
    },
    source::Severity,
    text,
};

/// Lines of one list.
const LISTED: usize = 200;
/// Cases of one list that are seen at once: more of them would hide what comes after.
const SEEN: usize = 20;
/// Lines of the difference of an output that changed.
const DIFF_LINES: usize = 24;
/// Outputs whose difference is shown.
const DIFFERENCES: usize = 50;

pub(super) fn section(report: &Report, entries: &[Entry<'_>]) -> String {
    let lists = [
        ("what broke", changes::broken(entries)),
        ("still failing", changes::with(entries, CaseChange::StillFailing)),
        ("fixed", changes::with(entries, CaseChange::Fixed)),
        ("new", changes::with(entries, CaseChange::New)),
        ("removed", changes::with(entries, CaseChange::Removed)),
        ("not comparable", changes::with(entries, CaseChange::NotComparable)),
    ];
    let lists: String = lists.iter().map(|(title, list)| listed(title, list, entries)).collect();
    [
        notices(report),
        list("problems in the input", &remarks::problems(report, Severity::Error)),
        lists,
        outputs(entries),
    ]
    .concat()
}

/// The number of a case in the page, for links.
pub(super) fn anchor(entry: &Entry<'_>, entries: &[Entry<'_>]) -> Option<usize> {
    entry.case?;
    entries.iter().position(|other| std::ptr::eq(other.id, entry.id))
}

/// What broke stands open, everything else is folded.
fn listed(title: &str, list: &[Entry<'_>], entries: &[Entry<'_>]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let open = if title == "what broke" { " open" } else { "" };
    let rows = |list: &[Entry<'_>]| list.iter().map(|entry| row(entry, entries)).collect::<String>();
    let (seen, others) = list[..list.len().min(LISTED)].split_at(list.len().min(SEEN));
    let others = match others {
        [] => String::new(),
        others => format!(
            "<li><details><summary>{} more</summary>\n<ul>\n{}{}</ul>\n</details></li>\n",
            list.len() - SEEN,
            rows(others),
            rest(list.len(), LISTED)
        ),
    };
    format!(
        "<details class=\"part\"{open}><summary><h2>{title} <small>{}</small></h2></summary>\n<ul>\n{}{others}</ul>\n</details>\n",
        list.len(),
        rows(seen)
    )
}

fn row(entry: &Entry<'_>, entries: &[Entry<'_>]) -> String {
    let name = escape::name(entry.name());
    let name = match anchor(entry, entries) {
        Some(number) => format!("<a href=\"#case-{number}\">{name}</a>"),
        None => name,
    };
    let course = entry.course().map(|course| format!(" <small>{course}</small>"));
    let renamed = entry.change.and_then(|change| change.renamed_from.as_ref());
    let renamed = renamed.map(|from| format!(" <small>perhaps renamed from {}</small>", escape::name(from.as_str())));
    let why = match entry.why().as_str() {
        "" => String::new(),
        why => format!("<br><span class=\"why\">{}</span>", escape::message(why)),
    };
    format!(
        "<li>{} {name}{}{}{why}</li>\n",
        cases::mark(entry.status()),
        course.unwrap_or_default(),
        renamed.unwrap_or_default()
    )
}

fn rest(count: usize, shown: usize) -> String {
    match count.saturating_sub(shown) {
        0 => String::new(),
        more => format!("<li>…and {more} more</li>\n"),
    }
}

fn notices(report: &Report) -> String {
    let notices = report.comparison.as_ref().map(remarks::notices);
    list("notices", &notices.unwrap_or_default())
}

/// Warnings, findings and notes.
pub(super) fn remarks(report: &Report) -> String {
    [
        list("warnings", &remarks::problems(report, Severity::Warning)),
        list("seen on the side", &remarks::findings(report)),
        list("coverage", &coverage::lines(report)),
        list("notes", &report.notes),
    ]
    .concat()
}

fn list(title: &str, all: &[String]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let shown = all.iter().take(LISTED);
    let rows: String = shown
        .map(|each| format!("<li class=\"why\">{}</li>\n", escape::message(each)))
        .collect();
    format!(
        "<section class=\"part\"><h2>{title}</h2>\n<ul>\n{rows}{}</ul>\n</section>\n",
        rest(all.len(), LISTED)
    )
}

/// Outputs that differ though their steps pass.
fn outputs(entries: &[Entry<'_>]) -> String {
    let compared = entries.iter().filter_map(|entry| Some((entry, entry.change?)));
    let changed: Vec<_> = compared
        .flat_map(|(entry, change)| change.outputs.iter().map(move |output| (entry, output)))
        .collect();
    if changed.is_empty() {
        return String::new();
    }
    let shown = changed.iter().take(DIFFERENCES).map(|(entry, output)| {
        let title = escape::name(&format!("{} › {}", entry.name(), output.step));
        let difference = output.difference.as_ref();
        let difference = difference.map(|it| difference::block(it, DIFF_LINES, ("baseline", "now")));
        let difference = difference.unwrap_or_else(|| "<p>the baseline kept only a part of it</p>".to_owned());
        format!("<li>{title}\n{difference}</li>\n")
    });
    let shown: String = shown.collect();
    format!(
        "<details class=\"part\"><summary><h2>changed <small>{}</small></h2></summary>\n<ul>\n{shown}{}</ul>\n</details>\n",
        text::count(changed.len(), "output"),
        rest(changed.len(), DIFFERENCES)
    )
}
