//! The ids of a case's steps, found by name.

use std::collections::{BTreeSet, HashMap};

/// Earlier steps that are offered where one was misspelt: the near ones are meant, and a case may have thousands.
const OFFERED: usize = 50;

/// The ids of a case's steps, in order.
pub(in crate::plan) struct StepIds<'a> {
    ids: Vec<&'a str>,
    positions: HashMap<&'a str, usize>,
    lengths: BTreeSet<usize>,
}

impl<'a> StepIds<'a> {
    /// The ids of the steps of one case.
    pub fn new(ids: impl IntoIterator<Item = &'a str>) -> Self {
        let ids: Vec<&str> = ids.into_iter().collect();
        Self {
            positions: ids.iter().enumerate().map(|(at, id)| (*id, at)).collect(),
            lengths: ids.iter().map(|id| id.len()).collect(),
            ids,
        }
    }

    /// Which step has this id, counted from 0.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.positions.get(id).copied()
    }

    /// The id of a step.
    pub fn id(&self, index: usize) -> &'a str {
        self.ids[index]
    }

    /// Length of the longest id that a text begins with, where a dot follows. Ids may have dots in them.
    pub fn prefix(&self, text: &str) -> Option<usize> {
        let lengths = self.lengths.range(..text.len()).rev().copied();
        lengths
            .filter(|length| text.as_bytes()[*length] == b'.')
            .find(|length| self.positions.contains_key(&text[..*length]))
    }

    /// The last few steps before one.
    pub fn shortly_before(&self, index: usize) -> &[&'a str] {
        &self.ids[index.saturating_sub(OFFERED)..index]
    }
}
