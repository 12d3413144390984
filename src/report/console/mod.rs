//! `console`: the verdict first, then what did not pass and why, everything else folded.

mod comparison;
mod folded;
mod heard;
mod live;
mod sections;

pub use live::LiveConsole;

use super::Reporter;

pub(super) const REPORTER: Reporter = Reporter {
    name: "console",
    title: "console",
    summary: "for people: the verdict first, then what did not pass and why",
    write: sections::write,
};

#[cfg(test)]
mod tests;
