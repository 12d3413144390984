//! `markdown`: for GitHub: the comment of a pull request, the summary of a job, the text of a check run.
//!
//! A report becomes a tree of [`block::Block`]s in the order of their importance, and a [`sheet::Sheet`] takes as many of
//! them as its budget allows: each whole or not at all, and nothing after the first that did not fit. What servers and
//! fixtures say is text everywhere ([`inline::Inline`]), never markup, mention, reference or link.

mod block;
mod difference;
mod explained;
mod folded;
mod inline;
mod page;
mod rows;
mod sheet;
mod size;
mod surface;

pub use page::markdown;
pub use size::Size;

use super::Reporter;

pub(super) const REPORTER: Reporter = Reporter {
    name: "markdown",
    title: "Markdown",
    summary: "for GitHub: fits a comment of a pull request, with --verbose the summary of a job",
    write: page::write,
};

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
