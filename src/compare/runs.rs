//! What became of each case between two runs.

use std::collections::{HashMap, HashSet};

use crate::model::{CaseChange, Status};

/// One of two runs.
#[derive(Debug, Clone)]
pub struct RunCases<'a> {
    /// Ids of the cases and how they ended, in the order of the run.
    pub cases: Vec<(&'a str, Status)>,
    /// Whether a case that is not in it can be taken for one that does not exist.
    pub extent: Extent,
}

/// How much of what there is a run was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// What a filter, a shard or a broken file left of it.
    Part,
}

/// What became of one case between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusChange<'a> {
    /// Id of the case.
    pub id: &'a str,
    /// What became of it.
    pub change: CaseChange,
    /// How it ended before.
    pub was: Option<Status>,
    /// How it ends now.
    pub now: Option<Status>,
}

/// Every case of either run: those of the later one in its order, then those that are gone.
pub fn runs<'a>(before: &RunCases<'a>, after: &RunCases<'a>) -> Vec<StatusChange<'a>> {
    let earlier: HashMap<&str, Status> = before.cases.iter().copied().collect();
    let later: HashSet<&str> = after.cases.iter().map(|(id, _)| *id).collect();
    let there = after.cases.iter().map(|&(id, now)| {
        let was = earlier.get(id).copied();
        let change = was.map_or_else(|| absent_from(before.extent, CaseChange::New), |was| status(was, now));
        StatusChange {
            id,
            change,
            was,
            now: Some(now),
        }
    });
    let gone = before.cases.iter().filter(|(id, _)| !later.contains(id));
    let gone = gone.map(|&(id, was)| StatusChange {
        id,
        change: absent_from(after.extent, CaseChange::Removed),
        was: Some(was),
        now: None,
    });
    there.chain(gone).collect()
}

/// What the way from one status to another means. A case that was skipped once tells nothing about what changed.
pub fn status(was: Status, now: Status) -> CaseChange {
    match (was, now) {
        (Status::Skipped, Status::Skipped) => CaseChange::Unchanged,
        (Status::Skipped, _) | (_, Status::Skipped) => CaseChange::NotComparable,
        (was, now) => match (was.is_good(), now.is_good()) {
            (true, true) => CaseChange::Unchanged,
            (true, false) => CaseChange::Regressed,
            (false, true) => CaseChange::Fixed,
            (false, false) => CaseChange::StillFailing,
        },
    }
}

fn absent_from(extent: Extent, meaning: CaseChange) -> CaseChange {
    match extent {
        Extent::Whole => meaning,
        Extent::Part => CaseChange::NotComparable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &[(&str, Status)] = &[
        ("breaks", Status::Passed),
        ("crashes", Status::Flaky),
        ("mends", Status::Errored),
        ("stays bad", Status::Failed),
        ("stays good", Status::Passed),
        ("goes", Status::Failed),
        ("sleeps", Status::Failed),
    ];
    const AFTER: &[(&str, Status)] = &[
        ("comes", Status::Failed),
        ("stays good", Status::Flaky),
        ("stays bad", Status::Errored),
        ("mends", Status::Passed),
        ("crashes", Status::Errored),
        ("breaks", Status::Failed),
        ("sleeps", Status::Skipped),
    ];

    fn side(cases: &[(&'static str, Status)], extent: Extent) -> RunCases<'static> {
        RunCases {
            cases: cases.to_vec(),
            extent,
        }
    }

    fn compared(before: &RunCases<'static>, after: &RunCases<'static>) -> Vec<(&'static str, &'static str)> {
        let changes = runs(before, after).into_iter();
        changes.map(|it| (it.id, it.change.word())).collect()
    }

    #[test]
    fn each_case_has_the_word_for_what_became_of_it() {
        let changes = compared(&side(BEFORE, Extent::Whole), &side(AFTER, Extent::Whole));
        let expected = [
            ("comes", "new"),
            ("stays good", "unchanged"),
            ("stays bad", "still-failing"),
            ("mends", "fixed"),
            ("crashes", "regressed"),
            ("breaks", "regressed"),
            ("sleeps", "not-comparable"),
            ("goes", "removed"),
        ];
        assert_eq!(changes, expected);
    }

    #[test]
    fn the_other_way_round_is_the_mirror() {
        let there = compared(&side(BEFORE, Extent::Whole), &side(AFTER, Extent::Whole));
        let back = compared(&side(AFTER, Extent::Whole), &side(BEFORE, Extent::Whole));
        let mirrored = |word| match word {
            "new" => "removed",
            "removed" => "new",
            "fixed" => "regressed",
            "regressed" => "fixed",
            same => same,
        };
        for (id, word) in there {
            assert!(back.contains(&(id, mirrored(word))), "{id}: {word} in {back:?}");
        }
    }

    #[test]
    fn a_run_against_itself_in_another_order_is_unchanged() {
        let forward: Vec<_> = BEFORE.iter().copied().filter(|(_, it)| it.is_good()).collect();
        let backward: Vec<_> = forward.iter().copied().rev().collect();
        let changes = compared(&side(&forward, Extent::Whole), &side(&backward, Extent::Whole));
        assert!(changes.iter().all(|(_, word)| *word == "unchanged"), "{changes:?}");
    }

    #[test]
    fn what_a_part_leaves_out_is_neither_new_nor_removed() {
        let one = side(&[("a", Status::Passed)], Extent::Part);
        let other = side(&[("b", Status::Passed)], Extent::Part);
        assert_eq!(
            compared(&one, &other),
            [("b", "not-comparable"), ("a", "not-comparable")]
        );
    }
}
