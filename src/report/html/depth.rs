//! How much of each case is told, so that the file stays small enough to be opened and attached.

use super::page;
use crate::model::Report;

/// Bytes that a report of a thousand cases stays below.
const LARGEST: usize = 1_000_000;

/// How much is told of the cases.
#[derive(Debug, Clone, Copy)]
pub(super) struct Depth {
    /// Characters of an output in a case that is not good.
    pub(super) bad_output: usize,
    /// Lines of a difference.
    pub(super) diff_lines: usize,
    /// Cases that are not good and are explained.
    pub(super) explained: usize,
    /// What is told of a good case.
    pub(super) good: Good,
}

/// What is told of a good case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Good {
    /// Its steps with this many characters of each output, and every expectation that held.
    Whole(usize),
    /// Its steps, and how many expectations held.
    Steps,
    /// That it passed.
    Line,
}

const LADDER: [Depth; 6] = [
    Depth {
        bad_output: 8000,
        diff_lines: 400,
        explained: usize::MAX,
        good: Good::Whole(2000),
    },
    Depth {
        bad_output: 4000,
        diff_lines: 200,
        explained: usize::MAX,
        good: Good::Whole(200),
    },
    Depth {
        bad_output: 2000,
        diff_lines: 60,
        explained: usize::MAX,
        good: Good::Steps,
    },
    Depth {
        bad_output: 1000,
        diff_lines: 24,
        explained: 1000,
        good: Good::Line,
    },
    Depth {
        bad_output: 200,
        diff_lines: 12,
        explained: 200,
        good: Good::Line,
    },
    Depth {
        bad_output: 0,
        diff_lines: 12,
        explained: 50,
        good: Good::Line,
    },
];

/// The deepest page that is small enough, or the shallowest one.
pub(super) fn render(report: &Report) -> String {
    let mut page = String::new();
    for depth in LADDER {
        page = page::page(report, depth);
        if page.len() < LARGEST {
            break;
        }
    }
    page
}
