//! Who gets which server: a fresh one for a case, or one shared by a file or by the run.

use std::{
    collections::HashMap,
    future::Future,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::{
    sync::{OwnedRwLockReadGuard, RwLock},
    task::JoinSet,
};

use super::transcript::Transcripts;
use crate::{
    mcp::{DEFAULT_MESSAGE_LIMIT, OpenError, Recorder, Session, SessionOptions},
    model::{Fault, FaultKind, Finding, Phase, ServerScope, ServerSpec, TimeLimit},
    plan::{PlannedCase, Target},
};

/// The servers of a run. Dropping it kills what is left; [`shut_down`](Servers::shut_down) ends it in good order.
pub struct Servers {
    startup_timeout: TimeLimit,
    transcripts: Option<Transcripts>,
    shared: Mutex<HashMap<ShareKey, Arc<tokio::sync::Mutex<Slot>>>>,
    /// Addresses that could not be reached; no later case waits for them again.
    dead: Mutex<HashMap<String, OpenError>>,
    closing: Mutex<JoinSet<()>>,
    farewell: Farewell,
}

/// When a server that a case had for itself is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Farewell {
    /// While the next cases run.
    Behind,
    /// Before the next case begins, so that there is one server at a time.
    Before,
}

/// Which time a case asks for a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    /// For its first attempt.
    First,
    /// For another attempt: a shared server that could not be started is tried anew.
    Again,
}

/// A server that could not be had, and how long it took to find out.
pub(super) struct NotOpened {
    /// Why.
    pub error: OpenError,
    /// Zero where it was known already.
    pub took: Duration,
}

/// A server for one case.
pub(super) struct Lease {
    /// The open session.
    pub session: Arc<Session>,
    /// Time its start took, where it was started for this case.
    pub startup: Option<Duration>,
    /// Remarks about how it was come by.
    pub findings: Vec<Finding>,
    /// Keeps a shared server from being closed under the case.
    user: Option<OwnedRwLockReadGuard<()>>,
}

/// What cases share: the servers are equal, and the file too where the scope is a file.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ShareKey {
    spec: Arc<ServerSpec>,
    file: Option<Arc<str>>,
}

#[derive(Default)]
enum Slot {
    #[default]
    Empty,
    Open(Shared),
    /// It could not be opened; no later case waits for that again.
    Failed(OpenError),
}

/// A session that cases share. Each of them holds `users` shared; who ends the session while cases may run takes it
/// alone.
struct Shared {
    session: Arc<Session>,
    users: Arc<RwLock<()>>,
}

impl Shared {
    fn new(session: Arc<Session>) -> Self {
        Self {
            session,
            users: Arc::default(),
        }
    }

    /// The session for the case that opened it, or for one more.
    fn lease(&self, session: Arc<Session>) -> Lease {
        let user = Arc::clone(&self.users).try_read_owned();
        Lease {
            session,
            startup: None,
            findings: Vec::new(),
            user: Some(user.expect("a session that stands in its slot is not being closed")),
        }
    }
}

impl Servers {
    /// Servers with this limit of their start, and a transcript of each where a folder is given.
    pub(super) fn new(startup_timeout: TimeLimit, transcripts: Option<Transcripts>, farewell: Farewell) -> Self {
        Self {
            startup_timeout,
            transcripts,
            shared: Mutex::default(),
            dead: Mutex::default(),
            closing: Mutex::default(),
            farewell,
        }
    }

    /// A server for the case, or nothing for a simulated one.
    pub(super) async fn lease(&self, case: &CaseServer, asking: Asking) -> Result<Option<Lease>, NotOpened> {
        let Some(spec) = &case.spec else { return Ok(None) };
        let file = match case.scope {
            ServerScope::Case => {
                let session = self.open(spec, &case.name).await?;
                return Ok(Some(Lease {
                    startup: Some(session.startup()),
                    session,
                    findings: Vec::new(),
                    user: None,
                }));
            }
            ServerScope::File => Some(Arc::clone(&case.file)),
            ServerScope::Run => None,
        };
        let key = ShareKey {
            spec: Arc::clone(spec),
            file,
        };
        self.share(key, &case.name, asking).await.map(Some)
    }

    async fn share(&self, key: ShareKey, name: &str, asking: Asking) -> Result<Lease, NotOpened> {
        let spec = Arc::clone(&key.spec);
        let slot = {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(shared.entry(key).or_default())
        };
        let mut slot = slot.lock().await;
        let mut findings = Vec::new();
        match std::mem::take(&mut *slot) {
            Slot::Open(shared) if shared.session.is_open() => {
                let lease = shared.lease(shared.session.for_another_user());
                *slot = Slot::Open(shared);
                return Ok(lease);
            }
            Slot::Open(ended) => {
                self.close_behind_its_users(ended);
                findings.push(Finding::new(
                    "server-restarted",
                    "the shared server had ended in an earlier case and was started again",
                ));
            }
            Slot::Failed(error) if asking == Asking::First => {
                *slot = Slot::Failed(error.clone());
                return Err(NotOpened {
                    error,
                    took: Duration::ZERO,
                });
            }
            Slot::Failed(_) | Slot::Empty => {}
        }
        match self.open(&spec, &format!("shared server of {name}")).await {
            Ok(session) => {
                let shared = Shared::new(session);
                let lease = Lease {
                    startup: Some(shared.session.startup()),
                    findings,
                    ..shared.lease(Arc::clone(&shared.session))
                };
                *slot = Slot::Open(shared);
                Ok(lease)
            }
            Err(failure) => {
                *slot = Slot::Failed(failure.error.clone());
                Err(failure)
            }
        }
    }

    async fn open(&self, spec: &ServerSpec, name: &str) -> Result<Arc<Session>, NotOpened> {
        if let Some(error) = address(spec).and_then(|address| self.dead().get(address).cloned()) {
            return Err(NotOpened {
                error,
                took: Duration::ZERO,
            });
        }
        let began = Instant::now();
        let opened = async {
            let options = SessionOptions {
                startup_timeout: self.startup_timeout,
                message_limit: DEFAULT_MESSAGE_LIMIT,
                recorder: self.recorder(name)?,
            };
            Session::open(spec, options).await
        };
        opened.await.map_err(|error| {
            if let Some(address) = address(spec).filter(|_| error.fault.kind == FaultKind::Unreachable) {
                self.dead().insert(address.to_owned(), error.clone());
            }
            NotOpened {
                error,
                took: began.elapsed(),
            }
        })
    }

    fn dead(&self) -> MutexGuard<'_, HashMap<String, OpenError>> {
        self.dead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn recorder(&self, name: &str) -> Result<Option<Arc<dyn Recorder>>, OpenError> {
        let begun = self.transcripts.as_ref().map(|transcripts| transcripts.begin(name));
        begun.transpose().map_err(|error| OpenError {
            fault: Fault::surroundings(
                FaultKind::Unavailable,
                Phase::Start,
                format!("the transcript of `{name}` could not be begun: {error}"),
            ),
            findings: Vec::new(),
        })
    }

    /// Takes a server back and ends it, if it was the case's own.
    pub(super) async fn give_back(&self, lease: Lease) {
        match self.farewell {
            _ if lease.user.is_some() => {}
            Farewell::Before => lease.session.close().await,
            Farewell::Behind => self.close(lease.session),
        }
    }

    fn close(&self, session: Arc<Session>) {
        self.spawn(async move { session.close().await });
    }

    fn close_behind_its_users(&self, Shared { session, users }: Shared) {
        self.spawn(async move {
            let _alone = users.write().await;
            session.close().await;
        });
    }

    fn spawn(&self, closing_one: impl Future<Output = ()> + Send + 'static) {
        let mut closing = self.closing.lock().unwrap_or_else(PoisonError::into_inner);
        while closing.try_join_next().is_some() {}
        closing.spawn(closing_one);
    }

    /// Which transcript could not be written to its end, and why; known for good once they are
    /// [`shut_down`](Self::shut_down).
    pub fn broken_transcript(&self) -> Option<String> {
        self.transcripts.as_ref()?.broken()
    }

    /// Ends every server that is still there; returns when nothing of them is left.
    pub async fn shut_down(&self) {
        let shared = std::mem::take(&mut *self.shared.lock().unwrap_or_else(PoisonError::into_inner));
        for slot in shared.into_values() {
            if let Slot::Open(shared) = std::mem::take(&mut *slot.lock().await) {
                self.close(shared.session);
            }
        }
        let closing = std::mem::take(&mut *self.closing.lock().unwrap_or_else(PoisonError::into_inner));
        closing.join_all().await;
    }
}

/// Where a server is reached that is not ours to start.
fn address(spec: &ServerSpec) -> Option<&str> {
    match spec {
        ServerSpec::Http(spec) if spec.start.is_none() => Some(&spec.url),
        ServerSpec::Http(_) | ServerSpec::Stdio(_) => None,
    }
}

/// What has to be known of a case to find its server.
#[derive(Clone)]
pub(super) struct CaseServer {
    spec: Option<Arc<ServerSpec>>,
    scope: ServerScope,
    file: Arc<str>,
    name: String,
}

impl CaseServer {
    pub(super) fn of(case: &PlannedCase) -> Self {
        Self {
            spec: match (&case.target, &case.skip) {
                (Target::Server { spec, .. }, None) => Some(Arc::clone(spec)),
                _ => None,
            },
            scope: case.scope,
            file: Arc::clone(&case.location.file),
            name: case.id.to_string(),
        }
    }

    /// Whether the case gets a server that nobody else uses.
    pub(super) fn is_own(&self) -> bool {
        self.spec.is_some() && self.scope == ServerScope::Case
    }
}

/// Opens a transcript folder, if one is asked for.
pub(super) fn transcripts(folder: Option<&Path>, redactor: &super::Redactor) -> std::io::Result<Option<Transcripts>> {
    let begin = |folder: &Path| {
        Transcripts::new(folder, redactor.clone())
            .map_err(|error| std::io::Error::new(error.kind(), format!("--transcript `{}`: {error}", folder.display())))
    };
    folder.map(begin).transpose()
}
