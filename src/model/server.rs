//! The server under test: as a file declares it, and as it will be started.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use crate::source::{Located, Location};

/// A string as written; `${VAR}` in it is expanded when the run is planned.
pub type Text = Located<String>;

/// A server block as written.
#[derive(Debug, Clone)]
pub struct ServerDeclaration {
    /// Where the block starts.
    pub location: Location,
    /// How the server is reached.
    pub transport: TransportDeclaration,
    /// The limit of its start-up, if the author says so.
    pub startup_timeout: Option<Duration>,
}

/// How a server is reached, as written.
#[derive(Debug, Clone)]
pub enum TransportDeclaration {
    /// A child process that speaks over its standard streams.
    Stdio(LaunchDeclaration),
    /// Streamable HTTP.
    Http {
        /// Endpoint.
        url: Text,
        /// Extra request headers.
        headers: Vec<(Located<String>, Text)>,
        /// How to start the HTTP server, if it is ours to start.
        start: Option<LaunchDeclaration>,
        /// The address that answers once the server is ready; the endpoint itself where it is absent.
        ready: Option<Text>,
    },
}

/// A command as written.
#[derive(Debug, Clone)]
pub struct LaunchDeclaration {
    /// Program.
    pub command: Text,
    /// Arguments.
    pub args: Vec<Text>,
    /// Environment variables to set.
    pub env: Vec<(Located<String>, Text)>,
    /// Names of our own environment variables to hand on.
    pub env_inherit: Vec<Located<String>>,
    /// Working directory.
    pub cwd: Option<Text>,
}

/// A server ready to be started or reached: everything expanded.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ServerSpec {
    /// A child process that speaks over its standard streams.
    Stdio(StdioSpec),
    /// Streamable HTTP.
    Http(HttpSpec),
}

/// A child process that speaks MCP over its standard streams.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StdioSpec {
    /// What to start.
    pub launch: Launch,
    /// The limit of its start-up, if the author says so.
    pub startup_timeout: Option<Duration>,
}

/// A streamable HTTP endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HttpSpec {
    /// Endpoint; `{{port}}` in it stands for the port chosen for `start`.
    pub url: String,
    /// Extra request headers, in order.
    pub headers: Vec<(String, String)>,
    /// How to start the HTTP server, if it is ours to start.
    pub start: Option<Launch>,
    /// How to tell that `start` is ready.
    pub ready: Readiness,
    /// The limit of its start-up, if the author says so.
    pub startup_timeout: Option<Duration>,
}

/// How to tell that an HTTP server is ready.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Readiness {
    /// The MCP endpoint takes a connection.
    Endpoint,
    /// A GET of this address answers with a status below 500; `{{port}}` stands for the chosen port.
    Url(String),
}

/// A command with its environment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Launch {
    /// Program: a path, a name found on `PATH`, or `mcpvals` for the running binary.
    pub command: String,
    /// Arguments.
    pub args: Vec<String>,
    /// The whole environment of the child, nothing else is handed on.
    pub env: BTreeMap<String, String>,
    /// Working directory; ours where it is absent.
    pub cwd: Option<PathBuf>,
}
