//! Why something could not be told.

use std::fmt;

/// Why a call, a start or an assertion gave no answer: what happened, where, and whose fault it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Whose fault it is.
    pub origin: Origin,
    /// What kind of thing happened.
    pub kind: FaultKind,
    /// What was being done.
    pub phase: Phase,
    /// What happened, as a lowercase fragment.
    pub message: String,
    /// What the user can do about it.
    pub help: Option<String>,
    /// Facts that explain it, one a line: exit status, the server's last lines on stderr, noise on stdout.
    pub evidence: Vec<String>,
}

/// Whose fault a fault is; it decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The server under test: it started, then exited, hung or garbled the protocol.
    Server,
    /// Everything else: command not found, address never reachable, provider down, our own limits.
    Surroundings,
}

/// What kind of thing happened, stable for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The program could not be started at all.
    CannotStart,
    /// The address could not be reached.
    Unreachable,
    /// A limit ran out.
    Timeout,
    /// The process ended.
    Exited,
    /// The server closed its output or the connection.
    Closed,
    /// What came was not the protocol.
    Garbled,
    /// An HTTP status that is not an answer.
    HttpStatus,
    /// More came than we keep.
    TooLarge,
    /// The server refused the handshake.
    Refused,
    /// The server answered with a JSON-RPC error that nobody expected.
    ProtocolError,
    /// The run was stopped from outside.
    Interrupted,
    /// A part of this tool that is not there yet.
    Unavailable,
    /// A value was missing that something later needed.
    MissingValue,
}

/// What was being done when a fault happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Starting the process or connecting.
    Start,
    /// The handshake.
    Initialize,
    /// Asking for the list of tools.
    ListTools,
    /// Asking for another list: resources, templates, prompts.
    List,
    /// Calling a tool.
    Call,
    /// Judging the answer.
    Judge,
}

impl Phase {
    /// Every one.
    pub const ALL: [Self; 6] = [
        Self::Start,
        Self::Initialize,
        Self::ListTools,
        Self::List,
        Self::Call,
        Self::Judge,
    ];

    /// The word used in messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Initialize => "initialize",
            Self::ListTools => "tools/list",
            Self::List => "list",
            Self::Call => "tools/call",
            Self::Judge => "judge",
        }
    }
}

impl FaultKind {
    /// Every one.
    pub const ALL: [Self; 13] = [
        Self::CannotStart,
        Self::Unreachable,
        Self::Timeout,
        Self::Exited,
        Self::Closed,
        Self::Garbled,
        Self::HttpStatus,
        Self::TooLarge,
        Self::Refused,
        Self::ProtocolError,
        Self::Interrupted,
        Self::Unavailable,
        Self::MissingValue,
    ];

    /// The word used in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::CannotStart => "cannot-start",
            Self::Unreachable => "unreachable",
            Self::Timeout => "timeout",
            Self::Exited => "exited",
            Self::Closed => "closed",
            Self::Garbled => "garbled",
            Self::HttpStatus => "http-status",
            Self::TooLarge => "too-large",
            Self::Refused => "refused",
            Self::ProtocolError => "protocol-error",
            Self::Interrupted => "interrupted",
            Self::Unavailable => "unavailable",
            Self::MissingValue => "missing-value",
        }
    }
}

impl Fault {
    /// A fault of the server under test.
    pub fn server(kind: FaultKind, phase: Phase, message: impl Into<String>) -> Self {
        Self {
            origin: Origin::Server,
            kind,
            phase,
            message: message.into(),
            help: None,
            evidence: Vec::new(),
        }
    }

    /// A fault of the surroundings.
    pub fn surroundings(kind: FaultKind, phase: Phase, message: impl Into<String>) -> Self {
        Self {
            origin: Origin::Surroundings,
            ..Self::server(kind, phase, message)
        }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds facts that explain it.
    #[must_use]
    pub fn evidence(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.evidence.extend(lines);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}
