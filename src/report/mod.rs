//! One file a format. A report is a pure function of [`Report`](crate::model::Report), so that the value printed live,
//! read from a file or compared in CI is rendered by the same code.

use std::io;

use crate::model::Report;

/// One report format.
pub trait Reporter {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Writes the whole report.
    fn write(&self, report: &Report, out: &mut dyn io::Write) -> io::Result<()>;
}
