//! The files that a run writes its report into.

use std::path::{Path, PathBuf};

use clap::Args;

/// One flag a format, called like it.
#[derive(Debug, Args)]
pub struct ReportFiles {
    /// Write the report as JSON (`mcpvals schema report` describes it)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the report as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Write the report as one HTML page for a browser, which needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the report as Markdown that fits a comment of a pull request
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

impl ReportFiles {
    /// The files that are asked for, with the names of their formats.
    pub fn asked(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [
            ("json", &self.json),
            ("junit", &self.junit),
            ("html", &self.html),
            ("markdown", &self.markdown),
        ];
        files
            .into_iter()
            .filter_map(|(name, path)| Some((name, path.as_deref()?)))
    }
}
