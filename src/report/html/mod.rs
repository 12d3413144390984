//! `html`: one file that needs nothing else, for a browser: the verdict, what changed, and every case to look into.
//!
//! It works without JavaScript; a small script, allowed by its hash alone, adds the filter. What servers and fixtures say
//! is text everywhere, never markup.

#![expect(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "a page is put together from short texts, once"
)]

mod cases;
mod depth;
mod difference;
mod escape;
mod latency;
mod overview;
mod page;
mod surface;

use std::io;

use super::{Options, Reporter};
use crate::model::Report;

pub(super) const REPORTER: Reporter = Reporter {
    name: "html",
    title: "HTML",
    summary: "for browsers: one file with every case, its steps and differences, and a filter",
    write,
};

fn write(report: &Report, _: Options, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(depth::render(report).as_bytes())
}

#[cfg(test)]
mod tests;
