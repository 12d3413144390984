//! One look at a server: what does it declare?

use std::time::Duration;

use super::Redactor;
use crate::{
    mcp::{DEFAULT_MESSAGE_LIMIT, Limit, Session, SessionOptions},
    model::{Fault, ServerSpec, Surface, TimeLimit},
};

/// Starts or reaches a server, asks for its surface and ends it again. Nothing of what is told holds a secret.
pub async fn survey(
    server: &ServerSpec,
    startup_timeout: Duration,
    timeout: Duration,
    redactor: &Redactor,
) -> Result<Surface, Fault> {
    let options = SessionOptions {
        startup_timeout: TimeLimit::new(startup_timeout, "--startup-timeout"),
        message_limit: DEFAULT_MESSAGE_LIMIT,
        recorder: None,
    };
    let session = match Session::open(server, options).await {
        Ok(session) => session,
        Err(error) => return Err(redactor.fault(error.fault)),
    };
    let surface = session.surface(Limit::from_now(timeout, "--timeout")).await;
    session.close().await;
    match surface {
        Ok(surface) => Ok(redactor.surface(surface)),
        Err(fault) => Err(redactor.fault(fault)),
    }
}
