//! The transport itself: its tasks, from the first message to the last.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::oneshot,
    task::{AbortHandle, JoinSet},
    time::{sleep, timeout},
};

use super::{
    client,
    endpoint::{Call, Endpoint, Limits},
    listen, post, start,
};
use crate::{
    mcp::{
        Recorder,
        process::Process,
        transport::{BoxFuture, Inbox, Outgoing, OutgoingKind, Transport},
    },
    model::{Fault, FaultKind, HttpSpec, Phase},
};

/// How long a notification may wait for its 202 before we go on without it.
const NOTIFICATION_LIMIT: Duration = Duration::from_secs(2);
/// How long open requests may take to find their own end after the server has ended: an answer may be on its way.
const AFTERLIFE: Duration = Duration::from_millis(500);
/// How long a server may take to end the session.
const FAREWELL_LIMIT: Duration = Duration::from_secs(1);

/// A streamable HTTP endpoint.
///
/// Every message has a task of its own. A task ends with its exchange, or when who waits for the answer gives it up.
pub(crate) struct HttpTransport {
    endpoint: Arc<Endpoint>,
    tasks: Mutex<Tasks>,
}

/// The running tasks; none are taken on after the end.
struct Tasks {
    running: Option<JoinSet<()>>,
    listener: Option<AbortHandle>,
    requests: HashMap<u64, AbortHandle>,
}

impl HttpTransport {
    /// Starts the server where that is ours to do, and makes ready to speak to it. A server that does not listen yet is
    /// waited for until the deadline, by the first message. On failure nothing is left running.
    pub(crate) async fn open(
        spec: &HttpSpec,
        inbox: Arc<dyn Inbox>,
        limits: Limits,
        recorder: Option<&Arc<dyn Recorder>>,
    ) -> Result<Arc<Self>, Fault> {
        let (process, url) = match &spec.start {
            Some(launch) => {
                let started = start::start(launch, spec, limits.startup, recorder).await?;
                (Some(started.process), started.url)
            }
            None => (None, client::parse_url(&spec.url)?),
        };
        let endpoint = match Endpoint::new(url, &spec.headers, process.clone(), inbox, limits) {
            Ok(endpoint) => Arc::new(endpoint),
            Err(fault) => {
                if let Some(process) = process {
                    process.end().await;
                }
                return Err(fault);
            }
        };
        let mut running = JoinSet::new();
        if let Some(process) = process {
            let endpoint = Arc::clone(&endpoint);
            running.spawn(async move { watch(&endpoint, &process).await });
        }
        let tasks = Mutex::new(Tasks {
            running: Some(running),
            listener: None,
            requests: HashMap::new(),
        });
        Ok(Arc::new(Self { endpoint, tasks }))
    }

    /// The address as messages show it.
    #[cfg(test)]
    pub(super) fn address(&self) -> String {
        self.endpoint.address()
    }

    async fn hand_over(&self, message: Outgoing) -> Result<(), Fault> {
        let endpoint = Arc::clone(&self.endpoint);
        let text = message.text;
        if let OutgoingKind::Request { id } = message.kind {
            let task = self.spawn(async move { post::request(&endpoint, id, text).await })?;
            let requests = &mut self.tasks().requests;
            requests.retain(|_, task| !task.is_finished());
            requests.insert(id, task);
            return Ok(());
        }
        // The order of messages is kept: what follows is sent only when the server has taken this one.
        let (taken, outcome) = oneshot::channel();
        self.spawn(async move { post::notify(&endpoint, text, taken).await })?;
        match timeout(NOTIFICATION_LIMIT, outcome).await {
            Ok(outcome) => outcome.unwrap_or_else(|_dropped| Err(closed())),
            Err(_elapsed) => {
                let message = format!(
                    "a notification was not answered within {} s",
                    NOTIFICATION_LIMIT.as_secs()
                );
                self.endpoint.remark("", "http-notification", message);
                Ok(())
            }
        }
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> Result<AbortHandle, Fault> {
        let mut tasks = self.tasks();
        let running = tasks.running.as_mut().ok_or_else(closed)?;
        while running.try_join_next().is_some() {}
        Ok(running.spawn(task))
    }

    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for HttpTransport {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), Fault>> {
        Box::pin(self.hand_over(message))
    }

    fn negotiated(&self, version: &str) {
        self.endpoint.settle_version(version);
    }

    fn ready(&self) {
        let endpoint = Arc::clone(&self.endpoint);
        let listener = self.spawn(async move { listen::listen(&endpoint).await });
        // After a lost session the old stream is of no use any more.
        let earlier = std::mem::replace(&mut self.tasks().listener, listener.ok());
        if let Some(earlier) = earlier {
            earlier.abort();
        }
    }

    fn forget(&self, id: u64) {
        let task = self.tasks().requests.remove(&id);
        if let Some(task) = task {
            task.abort();
        }
    }

    fn evidence(&self, request: Option<u64>) -> Vec<String> {
        let process = self.endpoint.process.as_ref().map(|process| process.evidence());
        let progress = request.and_then(|id| self.endpoint.progress.line(id));
        progress.into_iter().chain(process.unwrap_or_default()).collect()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let running = self.tasks().running.take();
            if self.endpoint.has_session() {
                // A server that will not end its session (405), or is gone, has nothing to tell us any more.
                let _ = timeout(FAREWELL_LIMIT, self.endpoint.exchange(&Call::Delete, Phase::Call)).await;
                self.endpoint.forget_session();
            }
            if let Some(mut running) = running {
                running.shutdown().await;
            }
            if let Some(process) = &self.endpoint.process {
                process.end().await;
            }
        })
    }
}

/// Waits for the end of the server's process and tells of it, unless what it started listens in its place.
async fn watch(endpoint: &Endpoint, process: &Process) {
    let status = process.wait().await;
    if start::can_connect(&endpoint.url).await {
        return;
    }
    endpoint.inbox.retired();
    sleep(AFTERLIFE).await;
    let message = format!("the server exited ({status})");
    endpoint
        .inbox
        .closed(Fault::server(FaultKind::Exited, Phase::Call, message));
}

fn closed() -> Fault {
    Fault::surroundings(FaultKind::Closed, Phase::Call, "the connection was closed by us")
}
