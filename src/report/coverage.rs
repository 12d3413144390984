//! Which tools have no case, in words.

use crate::{
    model::{Coverage, Report},
    text::{count, quote},
};

/// Characters of a tool's name that are shown, and names of one list.
const SHOWN: usize = 60;
const LISTED: usize = 20;

/// One line a server whose tools do not all have a case.
pub(super) fn lines(report: &Report) -> Vec<String> {
    report.coverage.iter().filter_map(line).collect()
}

fn line(coverage: &Coverage) -> Option<String> {
    let Coverage {
        server,
        tools,
        added,
        uncovered,
    } = coverage;
    let without = added.len() + uncovered.len();
    let lists = [("added without a case", added), ("no case", uncovered)];
    let lists = lists.iter().filter(|(_, names)| !names.is_empty());
    let lists: Vec<String> = lists
        .map(|(title, names)| format!("{title}: {}", listed(names)))
        .collect();
    let covered = format!(
        "{} of {} of `{server}` have a case",
        tools - without,
        count(*tools, "tool")
    );
    (without > 0).then(|| format!("{covered}; {}", lists.join("; ")))
}

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| quote(name, SHOWN)).collect();
    match names.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn tools_without_a_case_are_named_the_new_ones_first() {
        let mut report = sample::report(Vec::new());
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        report.coverage = vec![
            Coverage {
                server: "notes".to_owned(),
                tools: 4,
                added: named(&["c"]),
                uncovered: named(&["a", "b"]),
            },
            Coverage {
                server: "whole".to_owned(),
                tools: 1,
                added: Vec::new(),
                uncovered: Vec::new(),
            },
        ];
        let expected = "1 of 4 tools of `notes` have a case; added without a case: `c`; no case: `a`, `b`";
        assert_eq!(lines(&report), [expected]);
    }
}
