//! One open connection to a server: requests and ids, limits, cancellation, and what the server asked of us.

use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value};

use super::Recorder;
use crate::model::{Fault, Finding, Reply, ServerIdentity, ServerSpec};

/// An open, initialized connection. Calls may overlap; answers find their request by id.
#[derive(Debug)]
pub struct Session {}

/// What a session is opened with.
#[derive(Clone)]
pub struct SessionOptions {
    /// From the start of the process (or the first connection) to the end of the handshake.
    pub startup_timeout: Duration,
    /// Largest message that is kept, in bytes.
    pub message_limit: usize,
    /// Who sees the traffic.
    pub recorder: Option<Arc<dyn Recorder>>,
}

/// An answered call.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What came back.
    pub reply: Reply,
    /// From the request written to the answer read.
    pub latency: Duration,
    /// Methods of the requests the server made while the call was open.
    pub server_requests: Vec<String>,
}

/// Why no session could be opened, and what was seen of the server on the way.
#[derive(Debug, Clone)]
pub struct OpenError {
    /// What happened.
    pub fault: Fault,
    /// Remarks about the server.
    pub findings: Vec<Finding>,
}

impl Session {
    /// Starts or reaches the server and completes the handshake within `startup_timeout`.
    /// On failure nothing of the server is left running.
    pub async fn open(spec: &ServerSpec, options: SessionOptions) -> Result<Arc<Self>, OpenError> {
        let _ = (spec, options);
        unimplemented!()
    }

    /// What the server said of itself.
    pub fn identity(&self) -> &ServerIdentity {
        unimplemented!()
    }

    /// How long start and handshake took.
    pub fn startup(&self) -> Duration {
        unimplemented!()
    }

    /// The names in `tools/list`, in the server's order, all pages; asked once, then remembered.
    pub async fn tool_names(&self, limit: Duration) -> Result<Arc<[String]>, Fault> {
        let _ = limit;
        unimplemented!()
    }

    /// Calls a tool. After `limit` the call is cancelled at the server and a timeout is returned.
    pub async fn call_tool(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        limit: Duration,
    ) -> Result<Answer, Fault> {
        let _ = (tool, arguments, limit);
        unimplemented!()
    }

    /// Whether calls can still be answered.
    pub fn is_open(&self) -> bool {
        unimplemented!()
    }

    /// Remarks gathered so far, each kind once.
    pub fn findings(&self) -> Vec<Finding> {
        unimplemented!()
    }

    /// Ends the connection and the whole process tree; returns when nothing of it is left. Safe to call twice.
    pub async fn close(&self) {
        unimplemented!()
    }
}
