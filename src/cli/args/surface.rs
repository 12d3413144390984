//! What `mcpvals surface` and `mcpvals diff` get.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};

use super::{ColorChoice, time};

pub(super) const EXAMPLES: &str = "\
Examples:
  mcpvals surface -- node dist/index.js > surface.json
  mcpvals surface --url http://localhost:3000/mcp -o surface.json
  mcpvals surface notes                        a server of the project file";

pub(super) const DIFF_EXIT_CODES: &str = "\
Exit codes:
  0  nothing that --fail-on names, or the project file allows it
  1  something broke
  2  a file is no surface, or the project file is wrong";

/// `mcpvals surface`.
#[derive(Debug, Args)]
pub struct SurfaceArguments {
    /// A server of the project file
    #[arg(value_name = "NAME", conflicts_with_all = ["url", "command"])]
    pub name: Option<String>,

    /// Endpoint of a streamable HTTP server
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub url: Option<String>,

    /// Command that starts a server on stdin and stdout
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,

    /// Write into FILE instead of to stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Project file [default: mcpvals.yaml here or in a folder above, up to the repository's root]
    #[arg(long, value_name = "FILE")]
    pub project: Option<PathBuf>,

    /// Limit of the server's start, handshake included [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub startup_timeout: Option<Duration>,

    /// Limit of all lists together [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,

    /// Colours on the terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

/// `mcpvals diff`.
#[derive(Debug, Args)]
pub struct DiffArguments {
    /// The surface before (a file that `mcpvals surface` wrote)
    pub old: PathBuf,

    /// The surface now
    pub new: PathBuf,

    /// Which changes end with exit code 1, unless the project file allows them
    #[arg(long, value_name = "CLASS", default_value = "breaking")]
    pub fail_on: SurfaceFailOn,

    /// What goes to stdout
    #[arg(long, value_name = "FORMAT", default_value = "console", value_parser = ["console", "json"])]
    pub format: String,

    /// Project file, for what it allows [default: mcpvals.yaml here or in a folder above]
    #[arg(long, value_name = "FILE")]
    pub project: Option<PathBuf>,

    /// Colours on the terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

/// From which class on changes of a surface close the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SurfaceFailOn {
    /// What worked does not any more
    Breaking,
    /// What may break, too
    Risky,
    /// Nothing
    Never,
}
