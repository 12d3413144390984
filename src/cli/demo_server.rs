//! `mcpvals demo-server`.

use super::{args::DemoServerArguments, failure::Failure};
use crate::{demo, model::ExitCode};

/// Serves until stdin ends or the process is told to stop.
pub async fn serve(arguments: DemoServerArguments) -> Result<ExitCode, Failure> {
    let served = match arguments.http {
        Some(port) => demo::serve_http(port).await,
        None => demo::serve_stdio().await,
    };
    match served {
        Ok(()) => Ok(ExitCode::Open),
        Err(error) => Err(format!("the demo server stopped: {error}").into()),
    }
}
