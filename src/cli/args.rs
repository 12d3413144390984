//! The arguments, and the help that teaches them.

mod history;
mod numbers;
mod reports;
mod surface;

use std::{path::PathBuf, time::Duration};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use clap_complete::Shell;

pub use history::{
    CompareArguments, ExportArguments, GateArguments, HistoryArguments, HistoryCommand, HistoryFile, Rate,
    RegressionArguments, RunName, SuiteChoice,
};

pub use reports::{ReportArguments, ReportFile, ReportFiles};
pub use surface::{DiffArguments, SurfaceArguments, SurfaceFailOn};

use numbers::{concurrency, long_time, time};

use super::environment::expand_home;
use crate::{
    judge::assertions::ASSERTIONS,
    model::{FailOn, ServerScope},
    plan::{Filter, Shard},
    report::REPORTERS,
    text::parse_rate,
};

const EXIT_CODES: &str = "\
Exit codes:
  0  the gate is open: everything that ran passed
  1  the gate is closed: a case failed, or the server under test broke
  2  the input is wrong: usage, a fixture, the project file (the good files still ran)
  3  it could not be told: nothing ran, the run is incomplete, the surroundings failed";

const RUN_EXAMPLES: &str = "\
Examples:
  mcpvals run                                  every fixture below ./evals
  mcpvals run evals/notes.yaml --verbose       one file, with what passed
  mcpvals run --filter search --filter '/ › (find|list)$/'
  mcpvals run --rerun-failed                   only what did not pass last time
  mcpvals run --json report.json --junit junit.xml
  mcpvals run --shard 2/3 --max-time 5m        one of three machines, at most five minutes";

const REPORT_EXAMPLES: &str = "\
Examples:
  mcpvals report report.json                   on the terminal, as the run showed it
  mcpvals report report.json --html out.html --junit junit.xml";

/// The regression gate for MCP servers: runs fixtures against a server and says what broke
#[derive(Debug, Parser)]
#[command(version, about, after_help = EXIT_CODES, max_term_width = 100, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// One command each.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run fixtures against their servers and report what broke
    #[command(after_long_help = format!("{RUN_EXAMPLES}\n\n{EXIT_CODES}"))]
    Run(Box<RunArguments>),
    /// List the cases that a run would run
    List(ListArguments),
    /// Check fixtures and the project file without running anything
    #[command(after_long_help = expectations())]
    Validate(ValidateArguments),
    /// List recorded runs, or the results of one case over time
    #[command(after_long_help = history::HISTORY_EXAMPLES)]
    History(HistoryArguments),
    /// Say what regressed, was fixed, is new or removed between two runs
    #[command(after_long_help = history::COMPARE_EXAMPLES)]
    Compare(CompareArguments),
    /// Compare the newest recorded run with the one before it
    #[command(after_long_help = history::REGRESSION_EXAMPLES)]
    RegressionReport(RegressionArguments),
    /// Say whether enough cases passed in the last recorded runs
    #[command(after_long_help = history::GATE_EXAMPLES)]
    Gate(GateArguments),
    /// Write down what a server declares: tools, resources, prompts, capabilities, instructions
    #[command(after_long_help = surface::EXAMPLES)]
    Surface(SurfaceArguments),
    /// Write the reports of a run from the JSON report that it wrote
    #[command(after_long_help = REPORT_EXAMPLES)]
    Report(FromArguments),
    /// Compare two surfaces and say what the new one breaks
    #[command(after_long_help = surface::DIFF_EXIT_CODES)]
    Diff(DiffArguments),
    /// Print the JSON Schema of a file format, for editors and for readers of reports
    Schema(SchemaArguments),
    /// Serve the embedded demo server: a small calculator and notes server to try things on
    DemoServer(DemoServerArguments),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
}

/// What `report` gets.
#[derive(Debug, Args)]
pub struct FromArguments {
    /// The report that `mcpvals run --json FILE` wrote
    #[arg(value_name = "FROM")]
    pub from: PathBuf,

    #[command(flatten)]
    pub reports: ReportArguments,
}

/// Which fixtures.
#[derive(Debug, Args)]
pub struct Source {
    /// Files and folders with fixtures [default: evals]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The same as PATH, as mcp-eval-runner spells it
    #[arg(long, visible_alias = "fixtures-dir", value_name = "DIR")]
    pub fixtures: Vec<PathBuf>,

    /// Project file [default: mcpvals.yaml here or in a folder above, up to the repository's root]
    #[arg(long, value_name = "FILE")]
    pub project: Option<PathBuf>,
}

impl Source {
    /// The files and folders, with `~` expanded.
    pub fn paths(&self) -> Vec<PathBuf> {
        let paths: Vec<_> = self
            .paths
            .iter()
            .chain(&self.fixtures)
            .map(|path| expand_home(path))
            .collect();
        if paths.is_empty() {
            vec![PathBuf::from("evals")]
        } else {
            paths
        }
    }

    /// The project file, with `~` expanded.
    pub fn project(&self) -> Option<PathBuf> {
        self.project.as_deref().map(expand_home)
    }

    /// Whether the default folder is meant.
    pub fn is_default(&self) -> bool {
        self.paths.is_empty() && self.fixtures.is_empty()
    }
}

/// Which cases of them.
#[derive(Debug, Args)]
pub struct Selecting {
    /// Only cases whose `file › name` contains TEXT, or matches /REGEX/; may be given several times
    #[arg(short, long, value_name = "TEXT")]
    pub filter: Vec<Filter>,

    /// Only cases with this tag; may be given several times
    #[arg(short, long, value_name = "TAG")]
    pub tag: Vec<String>,

    /// Only part I of N, for several machines
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,

    /// Only cases that did not pass in the last run from this folder, or in REPORT (a --json file)
    #[arg(long, value_name = "REPORT", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "clap's form of a flag with an optional value")]
    pub rerun_failed: Option<Option<PathBuf>>,
}

/// `mcpvals run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    #[command(flatten)]
    pub source: Source,

    #[command(flatten, next_help_heading = "Which cases")]
    pub selecting: Selecting,

    /// Cases at a time, at most 256 [default: the number of cores]; 1 also means one server at a time
    #[arg(short = 'j', long, value_name = "N", value_parser = concurrency, help_heading = "How they run")]
    pub concurrency: Option<usize>,

    /// Share servers between cases: one each, one a file, or one for the whole run
    #[arg(long, value_name = "SCOPE", help_heading = "How they run")]
    pub server_scope: Option<ScopeArgument>,

    /// Limit of each call, in milliseconds or as 500ms, 30s, 2m [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "How they run")]
    pub timeout: Option<Duration>,

    /// Limit of a server's start, handshake included [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "How they run")]
    pub startup_timeout: Option<Duration>,

    /// Limit of the whole run, such as 90s, 5m or 1h; what is under way then is abandoned
    #[arg(long, value_name = "TIME", value_parser = long_time, help_heading = "How they run")]
    pub max_time: Option<Duration>,

    /// Try a case that does not pass up to N more times; one that passes then is reported as flaky
    #[arg(long, value_name = "N", help_heading = "How they run")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    pub retries: Option<u32>,

    /// Begin no further case once one has not passed
    #[arg(long, help_heading = "How they run")]
    pub fail_fast: bool,

    /// Run each case N times, to learn how many of its attempts pass and how long they take; without retries
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        hide_default_value = true,
        help_heading = "How they run"
    )]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,

    #[command(flatten, next_help_heading = "Against a baseline")]
    pub against: AgainstArguments,

    #[command(flatten, next_help_heading = "Reports")]
    pub reports: ReportArguments,

    /// Keep the wire traffic of each case in DIR, without secrets
    #[arg(long, value_name = "DIR", help_heading = "Reports")]
    pub transcript: Option<PathBuf>,

    /// Record the run in a history [default: ~/.mcp/evals.db]; see `mcpvals history`
    #[arg(long, visible_alias = "db-path", value_name = "PATH", num_args = 0..=1, help_heading = "Reports")]
    #[expect(clippy::option_option, reason = "clap's form of a flag with an optional value")]
    pub db: Option<Option<PathBuf>>,

    /// Append one line of JSON about the run to FILE
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub audit_log: Option<PathBuf>,
}

/// What a run is compared with, and what closes the gate.
#[derive(Debug, Args)]
pub struct AgainstArguments {
    /// Compare with the results in FILE, which an earlier run wrote
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Keep the results in FILE for later runs to be compared with
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,

    /// What closes the gate, several separated by commas [default: regressions with a baseline, else failures]
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = fail_on())]
    pub fail_on: Option<Vec<FailOn>>,

    /// The least part of the cases that must pass, as 0.9 or 90%
    #[arg(long, value_name = "RATE", value_parser = parse_rate)]
    pub min_pass_rate: Option<f64>,

    /// The largest part of the cases that may be errored, as 0.1 or 10%
    #[arg(long, value_name = "RATE", value_parser = parse_rate)]
    pub max_error_rate: Option<f64>,
}

/// `mcpvals list`.
#[derive(Debug, Args)]
pub struct ListArguments {
    #[command(flatten)]
    pub source: Source,

    #[command(flatten, next_help_heading = "Which cases")]
    pub selecting: Selecting,

    /// What goes to stdout
    #[arg(long, value_name = "FORMAT", default_value = "console", value_parser = ["console", "json"])]
    pub format: String,

    /// Colours on the terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

/// `mcpvals validate`.
#[derive(Debug, Args)]
pub struct ValidateArguments {
    #[command(flatten)]
    pub source: Source,

    /// Colours on the terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

/// `mcpvals schema`.
#[derive(Debug, Args)]
pub struct SchemaArguments {
    /// Which format
    #[arg(default_value = "fixture")]
    pub format: SchemaFormat,
}

/// A file format with a JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// A fixture
    Fixture,
    /// The project file mcpvals.yaml
    Project,
    /// The report that --json writes
    Report,
    /// What `mcpvals history export` writes
    History,
    /// A line of what --audit-log writes
    Audit,
    /// The surface that `mcpvals surface` writes
    Surface,
    /// The comparison that `mcpvals diff --format json` writes
    SurfaceDiff,
}

/// `mcpvals demo-server`.
#[derive(Debug, Args)]
pub struct DemoServerArguments {
    /// Serve streamable HTTP on this loopback port, at /mcp, instead of stdin and stdout
    #[arg(long, value_name = "PORT")]
    pub http: Option<u16>,
}

/// `mcpvals completions`.
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// Which shell
    pub shell: Shell,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How far servers are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScopeArgument {
    /// A fresh server for each case
    Case,
    /// One server for the cases of a file
    File,
    /// One server for all cases that declare the same one
    Run,
}

impl From<ScopeArgument> for ServerScope {
    fn from(scope: ScopeArgument) -> Self {
        match scope {
            ScopeArgument::Case => Self::Case,
            ScopeArgument::File => Self::File,
            ScopeArgument::Run => Self::Run,
        }
    }
}

fn formats() -> PossibleValuesParser {
    let values = REPORTERS
        .iter()
        .map(|reporter| PossibleValue::new(reporter.name).help(reporter.summary));
    PossibleValuesParser::new(values)
}

fn fail_on() -> impl TypedValueParser<Value = FailOn> {
    let values = FailOn::ALL
        .iter()
        .map(|(_, word, meaning)| PossibleValue::new(*word).help(*meaning));
    PossibleValuesParser::new(values).map(|word| {
        let found = FailOn::ALL.iter().find(|(_, known, _)| *known == word);
        found.map_or(FailOn::Failures, |(fail_on, _, _)| *fail_on)
    })
}

/// The keys of an `expect` block, for those who write fixtures.
fn expectations() -> String {
    let widest = ASSERTIONS.iter().map(|kind| kind.key.len()).max().unwrap_or_default();
    let lines = ASSERTIONS
        .iter()
        .map(|kind| format!("\n  {:widest$}  {}", kind.key, kind.summary));
    format!("What a step can expect:{}", lines.collect::<String>())
}
