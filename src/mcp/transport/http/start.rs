//! Starting an HTTP server for a run: a free port, the process, and waiting until it is ready.

use std::{
    collections::BTreeSet,
    net::TcpListener,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use reqwest::Url;
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};

use super::{client, failure};
use crate::{
    mcp::{
        Recorder,
        link::Limit,
        process::{Process, Streams},
    },
    model::{Fault, FaultKind, HttpSpec, Launch, Phase, Readiness},
};

const PLACEHOLDER: &str = "{{port}}";
/// First pause between two looks at a server that is not ready; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// Longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);
/// The limit of one look.
const LOOK_LIMIT: Duration = Duration::from_secs(2);
/// What we stop short of the start-up limit, so that our own explanation comes before the bare limit.
const MARGIN: Duration = Duration::from_millis(50);

/// Ports handed out by this process: the system may name a port again before the server we named it to has taken it.
static HANDED_OUT: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

/// A started server that is ready.
#[derive(Debug)]
pub(super) struct Started {
    /// Its process.
    pub process: Arc<Process>,
    /// Its endpoint.
    pub url: Url,
}

/// Starts the server, shows what it logs to `recorder`, and waits until it is ready; on failure nothing of it is left.
pub(super) async fn start(
    launch: &Launch,
    spec: &HttpSpec,
    limit: Limit,
    recorder: Option<&Arc<dyn Recorder>>,
) -> Result<Started, Fault> {
    let port = free_port()?.to_string();
    let url = client::parse_url(&fill(&spec.url, &port))?;
    let look = match &spec.ready {
        Readiness::Endpoint => Look::Connect(url.clone()),
        Readiness::Url(ready) => Look::get(client::parse_url(&fill(ready, &port))?)?,
    };
    if client::is_loopback(&url) && can_connect(&url).await {
        let message = format!(
            "something listens at `{}` already, before `start` was run",
            client::shown(&url)
        );
        return Err(Fault::surroundings(FaultKind::CannotStart, Phase::Start, message)
            .help("end it, or write `{{port}}` in `url` and in the command so that a free port is chosen"));
    }
    let process = Process::spawn(&with_port(launch, &port), Streams::Log, recorder)?;
    match wait_until_ready(&process, &look, limit).await {
        Ok(()) => Ok(Started { process, url }),
        Err(fault) => {
            if fault.kind == FaultKind::Exited {
                process.settle().await;
            }
            // What we do to end it is no evidence.
            let mut evidence = process.evidence();
            process.end().await;
            evidence.retain(|line| !fault.message.contains(&format!("({line})")));
            Err(fault.evidence(evidence))
        }
    }
}

/// How to tell that a server is ready.
#[derive(Debug)]
enum Look {
    Connect(Url),
    Get(Url, reqwest::Client),
}

impl Look {
    fn get(url: Url) -> Result<Self, Fault> {
        let client = client::build(&url, LOOK_LIMIT)?;
        Ok(Self::Get(url, client))
    }

    /// Looks once; tells what was found instead of a server that is ready.
    async fn once(&self) -> Result<(), String> {
        match self {
            Self::Connect(url) => connect(url).await,
            Self::Get(url, client) => match client.get(url.clone()).timeout(LOOK_LIMIT).send().await {
                Ok(response) if response.status().is_server_error() => Err(format!("HTTP {}", response.status())),
                Ok(_) => Ok(()),
                Err(error) if error.is_timeout() => Err(no_answer()),
                Err(error) if failure::is_refused(&error) => Err("connection refused".to_owned()),
                Err(error) => Err(failure::deepest(&error)),
            },
        }
    }

    fn missing(&self) -> String {
        match self {
            Self::Connect(url) => format!("nothing listens at `{}`", client::shown(url)),
            Self::Get(url, _) => format!("a GET of `{}` gives no status below 500", client::shown(url)),
        }
    }
}

async fn wait_until_ready(process: &Process, look: &Look, limit: Limit) -> Result<(), Fault> {
    let seen = Mutex::new("no answer yet".to_owned());
    let ready = async {
        let mut pause = FIRST_PAUSE;
        while let Err(found) = look.once().await {
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = found;
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    };
    tokio::select! {
        biased;
        status = process.wait() => {
            let message = format!("the server exited ({status}) before it was ready");
            Err(Fault::server(FaultKind::Exited, Phase::Start, message))
        }
        () = ready => Ok(()),
        () = tokio::time::sleep_until(limit.at.checked_sub(MARGIN).unwrap_or(limit.at)) => {
            let message = format!(
                "the server was not ready within {}: {} (the last look found: {})",
                limit.words(),
                look.missing(),
                seen.lock().unwrap_or_else(PoisonError::into_inner)
            );
            Err(Fault::server(FaultKind::Timeout, Phase::Start, message)
                .help("raise the limit, or check that `url` and `ready` name what the command listens on"))
        }
    }
}

/// Whether something listens at the address.
pub(super) async fn can_connect(url: &Url) -> bool {
    connect(url).await.is_ok()
}

async fn connect(url: &Url) -> Result<(), String> {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port_or_known_default().unwrap_or_default();
    match timeout(LOOK_LIMIT, TcpStream::connect((host, port))).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::ConnectionRefused => Err("connection refused".to_owned()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_elapsed) => Err(no_answer()),
    }
}

fn no_answer() -> String {
    format!("no answer within {} s", LOOK_LIMIT.as_secs())
}

fn free_port() -> Result<u16, Fault> {
    let mut handed_out = HANDED_OUT.lock().unwrap_or_else(PoisonError::into_inner);
    // Listeners that named a known port stay open until the end of the search, so that each round names another.
    let mut rejected = Vec::new();
    for _ in 0..100 {
        let (listener, port) = TcpListener::bind(("127.0.0.1", 0))
            .and_then(|listener| listener.local_addr().map(|address| (listener, address.port())))
            .map_err(|error| no_port(&error.to_string()))?;
        if handed_out.insert(port) {
            return Ok(port);
        }
        rejected.push(listener);
    }
    // So many runs later the first ports are free again.
    handed_out.clear();
    rejected
        .first()
        .and_then(|listener| listener.local_addr().ok())
        .map(|address| address.port())
        .ok_or_else(|| no_port("none left"))
}

fn no_port(cause: &str) -> Fault {
    Fault::surroundings(
        FaultKind::CannotStart,
        Phase::Start,
        format!("no free port on 127.0.0.1: {cause}"),
    )
}

fn fill(text: &str, port: &str) -> String {
    text.replace(PLACEHOLDER, port).replace("{{ port }}", port)
}

fn with_port(launch: &Launch, port: &str) -> Launch {
    Launch {
        command: fill(&launch.command, port),
        args: launch.args.iter().map(|arg| fill(arg, port)).collect(),
        env: launch
            .env
            .iter()
            .map(|(name, value)| (name.clone(), fill(value, port)))
            .collect(),
        cwd: launch.cwd.as_ref().map(|cwd| {
            cwd.to_str()
                .map_or_else(|| cwd.clone(), |text| PathBuf::from(fill(text, port)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_filled_in_everywhere() {
        let launch = Launch {
            command: "serve-{{port}}".to_owned(),
            args: vec!["--port={{ port }}".to_owned(), "{{other}}".to_owned()],
            env: [("PORT".to_owned(), "{{port}}".to_owned())].into(),
            cwd: Some("/tmp/{{port}}".into()),
        };
        let filled = with_port(&launch, "81");
        assert_eq!(filled.command, "serve-81");
        assert_eq!(filled.args, ["--port=81", "{{other}}"]);
        assert_eq!(filled.env["PORT"], "81");
        assert_eq!(filled.cwd, Some("/tmp/81".into()));
    }

    #[test]
    fn a_port_is_handed_out_once() {
        let ports: BTreeSet<u16> = (0..200).map(|_| free_port().unwrap()).collect();
        assert_eq!(ports.len(), 200);
    }
}
