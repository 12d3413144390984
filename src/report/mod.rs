//! One file a format. A report is a pure function of [`Report`], so that the value printed live, read from a file or
//! compared in CI is rendered by the same code.

mod cause;
mod changes;
mod console;
mod counts;
mod coverage;
mod detail;
mod difference;
mod html;
mod json;
mod junit;
mod markdown;
mod remarks;
#[cfg(test)]
mod sample;
mod style;
mod surface_diff;

use std::io;

pub use console::LiveConsole;
pub use markdown::{Size, markdown};
pub use surface_diff::write_surface_diff;

use crate::model::Report;

/// One report format.
#[derive(Debug)]
pub struct Reporter {
    /// Its name on the command line, stable for ever.
    pub name: &'static str,
    /// Its name in a sentence.
    pub title: &'static str,
    /// What it is for, in one line.
    pub summary: &'static str,
    /// Writes the whole report.
    pub write: fn(&Report, Options, &mut dyn io::Write) -> io::Result<()>,
}

/// What the reader wants; formats for machines ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// How much is said.
    pub detail: Detail,
    /// Whether the reader sees colours.
    pub colour: Colour,
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// What did not pass, and the counts.
    #[default]
    Normal,
    /// The cases that passed, too.
    Verbose,
}

/// Whether the reader sees colours; nothing is said by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colour {
    /// Plain text.
    #[default]
    Plain,
    /// ANSI colours.
    Ansi,
}

/// Every format, in the order of `--help`.
pub static REPORTERS: &[Reporter] = &[
    console::REPORTER,
    json::REPORTER,
    junit::REPORTER,
    html::REPORTER,
    markdown::REPORTER,
];

/// The format with this name.
pub fn reporter(name: &str) -> Option<&'static Reporter> {
    REPORTERS.iter().find(|reporter| reporter.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (index, each) in REPORTERS.iter().enumerate() {
            let found = REPORTERS.iter().position(|other| other.name == each.name);
            assert_eq!(found, Some(index));
            assert_eq!(reporter(each.name).map(|found| found.summary), Some(each.summary));
        }
        assert!(reporter("pdf").is_none());
    }
}
