//! The embedded demo server: a small calculator and notes server to try everything on.

/// Serves over stdin and stdout until stdin ends.
pub async fn serve_stdio() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    unimplemented!()
}

/// Serves streamable HTTP at `/mcp` on this loopback port until it is told to stop.
pub async fn serve_http(port: u16) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let _ = port;
    unimplemented!()
}
