//! The flags of the reports: one a format, from the registry.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::{ColorChoice, formats};
use crate::{
    cli::environment::expand_home,
    report::{REPORTERS, Reporter},
};

/// Which reports are written, and where to.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// What goes to stdout
    #[arg(long, value_name = "FORMAT", default_value = "console", value_parser = formats())]
    pub format: String,

    #[command(flatten)]
    pub files: ReportFiles,

    /// Show the cases that passed, too
    #[arg(short, long)]
    pub verbose: bool,

    /// Colours on the terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

/// The reports that go into files: `--json FILE` and the like.
#[derive(Debug, Default)]
pub struct ReportFiles(pub Vec<ReportFile>);

/// A report that goes into a file.
#[derive(Debug)]
pub struct ReportFile {
    /// The format.
    pub reporter: &'static Reporter,
    /// The file.
    pub path: PathBuf,
}

/// The formats that are worth a file: what people read on a terminal is not.
fn reporters() -> impl Iterator<Item = &'static Reporter> {
    REPORTERS.iter().filter(|reporter| reporter.name != "console")
}

impl Args for ReportFiles {
    fn augment_args(command: Command) -> Command {
        reporters().fold(command, |command, reporter| {
            command.arg(
                Arg::new(reporter.name)
                    .long(reporter.name)
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help(format!("Write the {} report ({})", reporter.title, reporter.summary)),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReportFiles {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let asked = reporters().filter_map(|reporter| {
            let path: &PathBuf = matches.get_one(reporter.name)?;
            Some(ReportFile {
                reporter,
                path: expand_home(path),
            })
        });
        Ok(Self(asked.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
