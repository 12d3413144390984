//! Where the text goes, and how much of everything is told there.

/// A place on GitHub that takes Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// A comment of a pull request.
    Comment,
    /// The summary of a check run.
    CheckRun,
    /// The summary of a job.
    JobSummary,
}

/// How much of everything is told, where there is room for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Depth {
    /// Rows of one list of what did not break.
    pub(super) rows: usize,
    /// Cases that are explained.
    pub(super) explained: usize,
    /// Lines of a difference.
    pub(super) diff_lines: usize,
    /// Lines of an output and of the evidence of a fault.
    pub(super) output_lines: usize,
    /// What is told of the cases that nobody has to look at.
    pub(super) quiet: Quiet,
}

/// What is told of the cases that nobody has to look at: those that passed, and those that failed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quiet {
    /// How many there are.
    Counted,
    /// Each of them.
    Told,
}

impl Size {
    /// Bytes that are safe there: below the limit by what a publisher puts around the text.
    pub const fn bytes(self) -> usize {
        match self {
            // 65,536 characters, beyond which the API answers 422 "Body is too long".
            Self::Comment => 60_000,
            // 65,535 characters of `output.summary` (REST API, "Create a check run").
            Self::CheckRun => 65_000,
            // 1 MiB a step, beyond which the runner drops all of it (`FileCommandManager.cs`).
            Self::JobSummary => 1_000_000,
        }
    }

    pub(super) const fn depth(self) -> Depth {
        match self {
            Self::Comment | Self::CheckRun => Depth {
                rows: 25,
                explained: 10,
                diff_lines: 24,
                output_lines: 10,
                quiet: Quiet::Counted,
            },
            Self::JobSummary => Depth {
                rows: 5000,
                explained: 500,
                diff_lines: 200,
                output_lines: 60,
                quiet: Quiet::Told,
            },
        }
    }
}
