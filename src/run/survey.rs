//! One look at a server: what does it declare?

use std::{collections::BTreeMap, sync::Arc};

use super::{Redactor, Stop, StopReason, step::interrupted};
use crate::{
    mcp::{DEFAULT_MESSAGE_LIMIT, Session, SessionOptions},
    model::{Fault, ServerSpec, Surface, TimeLimit},
    plan::Asked,
};

/// What the servers of a run declare, by their labels; where that could not be had, why.
pub type Surfaces = BTreeMap<Arc<str>, Result<Surface, Fault>>;

/// Looks at each server, one after the other. Each look is at a fresh one, so that no case is any different for it.
pub(super) async fn survey_all(
    servers: BTreeMap<Arc<str>, Asked>,
    limit: TimeLimit,
    redactor: &Redactor,
    stop: &Stop,
) -> Surfaces {
    let mut surfaces = Surfaces::new();
    for (label, Asked { spec, .. }) in servers {
        let surface = if stop.is_stopped() {
            None
        } else {
            stop.unless_abandoned(survey(&spec, limit, limit, redactor)).await
        };
        let stopped = || Err(interrupted(&stop.reason().map(StopReason::words).unwrap_or_default()));
        surfaces.insert(label, surface.unwrap_or_else(stopped));
    }
    surfaces
}

/// Starts or reaches a server, asks for its surface and ends it again. Nothing of what is told holds a secret.
pub async fn survey(
    server: &ServerSpec,
    startup_timeout: TimeLimit,
    timeout: TimeLimit,
    redactor: &Redactor,
) -> Result<Surface, Fault> {
    let options = SessionOptions {
        startup_timeout,
        message_limit: DEFAULT_MESSAGE_LIMIT,
        recorder: None,
    };
    let session = match Session::open(server, options).await {
        Ok(session) => session,
        Err(error) => return Err(redactor.fault(error.fault)),
    };
    let surface = session.surface(timeout).await;
    session.close().await;
    match surface {
        Ok(surface) => Ok(redactor.surface(surface)),
        Err(fault) => Err(redactor.fault(fault)),
    }
}
