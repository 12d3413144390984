//! The two ways to reach the demo server: standard streams and streamable HTTP.

use std::{
    io::{self, Write},
    net::Ipv4Addr,
    sync::Arc,
};

use axum::{Router, serve::ListenerExt};
use rmcp::{
    ServiceExt,
    service::ServerInitializeError,
    transport::{
        StreamableHttpServerConfig, StreamableHttpService, io::stdio_pipes,
        streamable_http_server::session::local::LocalSessionManager,
    },
};
use tokio::{net::TcpListener, signal, task::JoinError};

use super::DemoServer;

/// Where the MCP endpoint is mounted.
const ENDPOINT: &str = "/mcp";

/// Why the demo server could not be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The client did not complete the handshake.
    #[error("handshake with the client failed: {0}")]
    Handshake(#[from] Box<ServerInitializeError>),
    /// The task that served the connection died.
    #[error("connection broke down: {0}")]
    Connection(#[from] JoinError),
    /// The port is taken or not ours to use.
    #[error("port {port} of the loopback address cannot be used: {source}")]
    Port {
        /// The port that was asked for.
        port: u16,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The listening socket failed.
    #[error("listening socket failed: {0}")]
    Socket(#[from] io::Error),
}

/// Serves over stdin and stdout until stdin ends.
pub async fn serve_stdio() -> Result<(), ServeError> {
    let service = match DemoServer::new().serve(stdio_pipes()).await {
        Ok(service) => service,
        // A client that goes away before it says anything has every right to.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(Box::new(error).into()),
    };
    service.waiting().await?;
    Ok(())
}

/// Serves streamable HTTP at `/mcp` on this loopback port until SIGINT or SIGTERM; port 0 takes a free one.
/// The address is announced on stderr. All sessions share one notebook, as they would on a real server.
pub async fn serve_http(port: u16) -> Result<(), ServeError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(|source| ServeError::Port { port, source })?;
    let address = listener.local_addr()?;
    // A closed stderr is no reason not to serve.
    let _ = writeln!(io::stderr(), "mcpvals-demo listens on http://{address}{ENDPOINT}");

    // Without it Nagle's algorithm holds the second part of each answer back for 40 ms.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let serving = axum::serve(listener, router());
    tokio::select! {
        ended = serving.into_future() => Ok(ended?),
        stopped = stop_signal() => Ok(stopped?),
    }
}

fn router() -> Router {
    let server = DemoServer::new();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default().enforce_origin_validation(),
    );
    Router::new().route_service(ENDPOINT, service)
}

async fn stop_signal() -> io::Result<()> {
    let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}
