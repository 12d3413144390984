//! Opens sessions with a fake server and looks at what is left of it.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use mcpvals::{
    mcp::{Answer, DEFAULT_MESSAGE_LIMIT, OpenError, Session, SessionOptions},
    model::{Fault, Launch, Reply, ServerSpec, StdioSpec, TimeLimit},
};
use serde_json::{Map, json};
use tokio::sync::RwLock;

/// Orphans are those of the whole process: who sweeps them takes this alone, who has some that must live shares it.
pub static ORPHANS: RwLock<()> = RwLock::const_new(());

/// Far more than anything here needs; what must be quick is compared with half of it.
pub const LONG: Duration = Duration::from_secs(20);
pub const SHORT: Duration = Duration::from_millis(400);

pub fn launch(command: &str, args: &[&str]) -> Launch {
    let path = std::env::var("PATH").expect("PATH is set");
    Launch {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: BTreeMap::from([("PATH".to_owned(), path)]),
        cwd: Some(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/servers/fake")),
    }
}

pub fn spec(launch: Launch) -> ServerSpec {
    ServerSpec::Stdio(StdioSpec {
        launch,
        startup_timeout: None,
    })
}

pub fn options() -> SessionOptions {
    SessionOptions {
        startup_timeout: TimeLimit::new(LONG, "--startup-timeout"),
        message_limit: DEFAULT_MESSAGE_LIMIT,
        recorder: None,
    }
}

/// A session with the fake server that the Python code `behaviour` has changed.
pub async fn try_open(behaviour: &str, options: SessionOptions) -> Result<Arc<Session>, OpenError> {
    Session::open(&spec(launch("python3", &["server.py", behaviour])), options).await
}

pub async fn open(behaviour: &str) -> Arc<Session> {
    try_open(behaviour, options())
        .await
        .expect("python3 must be installed, and the fake server answers initialize")
}

pub async fn call(session: &Session, tool: &str, limit: Duration) -> Result<Answer, Fault> {
    let arguments = Map::from_iter([("message".to_owned(), json!("hello"))]);
    session.call_tool(tool, &arguments, limit).await
}

pub async fn output(session: &Session, tool: &str) -> String {
    match call(session, tool, LONG).await.expect("the call is answered").reply {
        Reply::Result(result) => result.output,
        Reply::Error(error) => panic!("an error: {error:?}"),
    }
}

pub async fn pid(session: &Session) -> u32 {
    output(session, "pid").await.parse().expect("a process id")
}

/// Whether a process runs; one that was killed and waits to be reaped does not.
pub fn is_alive(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    !stat
        .rsplit_once(')')
        .expect("a stat line")
        .1
        .trim_start()
        .starts_with('Z')
}

pub fn codes(session: &Session) -> Vec<std::borrow::Cow<'static, str>> {
    session.findings().into_iter().map(|finding| finding.code).collect()
}

/// Waits for something that another process does.
pub async fn eventually(mut holds: impl FnMut() -> bool) {
    let limit = Instant::now() + LONG;
    while !holds() {
        assert!(Instant::now() < limit, "it did not happen");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
