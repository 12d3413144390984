//! The streamable HTTP transport: one POST a message, answers as JSON or as an event stream.

use std::sync::Arc;

use super::{BoxFuture, Inbox, Outgoing, Transport};
use crate::model::{Fault, FaultKind, HttpSpec, Phase};

/// A streamable HTTP endpoint.
#[derive(Debug)]
pub(crate) struct HttpTransport {}

impl HttpTransport {
    /// Reaches the endpoint, starting its server first where that is ours to do.
    pub(crate) async fn open(
        spec: &HttpSpec,
        inbox: Arc<dyn Inbox>,
        deadline: tokio::time::Instant,
    ) -> Result<Arc<Self>, Fault> {
        let _ = (spec, inbox, deadline);
        std::future::ready(Err(unavailable())).await
    }
}

impl Transport for HttpTransport {
    fn send(&self, _: Outgoing) -> BoxFuture<'_, Result<(), Fault>> {
        Box::pin(std::future::ready(Err(unavailable())))
    }

    fn evidence(&self) -> Vec<String> {
        Vec::new()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

fn unavailable() -> Fault {
    Fault::surroundings(FaultKind::Unavailable, Phase::Start, "streamable HTTP is not built yet")
}
