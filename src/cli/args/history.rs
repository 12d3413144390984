//! The arguments of the commands that look at earlier runs.

use std::{convert::Infallible, num::NonZeroUsize, path::PathBuf, str::FromStr};

use clap::{Args, Subcommand};

/// Where the history is.
#[derive(Debug, Args)]
pub struct HistoryFile {
    /// The history [default: `history.db` of the project file, else ~/.mcp/evals.db]
    #[arg(long, visible_alias = "db-path", value_name = "PATH")]
    pub db: Option<PathBuf>,
}

/// Which runs belong together.
#[derive(Debug, Args)]
pub struct SuiteChoice {
    /// Runs of this suite: its name in `mcpvals history`, or a part of it [default: the one that was last run from
    /// this folder as a whole]
    #[arg(long, value_name = "TEXT")]
    pub suite: Option<String>,
}

pub(super) const HISTORY_EXAMPLES: &str = "\
Runs are recorded by `mcpvals run --db`, or by a `history` block in the project file.

Examples:
  mcpvals history                              the newest runs
  mcpvals history --case 'notes › find'        one case over time
  mcpvals history export --output runs.json    everything, as mcpvals.history/v1

Exit codes:
  0  there are runs
  3  there is none";

pub(super) const COMPARE_EXAMPLES: &str = "\
A run is named by
  its number       as `mcpvals history` lists it
  latest           the newest run of the suite
  latest~N         the Nth before it
  a file           a report that `mcpvals run --json FILE` wrote

Examples:
  mcpvals compare latest~1 latest
  mcpvals compare main.json report.json        two reports, without any history

Exit codes:
  0  nothing regressed
  1  a case regressed: it was good in RUN_A and is not in RUN_B
  2  there is no such run
  3  there is nothing to compare";

pub(super) const REGRESSION_EXAMPLES: &str = "\
Compares the newest run of a suite with the one before it. Nothing is run.

Exit codes:
  0  nothing regressed
  1  a case regressed
  3  fewer than two runs of the suite are recorded";

pub(super) const GATE_EXAMPLES: &str = "\
The rate is that of all cases of the runs together; skipped cases do not count, flaky ones passed.

Examples:
  mcpvals gate --min-pass-rate 0.95
  mcpvals gate --min-pass-rate 95% --lookback 1 --suite notes/evals

Exit codes:
  0  the rate is reached
  1  it is not
  3  it cannot be told: no run of the suite is recorded, or nothing ran in them";

/// `mcpvals history`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct HistoryArguments {
    /// Something else than a list.
    #[command(subcommand)]
    pub command: Option<HistoryCommand>,

    #[command(flatten)]
    pub file: HistoryFile,

    /// At most N lines
    #[arg(long, value_name = "N", default_value = "20")]
    pub limit: NonZeroUsize,

    /// The results of the cases whose `file › name` contains TEXT, instead of the runs
    #[arg(long, value_name = "TEXT")]
    pub case: Option<String>,

    /// What goes to stdout
    #[arg(long, value_name = "FORMAT", default_value = "console", value_parser = ["console", "json"])]
    pub format: String,
}

/// What else can be done with a history.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Write everything that is recorded as JSON (mcpvals.history/v1)
    Export(ExportArguments),
}

/// `mcpvals history export`.
#[derive(Debug, Args)]
pub struct ExportArguments {
    #[command(flatten)]
    pub file: HistoryFile,

    /// The file to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `mcpvals compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// The earlier run
    #[arg(value_name = "RUN_A")]
    pub before: RunName,

    /// The later run
    #[arg(value_name = "RUN_B")]
    pub after: RunName,

    #[command(flatten)]
    pub suite: SuiteChoice,

    #[command(flatten)]
    pub file: HistoryFile,
}

/// `mcpvals regression-report`.
#[derive(Debug, Args)]
pub struct RegressionArguments {
    #[command(flatten)]
    pub suite: SuiteChoice,

    #[command(flatten)]
    pub file: HistoryFile,
}

/// `mcpvals gate`.
#[derive(Debug, Args)]
pub struct GateArguments {
    /// The least rate of cases that pass, from 0 to 1, or as 95%
    #[arg(long, value_name = "RATE")]
    pub min_pass_rate: Rate,

    /// How many of the newest runs count
    #[arg(long, visible_alias = "lookback-runs", value_name = "N", default_value = "10")]
    pub lookback: NonZeroUsize,

    #[command(flatten)]
    pub suite: SuiteChoice,

    #[command(flatten)]
    pub file: HistoryFile,
}

/// How a user names a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunName {
    /// By its number.
    Number(i64),
    /// By its distance from the newest run of a suite.
    Latest(usize),
    /// By the file of its report.
    File(PathBuf),
}

impl FromStr for RunName {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let latest = match text.strip_prefix("latest") {
            Some("") => Some(0),
            Some(rest) => rest.strip_prefix('~').and_then(|back| back.parse().ok()),
            None => None,
        };
        Ok(match (latest, text.parse()) {
            (Some(back), _) => Self::Latest(back),
            (None, Ok(number)) => Self::Number(number),
            (None, Err(_)) => Self::File(text.into()),
        })
    }
}

/// A part of a whole, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate(pub f64);

impl FromStr for Rate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rate = match text.strip_suffix('%') {
            Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
            None => text.parse(),
        };
        let is_part = |rate: &f64| (0.0..=1.0).contains(rate);
        let rate = rate.ok().filter(is_part);
        rate.map(Self)
            .ok_or("a rate is a number from 0 to 1, or a percentage such as 95%")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_in_three_ways() {
        let named = |text: &str| text.parse::<RunName>().expect("every text names something");
        assert_eq!(named("latest"), RunName::Latest(0));
        assert_eq!(named("latest~3"), RunName::Latest(3));
        assert_eq!(named("42"), RunName::Number(42));
        for file in ["report.json", "latest.json", "latest~x", "./42"] {
            assert_eq!(named(file), RunName::File(file.into()));
        }
    }

    #[test]
    fn a_rate_is_a_number_or_a_percentage() {
        let rate = |text: &str| text.parse::<Rate>().map(|rate| rate.0);
        assert_eq!((rate("0.9"), rate("90%"), rate("1")), (Ok(0.9), Ok(0.9), Ok(1.0)));
        for wrong in ["90", "-0.1", "101%", "most", "NaN", "%"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }
}
