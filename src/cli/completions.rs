//! `mcpvals completions`.

use clap::CommandFactory;

use super::{
    args::{Arguments, CompletionsArguments},
    failure::Failure,
    output,
};
use crate::model::ExitCode;

/// Prints a completion script.
pub fn print(arguments: &CompletionsArguments) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "mcpvals", &mut script);
    output::to_stdout(|out| out.write_all(&script))?;
    Ok(ExitCode::Open)
}
