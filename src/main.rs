//! The `mcpvals` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcpvals::cli::main()
}
