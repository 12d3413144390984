//! One open connection to a server: requests and ids, limits, cancellation, and what the server asked of us.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::{Map, Value};
use tokio::time::timeout_at;

use super::{
    Recorder,
    era::{Era, Greeting, Legacy},
    findings::{Findings, Mark},
    jsonrpc::Payload,
    link::{self, Answered, Ask, Limit, Link, Trouble},
    listing::{Keep, ListKind, Listing, PageParams, TOOLS},
    process::as_run,
    result,
    transport::{HttpTransport, Limits, StdioTransport, Transport},
};
use crate::model::{Fault, FaultKind, Finding, Heard, Phase, Reply, ServerIdentity, ServerSpec, TimeLimit};

/// The largest message that is kept unless the caller says otherwise, in bytes. 16 MiB is what the official Rust SDK
/// takes; an answer of 12 MiB fits, and an endless line cannot eat the machine.
pub const DEFAULT_MESSAGE_LIMIT: usize = 16 * 1024 * 1024;

/// An open, initialized connection. Calls may overlap; answers find their request by id.
pub struct Session {
    line: Arc<Line>,
    /// From when on remarks about the server are told this user.
    since: Mark,
    /// Remarks about the calls of this user, which nobody else is told.
    own: Findings,
}

/// What the users of one connection share.
struct Line {
    link: Link,
    era: Box<dyn Era>,
    greeting: Greeting,
    startup: Duration,
    tools: Mutex<Option<KnownTools>>,
    remarked_tools: AtomicBool,
    /// How often the session was started anew after the server forgot it.
    epoch: AtomicU64,
    reopening: tokio::sync::Mutex<()>,
}

/// The list of tools, and how many changes of it had been announced when it was asked for.
struct KnownTools {
    names: Arc<[String]>,
    changes: u64,
}

/// What a session is opened with.
#[derive(Clone)]
pub struct SessionOptions {
    /// From the start of the process (or the first connection) to the end of the handshake, where the server block
    /// sets no limit of its own.
    pub startup_timeout: TimeLimit,
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
    /// From the request written to the answer read; over HTTP from the request handed on, since connecting is part of
    /// each call there.
    pub latency: Duration,
    /// What the server said on its own account while the call was open.
    pub heard: Heard,
}

/// Why no session could be opened, and what was seen of the server on the way.
#[derive(Debug, Clone)]
pub struct OpenError {
    /// What happened.
    pub fault: Fault,
    /// Remarks about the server.
    pub findings: Vec<Finding>,
}

#[derive(Serialize)]
struct CallParams<'a, A: ?Sized> {
    name: &'a str,
    arguments: &'a A,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Map<String, Value>>,
}

impl Session {
    /// Starts or reaches the server and completes the handshake within `startup_timeout`, or within the limit that
    /// the server block itself sets. On failure nothing of the server is left running.
    pub async fn open(spec: &ServerSpec, options: SessionOptions) -> Result<Arc<Self>, OpenError> {
        let begun = Instant::now();
        let limit = startup_limit(spec, &options);
        let link = connect(spec, options, limit).await.map_err(|error| OpenError {
            fault: with_command(error.fault, spec),
            ..error
        })?;
        let era: Box<dyn Era> = Box::new(Legacy);
        match era.open(&link, limit).await {
            Ok(greeting) => Ok(Arc::new(Self {
                line: Arc::new(Line {
                    link,
                    era,
                    greeting,
                    startup: begun.elapsed(),
                    tools: Mutex::new(None),
                    remarked_tools: AtomicBool::new(false),
                    epoch: AtomicU64::new(0),
                    reopening: tokio::sync::Mutex::default(),
                }),
                since: Mark::default(),
                own: Findings::default(),
            })),
            Err(fault) => {
                link.close().await;
                Err(OpenError {
                    fault: with_command(fault, spec),
                    findings: link.board.findings.list(),
                })
            }
        }
    }

    /// The same connection for somebody else, who is told of nothing that was odd before.
    pub fn for_another_user(&self) -> Arc<Self> {
        Arc::new(Self {
            line: Arc::clone(&self.line),
            since: self.line.link.board.findings.mark(),
            own: Findings::default(),
        })
    }

    /// What the server said of itself.
    pub fn identity(&self) -> &ServerIdentity {
        &self.line.greeting.identity
    }

    /// How long start and handshake took.
    pub fn startup(&self) -> Duration {
        self.line.startup
    }

    /// The names in `tools/list`, in the server's order, all pages; asked once, then remembered until the server
    /// says that its list changed.
    pub async fn tool_names(&self, limit: impl Into<Limit>) -> Result<Arc<[String]>, Fault> {
        let changes = self.line.link.board.tool_list_changes();
        if let Some(known) = &*self.line.tools.lock().unwrap_or_else(PoisonError::into_inner)
            && known.changes == changes
        {
            return Ok(Arc::clone(&known.names));
        }
        let names: Arc<[String]> = self.list::<String>(&TOOLS, limit.into()).await?.into();
        let known = KnownTools {
            names: Arc::clone(&names),
            changes,
        };
        *self.line.tools.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        Ok(names)
    }

    /// Calls a tool with a JSON object of arguments. After `limit` the call is cancelled at the server and a timeout is
    /// returned.
    pub async fn call_tool<A: Serialize + ?Sized>(
        &self,
        tool: &str,
        arguments: &A,
        limit: impl Into<Limit>,
    ) -> Result<Answer, Fault> {
        let limit = limit.into();
        self.remark_tools();
        let params = CallParams {
            name: tool,
            arguments,
            meta: self.line.era.request_meta(),
        };
        let Answered {
            payload,
            latency,
            heard,
        } = self
            .ask(Ask {
                phase: Phase::Call,
                method: "tools/call",
                params: &params,
                limit,
                since: self.since,
            })
            .await?;
        let reply = match payload {
            Payload::Result(raw) if !raw.is_object() => {
                let message = format!(
                    "the result of `tools/call` is not an object: {}",
                    super::quote::quoted(&raw.to_string())
                );
                return Err(self
                    .line
                    .link
                    .with_evidence(Fault::server(FaultKind::Garbled, Phase::Call, message), self.since));
            }
            Payload::Result(raw) => {
                for remark in result::remarks(&raw) {
                    self.remark(remark);
                }
                Reply::Result(result::read(raw))
            }
            Payload::Error(error) => Reply::Error(error),
            Payload::Malformed(why) => return Err(Fault::server(FaultKind::Garbled, Phase::Call, why)),
        };
        Ok(Answer { reply, latency, heard })
    }

    /// Whether further calls can be answered, as far as is known: not when the server ended or its connection broke.
    pub fn is_open(&self) -> bool {
        !self.line.link.board.pending.is_over()
    }

    /// Remarks gathered so far, each kind once.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = self.line.link.board.findings.list_since(self.since);
        findings.extend(self.own.list());
        findings
    }

    /// That the server has crashed, as far as is known: a remark for who had all answers before it did, since nothing
    /// else tells of it then.
    pub fn crash(&self) -> Option<Finding> {
        let status = self.line.link.crash()?;
        let message = format!("the server ended by itself after its last answer: {status}");
        Some(Finding::new("server-crashed", message))
    }

    /// Notes something odd about the calls of this user, beside what the session notices itself.
    pub fn remark(&self, remark: Finding) {
        self.own.note(remark);
    }

    /// Ends the connection and the whole process tree; returns when nothing of it is left. Safe to call twice.
    pub async fn close(&self) {
        self.line.link.close().await;
    }

    /// What the server said when the connection was opened.
    pub(super) fn greeting(&self) -> &Greeting {
        &self.line.greeting
    }

    /// All pages of a list.
    pub(super) async fn list<T: Keep>(&self, kind: &'static ListKind, limit: Limit) -> Result<Vec<T>, Fault> {
        let mut listing = Listing::of(kind);
        loop {
            let params = PageParams {
                cursor: listing.cursor(),
                meta: self.line.era.request_meta(),
            };
            let ask = Ask {
                phase: kind.phase,
                method: kind.method,
                params: &params,
                limit,
                since: self.since,
            };
            let payload = self.ask(ask).await?.payload;
            let findings = &self.line.link.board.findings;
            if !listing
                .take(payload, findings)
                .map_err(|fault| self.line.link.with_evidence(fault, self.since))?
            {
                return Ok(listing.finish(findings));
            }
        }
    }

    /// Sends a request; where the server forgot the session, starts a new one and repeats the request once.
    async fn ask<P: Serialize>(&self, ask: Ask<'_, P>) -> Result<Answered, Fault> {
        let Ask {
            phase,
            method,
            params,
            limit,
            since,
        } = ask;
        // What would go out while the session is started anew would be lost with the old one.
        if self.line.reopening.try_lock().is_err() {
            let _ = timeout_at(limit.at, self.line.reopening.lock()).await;
        }
        let epoch = self.line.epoch.load(Ordering::Acquire);
        match self
            .line
            .link
            .request(Ask {
                phase,
                method,
                params,
                limit,
                since,
            })
            .await
        {
            Ok(answered) => return Ok(answered),
            Err(Trouble::Fault(fault)) => return Err(fault),
            Err(Trouble::SessionLost) => self.reopen(epoch, limit).await?,
        }
        self.line
            .link
            .request(Ask {
                phase,
                method,
                params,
                limit,
                since,
            })
            .await
            .map_err(|trouble| match trouble {
                Trouble::Fault(fault) => fault,
                Trouble::SessionLost => {
                    let message = format!("the server forgot the session twice during one `{method}`");
                    self.line
                        .link
                        .with_evidence(Fault::server(FaultKind::Closed, phase, message), since)
                }
            })
    }

    async fn reopen(&self, lost: u64, limit: Limit) -> Result<(), Fault> {
        let _one_at_a_time = self.line.reopening.lock().await;
        if self.line.epoch.load(Ordering::Acquire) != lost {
            return Ok(());
        }
        let message = "the server forgot the session (HTTP 404); a new one was started and the request repeated";
        self.line
            .link
            .board
            .findings
            .note(Finding::new("session-lost", message));
        self.line.era.open(&self.line.link, limit).await?;
        *self.line.tools.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.line.epoch.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }

    fn remark_tools(&self) {
        if !self.line.greeting.has("tools") && !self.line.remarked_tools.swap(true, Ordering::Relaxed) {
            let message = "the server did not announce the `tools` capability; the call was tried all the same";
            self.line
                .link
                .board
                .findings
                .note(Finding::new("tools-not-announced", message));
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("greeting", &self.line.greeting)
            .finish_non_exhaustive()
    }
}

/// Says what was run where a server that is ours ended before it served.
fn with_command(fault: Fault, spec: &ServerSpec) -> Fault {
    let launch = match spec {
        ServerSpec::Stdio(spec) => Some(&spec.launch),
        ServerSpec::Http(spec) => spec.start.as_ref(),
    };
    match launch {
        Some(launch) if fault.kind == FaultKind::Exited && fault.help.is_none() => fault.help(as_run(launch)),
        _ => fault,
    }
}

fn startup_limit(spec: &ServerSpec, options: &SessionOptions) -> Limit {
    let own = match spec {
        ServerSpec::Stdio(spec) => spec.startup_timeout,
        ServerSpec::Http(spec) => spec.startup_timeout,
    };
    match own {
        Some(own) => Limit::from_now(own, "`startup_timeout` of the server"),
        None => options.startup_timeout.into(),
    }
}

async fn connect(spec: &ServerSpec, options: SessionOptions, limit: Limit) -> Result<Link, OpenError> {
    let SessionOptions {
        message_limit,
        recorder,
        ..
    } = options;
    let source = match spec {
        ServerSpec::Stdio(_) => "stdout",
        ServerSpec::Http(_) => "the HTTP response",
    };
    let (board, outbox) = link::switchboard(recorder.clone(), source);
    let opened: Result<Arc<dyn Transport>, Fault> = match spec {
        ServerSpec::Stdio(spec) => {
            StdioTransport::open(&spec.launch, board.clone(), message_limit, recorder.as_ref()).map(|it| it as _)
        }
        ServerSpec::Http(spec) => {
            let limits = Limits {
                startup: limit,
                message: message_limit,
            };
            HttpTransport::open(spec, board.clone(), limits, recorder.as_ref())
                .await
                .map(|it| it as _)
        }
    };
    match opened {
        Ok(transport) => Ok(Link::new(transport, board, outbox, recorder)),
        Err(fault) => Err(OpenError {
            fault,
            findings: board.findings.list(),
        }),
    }
}
