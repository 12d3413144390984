//! From the process's arguments to its exit code.

use std::process;

use clap::Parser;
use tracing_subscriber::filter::LevelFilter;

use super::{
    args::{Arguments, ColorChoice, Command},
    compare, completions, demo_server, diff, environment,
    failure::Failure,
    gate, history, list, output, report, run, schema, signals, surface, validate,
};
use crate::{model::ExitCode, report::Colour};

/// Reads the arguments, runs the command, gives the exit code.
pub fn main() -> process::ExitCode {
    let arguments = Arguments::parse();
    start_logging();
    // The provider can only be installed once; that another one is there already is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // One thread serves every case: the work is in the servers, and answers then need no hop between threads.
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&format!("the runtime could not be started: {error}")),
    };
    let exit = runtime.block_on(async {
        signals::bear_limits_of_files();
        match arguments.command {
            Command::Run(arguments) => run::run(arguments).await,
            Command::List(arguments) => list::list(&arguments),
            Command::Validate(arguments) => validate::validate(&arguments),
            Command::History(arguments) => history::history(&arguments),
            Command::Compare(arguments) => compare::compare(&arguments),
            Command::RegressionReport(arguments) => compare::regression_report(&arguments),
            Command::Gate(arguments) => gate::gate(&arguments),
            Command::Schema(arguments) => schema::schema(&arguments),
            Command::Surface(arguments) => surface::surface(arguments).await,
            Command::Report(arguments) => report::report(&arguments),
            Command::Diff(arguments) => diff::diff(&arguments),
            Command::DemoServer(arguments) => demo_server::serve(arguments).await,
            Command::Completions(arguments) => completions::print(&arguments),
        }
    });
    // Reading stdin for the demo server blocks a thread that nothing can end.
    runtime.shutdown_background();
    match exit {
        Ok(exit) => process::ExitCode::from(exit.number()),
        Err(Failure::Usage(message)) => {
            output::complain(&message);
            process::ExitCode::from(ExitCode::InputWrong.number())
        }
        Err(Failure::Surroundings(message)) => failed(&message),
    }
}

fn failed(message: &str) -> process::ExitCode {
    output::complain(message);
    process::ExitCode::from(ExitCode::CouldNotTell.number())
}

/// Our own log, for those who debug us: `MCPVALS_LOG=debug`.
fn start_logging() {
    let level = environment::variable("MCPVALS_LOG").and_then(|level| level.parse().ok());
    tracing_subscriber::fmt()
        .with_max_level(level.unwrap_or(LevelFilter::WARN))
        .with_writer(std::io::stderr)
        .with_ansi(output::colour(ColorChoice::Auto, &std::io::stderr()) == Colour::Ansi)
        .init();
}
